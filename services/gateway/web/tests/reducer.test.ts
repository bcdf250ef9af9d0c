import { describe, expect, it } from 'vitest';

import { highlight } from '../src/lib/highlight';
import { logLines, resultLine } from '../src/lib/log';
import { beforeHand, fromSnapshot, isKnown, reduce } from '../src/lib/reducer';
import type { View } from '../src/lib/reducer';
import type { TableEvent } from '../src/lib/types';
import { ALL_IN_HAND, RIVER, YOU, event, legal, snapshot } from './support';

const CHIPS = { unit: 'chips', bigBlind: 100 } as const;

function after(seq: number): View {
  const start = beforeHand(snapshot());
  return ALL_IN_HAND.filter((one) => one.seq <= seq).reduce(reduce, start);
}

const seat = (view: View, no: number): View['seats'][number] => {
  const found = view.seats.find((one) => one.no === no);
  if (!found) throw new Error(`no seat ${no}`);
  return found;
};

/** Chips in stacks, bets and pots: the events only move them. */
const onTable = (view: View): number =>
  view.seats.reduce((total, one) => total + one.stack + one.bet, 0) +
  view.pots.reduce((total, pot) => total + pot.chips, 0);

describe('the events of a hand', () => {
  it('move chips from stacks to bets to pots to the winner, and lose none on the way', () => {
    for (const { seq } of ALL_IN_HAND) expect(onTable(after(seq))).toBe(22_000);
  });

  it('post blinds and deal own cards face up, the other hand face down', () => {
    const view = after(4);
    expect([seat(view, YOU).bet, seat(view, RIVER).bet, view.potTotal]).toEqual([50, 100, 150]);
    expect(seat(view, YOU).cards).toEqual(['As', 'Kh']);
    expect(seat(view, RIVER).cards).toEqual([null, null]);
    expect(view.turn).toBe(YOU);
  });

  it('keep the last action on a seat until its next one, across streets', () => {
    expect(seat(after(10), YOU).last_action).toMatchObject({ type: 'raise', to: 300 });
    expect(seat(after(11), RIVER).last_action).toMatchObject({ type: 'check' });
  });

  it('collect bets into the pot when the round closes', () => {
    const view = after(8);
    expect(view.seats.map((one) => one.bet)).toEqual([0, 0]);
    expect([view.potTotal, view.pots.length]).toEqual([600, 1]);
  });

  it('return the uncalled part before the hands are turned up, then deal street by street', () => {
    const revealed = after(18);
    expect(seat(revealed, YOU).stack).toBe(2000);
    expect(revealed.runOut).toBe(true);
    expect(seat(revealed, RIVER).cards).toEqual(['Qd', 'Qh']);
    expect(revealed.board).toHaveLength(3);
    expect(after(20).board).toHaveLength(5);
  });

  it('lift the winning five at the end and say who won what', () => {
    const view = after(23);
    expect(view.over).toBe(true);
    expect([...highlight(view).lifted].sort()).toEqual(['2s', '3s', '7s', 'As', 'Qs']);
    expect(resultLine(view, CHIPS)).toBe(
      'You win 20,000 with a flush, ace high — uncalled 2,000 returned',
    );
  });

  it('change nothing when they come twice', () => {
    const view = after(13);
    expect(ALL_IN_HAND.slice(0, 13).reduce(reduce, view)).toBe(view);
  });

  it('start the next hand from a clean table', () => {
    const next = reduce(
      after(23),
      event(24, 'hand.started', {
        commit_root: null,
        hand_id: 'h_2',
        hand_no: 2,
        button: RIVER,
        small_blind_seat: RIVER,
        big_blind_seat: YOU,
        stacks: [
          { seat: YOU, chips: 22_000 },
          { seat: RIVER, chips: 10_000 },
        ],
      }),
    );
    expect(next).toMatchObject({ handNo: 2, board: [], awards: [], over: false, runOut: false });
    // The deck that was announced is dealt; of the one after it only a snapshot tells.
    expect(next.match.next_commit_root).toBeNull();
    expect(next.log).toHaveLength(1);
    expect(next.seats.map((one) => [one.cards, one.won, one.pos])).toEqual([
      [null, 0, 'BB'],
      [null, 0, 'BTN/SB'],
    ]);
  });

  it('of a type this client does not know are passed over', () => {
    const strange = { seq: 30, type: 'rating.changed', at: '', data: {} };
    expect(isKnown(strange)).toBe(false);
    const view = after(4);
    expect(reduce(view, strange as unknown as TableEvent)).toBe(view);
  });
});

