/** Hands and matches that were played, in the gateway's shapes. */
import { flushSync, mount, unmount } from 'svelte';
import type { Component } from 'svelte';
import { vi } from 'vitest';

import type { HandRecord, HandRow, MatchInfo, Summary, TableEvent } from '../src/lib/types';
import { ALL_IN_HAND, RIVER, YOU, event, snapshot } from './support';

export const AT = '2026-11-30T12:00:00.000Z';

/** The record of a hand; both seats had so many chips as its first event says. */
export function record(over: Partial<HandRecord> = {}, events = ALL_IN_HAND): HandRecord {
  return {
    hand_id: 'h_1',
    match_id: 'm_1',
    table_id: 't_1',
    hand_no: 1,
    state: 'finished',
    ruleset: {
      id: 'hu_river',
      hash: '0'.repeat(64),
      small_blind: 50,
      big_blind: 100,
      burn_cards: true,
    },
    button: YOU,
    seats: [
      { no: YOU, name: 'Otter', kind: 'human', stack: 12_000, you: true },
      { no: RIVER, name: 'River', kind: 'computer', stack: 10_000, you: false },
    ],
    started_at: AT,
    ended_at: AT,
    tags: [],
    events: events as HandRecord['events'],
    ...over,
  };
}

/** A hand that River folds at once: its cards are never shown. */
export const FOLDED_HAND: readonly TableEvent[] = [
  ...ALL_IN_HAND.slice(0, 6),
  event(7, 'action.taken', {
    seat: RIVER,
    type: 'fold',
    to: 100,
    added: 0,
    all_in: false,
    auto: false,
  }),
  event(8, 'bet.returned', { seat: YOU, chips: 200 }),
  event(9, 'pots.updated', { pots: [{ chips: 200, eligible: [YOU] }] }),
  event(10, 'pot.awarded', { pot_no: 0, chips: 200, winners: [{ seat: YOU, chips: 200 }] }),
  event(11, 'hand.ended', {
    results: [
      { seat: YOU, put_in: 100, won: 200, net: 100, stack: 12_100 },
      { seat: RIVER, put_in: 100, won: 0, net: -100, stack: 9900 },
    ],
  }),
];

export const match = (over: Partial<MatchInfo> = {}): MatchInfo => ({
  ...snapshot().match,
  table_id: 't_1',
  ruleset: 'hu_river',
  buy_in: 10_000,
  started_at: AT,
  settled_at: null,
  next_commit_root: null,
  ...over,
});

export function row(no: number, over: Partial<HandRow> = {}): HandRow {
  return {
    hand_id: `h_${no}`,
    match_id: 'm_1',
    hand_no: no,
    state: 'finished',
    pos: 'BB',
    cards: ['As', 'Kh'],
    board: ['Qs', '7s', '2s'],
    pot: 200 * no,
    net_chips: 100,
    net_bb: '+1.0',
    tags: [],
    started_at: AT,
    ended_at: AT,
    ...over,
  };
}

export const summary = (over: Partial<Summary> = {}): Summary => ({
  match_id: 'm_1',
  hands: 37,
  net_chips: 1250,
  net_bb: '+12.5',
  bb_per_100: '+33.78',
  buy_in: 10_000,
  top_ups: { count: 2, chips: 3000 },
  final_stack: 14_250,
  biggest_pot_won: 2000,
  biggest_pot_lost: 1500,
  ai_decided: 1,
  duration_seconds: 3720,
  reason: 'settled',
  ...over,
});

export const standing = (hands: number): object => ({
  row: {
    rank: null,
    name: 'Otter',
    kind: 'guest',
    bb_per_100: '+4.20',
    hands,
    net_chips: 1466,
    net_bb: '+14.66',
    margin_95: '12.30',
    ai_decided_hands: 1,
    ai_decided_percent: '0.3',
    void_hands: 2,
    last_played: AT,
    you: true,
  },
  hands_to_rank: 500 - hands,
  ranked_hands: 500,
  next_rank: null,
});

/** Waits until what is expected holds, however slow the machine is. */
export const soon = <T>(expected: () => T): Promise<T> =>
  vi.waitFor(expected, { timeout: 30_000, interval: 10 });

/** A page of tests: what is mounted, what is on it, and how it goes away. */
export class Stage {
  private readonly mounted: Record<string, unknown>[] = [];

  show<P extends Record<string, unknown>>(what: Component<P>, props: P): void {
    this.mounted.push(mount(what, { target: document.body, props }));
    flushSync();
  }

  async clear(): Promise<void> {
    await Promise.all(this.mounted.splice(0).map((one) => unmount(one)));
    document.body.innerHTML = '';
  }

  all(testid: string): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>(`[data-testid="${testid}"]`)];
  }

  find(testid: string): HTMLElement {
    const [element] = this.all(testid);
    if (!element) throw new Error(`no ${testid}`);
    return element;
  }

  text(testid: string): string {
    return this.find(testid).textContent.replaceAll(/\s+/g, ' ').trim();
  }

  press(testid: string): void {
    this.find(testid).click();
    flushSync();
  }

  /** Chooses in a list, or sets a field, as a person does. */
  choose(testid: string, value: string, kind: 'change' | 'input' = 'change'): void {
    const field = this.find(testid) as HTMLInputElement | HTMLSelectElement;
    field.value = value;
    field.dispatchEvent(new Event(kind, { bubbles: true }));
    flushSync();
  }
}
