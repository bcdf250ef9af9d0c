/** The hands before and after one in its match. */
import { api } from './api';
import type { HandRecord, HandRow } from './types';

export interface Neighbours {
  readonly before: string | null;
  readonly after: string | null;
}

/** Pages that are gone through at most on the way from the newest hand down to this one. */
const MOST_PAGES = 10;

export async function neighboursOf(record: HandRecord): Promise<Neighbours> {
  const [before, after] = await Promise.all([handBefore(record), handAfter(record)]);
  return { before, after };
}

async function handBefore({ match_id, started_at }: HandRecord): Promise<string | null> {
  const { items } = await api.hands({ match: match_id, to: started_at, limit: 1 });
  return items[0]?.hand_id ?? null;
}

/** Lists are newest first: what stands above this hand is the next one. */
async function handAfter({ hand_id, match_id, started_at }: HandRecord): Promise<string | null> {
  let above: HandRow | null = null;
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const list = await api.hands({ match: match_id, from: started_at, limit: 100 }, cursor);
    for (const hand of list.items) {
      if (hand.hand_id === hand_id) return above?.hand_id ?? null;
      above = hand;
    }
    cursor = list.next_cursor;
    if (cursor === null) return null;
  }
  return null;
}
