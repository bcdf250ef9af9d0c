/**
 * A stored hand as pictures of the table, one after the other.
 *
 * They come from the same reducer as live play: what was hidden stays hidden until the event
 * that showed it, also when one goes back.
 */
import type { Money } from './labels';
import { logLines } from './log';
import type { View } from './reducer';
import { beforeHand, isKnown, reduce } from './reducer';
import type { HandRecord, Match, Snapshot, Street, TableEvent } from './types';

export interface Frame {
  readonly view: View;
  /** What happened since the picture before, in order. */
  readonly events: readonly TableEvent[];
}

/** Part of the picture before: nobody wants a step of its own for these. */
const WITH_LAST: readonly string[] = ['turn.started', 'hand.ended'];
/** Part of the next picture: the chips move as the next card comes. */
const WITH_NEXT: readonly string[] = ['pots.updated'];
const ENDS: readonly string[] = ['hand.ended', 'hand.voided'];

/** What happened before the blinds is in the first picture, what came after the end in none. */
export function framesOf(record: HandRecord, match: Match): Frame[] {
  let view = beforeHand(openingOf(record, match));
  const frames: Frame[] = [];
  let waiting: TableEvent[] = [];
  for (const event of playedIn(record)) {
    view = reduce(view, event);
    const last = frames.at(-1);
    if (WITH_NEXT.includes(event.type) || (!last && event.type !== 'hand.started')) {
      waiting.push(event);
    } else if (last && waiting.length === 0 && WITH_LAST.includes(event.type)) {
      frames[frames.length - 1] = { view, events: [...last.events, event] };
    } else {
      frames.push({ view, events: [...waiting, event] });
      waiting = [];
    }
  }
  if (waiting.length > 0 || frames.length === 0) frames.push({ view, events: waiting });
  return frames;
}

/** The hand's own events that are shown. */
function playedIn(record: HandRecord): TableEvent[] {
  const end = record.events.findIndex((event) => ENDS.includes(event.type));
  const own = end < 0 ? record.events : record.events.slice(0, end + 1);
  return own.filter((event): event is typeof event & TableEvent => isKnown(event));
}

function openingOf(record: HandRecord, match: Match): Parameters<typeof beforeHand>[0] {
  return {
    table_id: record.table_id,
    version: 0,
    ruleset: record.ruleset,
    hand: { id: record.hand_id, no: record.hand_no, button: record.button },
    seats: record.seats.map(seatBefore),
    match,
  };
}

function seatBefore(seat: HandRecord['seats'][number]): Snapshot['seats'][number] {
  const tag = seat.kind === 'computer' ? 'computer' : 'guest';
  const fresh = { bet: 0, folded: false, all_in: false, cards: null, last_action: null };
  return { ...fresh, ...seat, tag, pos: '' };
}

export type Stop = Street | 'reveal' | 'end';
export interface Jump {
  readonly to: Stop;
  readonly at: number;
}

/** Where one may want to jump to: the streets that there were, the showdown, the end. */
export function jumpsOf(frames: readonly Frame[]): Jump[] {
  const jumps: Jump[] = [];
  frames.forEach(({ events }, at) => {
    for (const event of events) {
      const to = stopOf(event);
      if (to && !jumps.some((jump) => jump.to === to)) jumps.push({ to, at });
    }
  });
  return jumps;
}

function stopOf(event: TableEvent): Stop | null {
  switch (event.type) {
    case 'cards.dealt':
      return 'preflop';
    case 'street.dealt':
      return event.data.street;
    case 'all_in.reveal':
    case 'showdown':
      return 'reveal';
    case 'pot.awarded':
      return 'end';
    default:
      return null;
  }
}

/** The last of the jumps that lies behind or at a picture: where in the hand one is. */
export function stopAt(jumps: readonly Jump[], at: number): Stop | null {
  return jumps.filter((jump) => jump.at <= at).at(-1)?.to ?? null;
}

/** What happened in a picture, as the hand log writes it, or as it is heard; "" before the blinds. */
export function told({ view, events }: Frame, how: Money, as: 'text' | 'spoken' = 'text'): string {
  // Which hand it is stands above the table all the time.
  const own = events.filter((event) => event.type !== 'hand.started');
  const numbers = new Set(own.map((event) => event.seq));
  const lines = logLines(view, how).filter((line) => numbers.has(Math.floor(line.seq)));
  return lines.map((line) => line[as]).join('. ');
}
