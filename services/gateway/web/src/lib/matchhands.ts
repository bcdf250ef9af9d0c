/** The hands of a match that its summary names: the biggest pots, and what was played without. */
import { api } from './api';
import type { HandQuery } from './api';
import type { HandRow, Summary } from './types';

export interface NamedHands {
  readonly biggest: readonly HandRow[];
  readonly decided: readonly HandRow[];
  readonly voided: readonly HandRow[];
}

/** How many pots are named. */
const POTS = 5;
/** Pages of a hundred that are read at most of each kind. */
const MOST_PAGES = 10;

export async function namedHands(summary: Summary): Promise<NamedHands> {
  const match = summary.match_id;
  const [big, decided, voided] = await Promise.all([
    all({ match, min_pot: String(leastOfBig(summary)) }),
    all({ match, tag: 'ai_decided' }),
    all({ match, tag: 'not_counted' }),
  ]);
  return { biggest: biggestOf(big), decided, voided };
}

/** The smaller of the biggest pots won and lost: what is below it need not be asked for. */
function leastOfBig({ biggest_pot_won, biggest_pot_lost }: Summary): number {
  const known = [biggest_pot_won, biggest_pot_lost].filter((pot) => pot > 0);
  return known.length > 0 ? Math.min(...known) : 1;
}

/** The biggest first; of hands with equal pots the earlier. */
export function biggestOf(hands: readonly HandRow[]): HandRow[] {
  const finished = hands.filter((hand) => hand.pot !== null);
  const order = (one: HandRow, other: HandRow): number =>
    (other.pot ?? 0) - (one.pot ?? 0) || one.hand_no - other.hand_no;
  return finished.sort(order).slice(0, POTS);
}

async function all(query: HandQuery): Promise<HandRow[]> {
  const found: HandRow[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const list = await api.hands({ ...query, limit: 100 }, cursor);
    found.push(...list.items);
    cursor = list.next_cursor;
    if (cursor === null) break;
  }
  return found;
}