describe('a snapshot', () => {
  it('states the table as the server has it, whatever the log adds up to', () => {
    const odd = snapshot({
      match: { ...snapshot().match, next_commit_root: 'ab'.repeat(32) },
      hand: {
        id: 'h_1',
        no: 1,
        street: 'flop',
        board: ['Qs', '7s', '2s'],
        pots: [{ chips: 617, eligible: [1, 2] }],
        pot_total: 617,
        button: YOU,
        over: false,
        commit_root: null,
      },
      turn: { seat: YOU },
      legal: legal({ to_call: 0, can_check: true }),
      log: ALL_IN_HAND.slice(0, 12),
    });
    const view = fromSnapshot(odd);
    expect(view.potTotal).toBe(617);
    expect(view.legal?.turn_token).toBe('turn-1');
    expect(view.lastSeq).toBe(12);
    expect(seat(view, YOU).stack).toBe(10_000);
    expect(view.match.next_commit_root).toBe('ab'.repeat(32));
  });

  it('of a finished hand shows what its events told: hands, awards, the result', () => {
    const view = fromSnapshot(
      snapshot({
        hand: {
          id: 'h_1',
          no: 1,
          street: 'river',
          board: ['Qs', '7s', '2s', '3s', '9d'],
          pots: [],
          pot_total: 0,
          button: YOU,
          over: true,
          commit_root: null,
        },
        log: [...ALL_IN_HAND],
      }),
    );
    expect(seat(view, YOU).shown?.name).toBe('Flush, ace high');
    expect(view.awards).toHaveLength(1);
    expect(resultLine(view, CHIPS)).toContain('You win 20,000');
  });
});

describe('the hand log', () => {
  it('reads like a person telling the hand', () => {
    const lines = logLines(after(23), CHIPS).map((line) => line.text);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Hand 1',
        'You post the small blind, 50',
        'You hold A♠ K♥',
        'You raise to 300',
        'River calls 200',
        'Flop: Q♠ 7♠ 2♠',
        'River checks',
        'You bet 11,700, all-in',
        'Uncalled 2,000 back to you',
        'River shows Q♦ Q♥',
        'You: flush, ace high (A♠ K♥)',
        'You win 20,000',
      ]),
    );
  });

  it('names pots apart only when there are several', () => {
    const start = reduce(
      after(16),
      event(17, 'pots.updated', {
        pots: [
          { chips: 600, eligible: [1, 2] },
          { chips: 400, eligible: [1] },
        ],
      }),
    );
    const view = reduce(
      start,
      event(18, 'pot.awarded', { pot_no: 1, chips: 400, winners: [{ seat: YOU, chips: 400 }] }),
    );
    expect(logLines(view, CHIPS).at(-1)?.text).toBe('You win 400 from the side pot 1');
  });
});

describe('the result line', () => {
  const ended = (winners: { seat: number; chips: number }[]): View => {
    const pot = reduce(after(21), event(22, 'pot.awarded', { pot_no: 0, chips: 20_000, winners }));
    return reduce(pot, { ...ALL_IN_HAND[22], seq: 23 } as TableEvent);
  };

  it('names the opponent and the hand that won', () => {
    expect(resultLine(ended([{ seat: RIVER, chips: 20_000 }]), CHIPS)).toMatch(
      /^River wins 20,000 with three queens/,
    );
  });

  it('says that side cards decided when both hands have one name', () => {
    const view = ended([{ seat: YOU, chips: 20_000 }]);
    const alike = view.seats.map((seat) =>
      seat.shown ? { ...seat, shown: { ...seat.shown, name: 'Pair of kings' } } : seat,
    );
    expect(resultLine({ ...view, seats: alike }, CHIPS)).toMatch(
      /^You win 20,000 with a pair of kings, better kicker/,
    );
    expect(resultLine(view, CHIPS)).not.toContain('kicker');
  });

  it('says what each gets of a split pot', () => {
    const even = ended([
      { seat: YOU, chips: 10_000 },
      { seat: RIVER, chips: 10_000 },
    ]);
    expect(resultLine(even, CHIPS)).toMatch(/^Split pot: 10,000 each way/);
    expect(resultLine(even, { unit: 'bb', bigBlind: 100 })).toMatch(/^Split pot: 100 BB each way/);
  });

  it('is empty while the hand goes on', () => {
    expect(resultLine(after(12), CHIPS)).toBe('');
  });
});
