/** Snapshots and events in the gateway's shapes, with only what a test cares about spelled out. */
import type { EventType, Legal, Preset, RaiseRange, Snapshot, TableEvent } from '../src/lib/types';

export const YOU = 1;
export const RIVER = 2;

export function event<T extends EventType>(
  seq: number,
  type: T,
  data: Extract<TableEvent, { type: T }>['data'],
): TableEvent {
  return { seq, type, at: '2026-01-01T12:00:00Z', data } as unknown as TableEvent;
}

export function preset(
  id: string,
  label: string,
  amount: number | null,
  reason: string | null = null,
): Preset {
  return { id, label, kind: 'bb', amount, enabled: reason === null, reason };
}

export function range(over: Partial<RaiseRange> = {}): RaiseRange {
  return {
    kind: 'raise',
    min_to: 600,
    full_min_to: 600,
    max_to: 9700,
    step: 50,
    presets: [],
    ...over,
  };
}

export function legal(over: Partial<Legal> = {}): Legal {
  return {
    turn_token: 'turn-1',
    can_fold: true,
    can_check: false,
    to_call: 300,
    call_all_in: false,
    raise: range(),
    no_raise_reason: null,
    presets: [],
    ...over,
  };
}

export function snapshot(over: Partial<Snapshot> = {}): Snapshot {
  const seat = { bet: 0, folded: false, all_in: false, last_action: null };
  return {
    version: 1,
    server_time: '2026-01-01T12:00:00Z',
    table_id: 't_1',
    ruleset: { id: 'hu_river', small_blind: 50, big_blind: 100 },
    hand: {
      id: 'h_1',
      no: 1,
      street: 'preflop',
      board: [],
      pots: [],
      pot_total: 0,
      button: YOU,
      over: false,
      commit_root: null,
    },
    seats: [
      {
        ...seat,
        no: YOU,
        name: 'Otter',
        kind: 'human',
        tag: 'guest',
        pos: 'BTN/SB',
        stack: 10_000,
        cards: ['As', 'Kh'],
        you: true,
      },
      {
        ...seat,
        no: RIVER,
        name: 'River',
        kind: 'computer',
        tag: 'computer',
        pos: 'BB',
        stack: 10_000,
        cards: [null, null],
        you: false,
      },
    ],
    turn: null,
    legal: null,
    match: {
      id: 'm_1',
      state: 'in_hand',
      stack: 10_000,
      total_buy_in: 10_000,
      top_ups: [],
      result_chips: 0,
      result_bb: '0.0',
      hands: 0,
      kept_until: '2026-01-02T12:00:00Z',
      can_next_hand: false,
      can_top_up: false,
      top_up_to: 10_000,
      can_settle: false,
      next_commit_root: null,
    },
    log: [],
    ...over,
  };
}

/** Both all-in on the flop; you win with a flush. Uncalled chips go back first. */
export const ALL_IN_HAND: readonly TableEvent[] = [
  event(1, 'hand.started', {
    commit_root: null,
    hand_id: 'h_1',
    hand_no: 1,
    button: YOU,
    small_blind_seat: YOU,
    big_blind_seat: RIVER,
    stacks: [
      { seat: YOU, chips: 12_000 },
      { seat: RIVER, chips: 10_000 },
    ],
  }),
  event(2, 'blinds.posted', {
    posts: [
      { seat: YOU, chips: 50, all_in: false },
      { seat: RIVER, chips: 100, all_in: false },
    ],
  }),
  event(3, 'cards.dealt', {
    hands: [
      { seat: YOU, cards: ['As', 'Kh'] },
      { seat: RIVER, cards: [null, null] },
    ],
  }),
  event(4, 'turn.started', { seat: YOU }),
  event(5, 'action.taken', {
    seat: YOU,
    type: 'raise',
    to: 300,
    added: 250,
    all_in: false,
    auto: false,
  }),
  event(6, 'turn.started', { seat: RIVER }),
  event(7, 'action.taken', {
    seat: RIVER,
    type: 'call',
    to: 300,
    added: 200,
    all_in: false,
    auto: false,
  }),
  event(8, 'pots.updated', { pots: [{ chips: 600, eligible: [YOU, RIVER] }] }),
  event(9, 'street.dealt', { street: 'flop', cards: ['Qs', '7s', '2s'] }),
  event(10, 'turn.started', { seat: RIVER }),
  event(11, 'action.taken', {
    seat: RIVER,
    type: 'check',
    to: 0,
    added: 0,
    all_in: false,
    auto: false,
  }),
  event(12, 'turn.started', { seat: YOU }),
  event(13, 'action.taken', {
    seat: YOU,
    type: 'bet',
    to: 11_700,
    added: 11_700,
    all_in: true,
    auto: false,
  }),
  event(14, 'turn.started', { seat: RIVER }),
  event(15, 'action.taken', {
    seat: RIVER,
    type: 'call',
    to: 9700,
    added: 9700,
    all_in: true,
    auto: false,
  }),
  event(16, 'bet.returned', { seat: YOU, chips: 2000 }),
  event(17, 'pots.updated', { pots: [{ chips: 20_000, eligible: [YOU, RIVER] }] }),
  event(18, 'all_in.reveal', {
    hands: [
      { seat: YOU, cards: ['As', 'Kh'] },
      { seat: RIVER, cards: ['Qd', 'Qh'] },
    ],
  }),
  event(19, 'street.dealt', { street: 'turn', cards: ['3s'] }),
  event(20, 'street.dealt', { street: 'river', cards: ['9d'] }),
  event(21, 'showdown', {
    hands: [
      {
        seat: YOU,
        cards: ['As', 'Kh'],
        category: 'flush',
        name: 'Flush, ace high',
        best_five: ['As', 'Qs', '7s', '3s', '2s'],
      },
      {
        seat: RIVER,
        cards: ['Qd', 'Qh'],
        category: 'three_of_a_kind',
        name: 'Three queens',
        best_five: ['Qd', 'Qh', 'Qs', '9d', '7s'],
      },
    ],
  }),
  event(22, 'pot.awarded', { pot_no: 0, chips: 20_000, winners: [{ seat: YOU, chips: 20_000 }] }),
  event(23, 'hand.ended', {
    results: [
      { seat: YOU, put_in: 10_000, won: 20_000, net: 10_000, stack: 22_000 },
      { seat: RIVER, put_in: 10_000, won: 0, net: -10_000, stack: 0 },
    ],
  }),
];
