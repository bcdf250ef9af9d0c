/** A stored hand as pictures of the table. */
import { describe, expect, it } from 'vitest';

import { framesOf, jumpsOf, stopAt, told } from '../src/lib/frames';
import { beforeHand, reduce } from '../src/lib/reducer';
import type { HandRecord } from '../src/lib/types';
import { FOLDED_HAND, match, record } from './played';
import { ALL_IN_HAND, RIVER, YOU, event, snapshot } from './support';

const frames = framesOf(record(), match());
const how = { unit: 'chips', bigBlind: 100 } as const;
const riverCards = (at: number): unknown =>
  frames[at]?.view.seats.find((seat) => seat.no === RIVER)?.cards;

describe('the pictures of a hand', () => {
  it('end where live play ends', () => {
    const live = ALL_IN_HAND.reduce(reduce, beforeHand(snapshot()));
    const last = frames.at(-1)?.view;
    expect(last).toMatchObject({ over: true, board: live.board, results: live.results });
    expect(last?.seats.map((seat) => [seat.stack, seat.won])).toEqual(
      live.seats.map((seat) => [seat.stack, seat.won]),
    );
  });

  it('begin with the chips of that time, and no card', () => {
    const { view } = frames[0]!;
    expect(view.seats.map((seat) => [seat.stack, seat.bet, seat.cards])).toEqual([
      [12_000, 0, null],
      [10_000, 0, null],
    ]);
    expect(view.seats.map((seat) => seat.pos)).toEqual(['BTN/SB', 'BB']);
  });

  it('hide what was not shown until it was', () => {
    const reveal = frames.findIndex(({ events }) =>
      events.some((one) => one.type === 'all_in.reveal'),
    );
    expect(reveal).toBeGreaterThan(0);
    expect(riverCards(reveal - 1)).toEqual([null, null]);
    expect(riverCards(reveal)).toEqual(['Qd', 'Qh']);
  });

  it('never show what was never shown', () => {
    const folded = framesOf(record({}, FOLDED_HAND), match());
    const seen = folded.flatMap(({ view }) => view.seats.find((seat) => !seat.you)?.cards ?? []);
    expect(new Set(seen)).toEqual(new Set([null]));
  });

  it('have a step for what happened, not for whose turn it became', () => {
    const types = frames.map(({ events }) => events.map((one) => one.type));
    expect(types[2]).toEqual(['cards.dealt', 'turn.started']);
    expect(types).toContainEqual(['pots.updated', 'street.dealt', 'turn.started']);
    expect(types.at(-1)).toEqual(['pot.awarded', 'hand.ended']);
    expect(frames[2]?.view.turn).toBe(YOU);
  });

  it('leave out what happened after the hand', () => {
    const later = event(24, 'stack.topped_up', { seat: YOU, stack: 30_000, added: 8000 } as never);
    expect(framesOf(record({}, [...ALL_IN_HAND, later]), match())).toEqual(frames);
  });

  it('stop where a hand was called off, and where an open one is', () => {
    const voided = { seq: 9, type: 'hand.voided', at: '', data: {} } as unknown;
    const events = [...ALL_IN_HAND.slice(0, 7), voided] as HandRecord['events'];
    const called = framesOf(record({ state: 'void', events }), match());
    expect(called.at(-1)?.events.map((one) => one.type)).toEqual(['action.taken']);
    const open = framesOf(record({ state: 'open' }, ALL_IN_HAND.slice(0, 8)), match());
    expect(open.at(-1)?.view.potTotal).toBe(600);
  });

  it('are one empty table when nothing is known of the hand', () => {
    expect(framesOf(record({}, []), match())).toHaveLength(1);
  });
});

describe('jumps', () => {
  const jumps = jumpsOf(frames);

  it('lead to the streets that there were', () => {
    expect(jumps.map((jump) => jump.to)).toEqual([
      'preflop',
      'flop',
      'reveal',
      'turn',
      'river',
      'end',
    ]);
    const short = jumpsOf(framesOf(record({}, FOLDED_HAND), match()));
    expect(short.map((jump) => jump.to)).toEqual(['preflop', 'end']);
  });

  it('tell where in the hand one is', () => {
    const flop = jumps.find((jump) => jump.to === 'flop')!;
    expect(stopAt(jumps, flop.at - 1)).toBe('preflop');
    expect(stopAt(jumps, flop.at + 1)).toBe('flop');
    expect(stopAt(jumps, 0)).toBeNull();
  });
});

it('a picture is told as the hand log tells it', () => {
  const raise = frames.find(({ events }) => events.some((one) => one.seq === 5))!;
  expect(told(raise, how)).toBe('You raise to 300');
  expect(told(frames.at(-1)!, how)).toBe('You win 20,000');
  expect(told(frames[0]!, how)).toBe('');
  const turn = frames.find(({ events }) => events.some((one) => one.seq === 19))!;
  expect(told(turn, how)).toBe('Turn: 3♠');
  expect(told(turn, how, 'spoken')).toBe('Turn: three of spades');
});
