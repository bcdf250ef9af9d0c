/** What a gateway's socket told of some tables, as it was recorded (`tests/support/recordings.py`). */
import { readFileSync, readdirSync } from 'node:fs';

import type { LiveEvent, Message } from '../src/lib/lines';
import { fromSnapshot, isKnown, reduce } from '../src/lib/reducer';
import type { View } from '../src/lib/reducer';
import type { Snapshot } from '../src/lib/types';

export interface Recording {
  readonly name: string;
  readonly messages: readonly Message[];
  /** The table as the server showed it once the event `seq` was the newest. */
  readonly moments: readonly { readonly seq: number; readonly snapshot: Snapshot }[];
}

const FOLDER = 'tests/streams';

export const RECORDINGS: readonly Recording[] = readdirSync(FOLDER).map((file) => ({
  name: file.replace('.json', ''),
  ...(JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Omit<Recording, 'name'>),
}));

/** The event without what carried it. */
function bare({ seq, type, at, data }: LiveEvent): LiveEvent {
  return { seq, type, at, data };
}

/** A view, and the event that led to it; null for one that a snapshot gave. */
export interface Step {
  readonly event: LiveEvent | null;
  readonly view: View;
}

/** The view after each message that says something of the table. */
export function steps({ messages }: Recording): Step[] {
  const told: Step[] = [];
  for (const message of messages) {
    if (message.op === 'snap')
      told.push({ event: null, view: fromSnapshot(message.data as Snapshot) });
    const before = told.at(-1)?.view;
    if (message.op !== 'ev' || !before) continue;
    const event = bare(message);
    if (isKnown(event)) told.push({ event, view: reduce(before, event) });
  }
  return told;
}

export const events = ({ messages }: Recording): LiveEvent[] =>
  messages.filter((message) => message.op === 'ev').map(bare);
