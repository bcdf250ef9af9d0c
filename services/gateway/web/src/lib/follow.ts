/** A table's events as they come in, by answers and live: each number once, in order. */
import type { LiveEvent } from './lines';
import type { Listener } from './live';
import { tell } from './notices.svelte';
import { connection, setLive } from './online.svelte';
import { isKnown } from './reducer';
import { loseSession, recheckSession } from './session.svelte';
import type { Snapshot, TableEvent } from './types';

export class Intake {
  /** Number of the newest event that was taken in, shown or not. */
  newest = 0;
  /** Something happened that only a snapshot tells. */
  unsure = false;

  /** What of `events` is new and can be shown; from now on it is known. */
  take(events: readonly LiveEvent[]): TableEvent[] {
    const news = events.filter((event) => event.seq > this.newest);
    this.reach(news.at(-1)?.seq ?? 0);
    const shown = news.filter(isKnown);
    const ended = shown.some((event) => event.type === 'match.settled');
    if (ended || shown.length < news.length) this.unsure = true;
    return shown;
  }

  /** All up to this number is part of a snapshot. */
  reach(seq: number): void {
    this.newest = Math.max(this.newest, seq);
  }
}

export interface Followed {
  readonly intake: Intake;
  take(events: readonly LiveEvent[]): void;
  adopt(snapshot: Snapshot): void;
  /** Something is missing. */
  resync(): void;
  refresh(): void;
  /** The connection is up to date, and nothing more came. */
  caughtUp(): void;
  /** The state of the connection is another one. */
  turned(): void;
}

/** Has a table told what its live connection hears. */
export function listenerFor(table: Followed): Listener {
  const { intake } = table;
  return {
    since: () => intake.newest || null,
    event: (event) => {
      if (event.seq <= intake.newest) return;
      if (event.seq > intake.newest + 1) table.resync();
      else table.take([event]);
    },
    snapshot: (seq, snapshot) => {
      if (seq < intake.newest) return;
      table.adopt(snapshot);
      intake.reach(seq);
    },
    synced: () => {
      connection.trouble = false;
      table.caughtUp();
    },
    notices: tell,
    state: (state, reason) => {
      setLive(state, reason);
      table.turned();
    },
    refused: () => table.refresh(),
    lost: loseSession,
    replaced: () => void recheckSession(),
  };
}
