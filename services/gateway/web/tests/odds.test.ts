import { describe, expect, it } from 'vitest';

import { equityOf } from '../src/lib/equity';
import { Odds, percentText } from '../src/lib/odds.svelte';
import type { Question, Reply } from '../src/lib/odds.svelte';
import { beforeHand, reduce } from '../src/lib/reducer';
import type { View } from '../src/lib/reducer';
import { ALL_IN_HAND, RIVER, YOU, snapshot } from './support';

const at = (seq: number): View => ALL_IN_HAND.slice(0, seq).reduce(reduce, beforeHand(snapshot()));

function odds(): {
  odds: Odds;
  asked: Question[];
  answer: (no: number) => void;
  stopped: number[];
} {
  const asked: Question[] = [];
  const stopped: number[] = [];
  let tell: (reply: Reply) => void = () => undefined;
  const made = new Odds((told) => {
    tell = told;
    return { ask: (question) => asked.push(question), stop: () => stopped.push(1) };
  });
  const answer = (no: number): void => {
    const { id, hands, board } = asked[no] as Question;
    tell({ id, shares: equityOf(hands, board).shares });
  };
  return { odds: made, asked, answer, stopped };
}

const shown = (one: Odds, view: View): string[] =>
  [YOU, RIVER].map((seat) => percentText(one.of(view).get(seat) ?? Number.NaN));

describe('percentages beside the hands', () => {
  it('are not there before the hands are turned up', () => {
    const { odds: one, asked } = odds();
    for (let seq = 1; seq < 18; seq += 1) one.ask(at(seq));
    expect([asked, one.of(at(17)).size]).toEqual([[], 0]);
  });

  it('follow the board, and go when the pot is awarded', () => {
    const { odds: one, asked, answer } = odds();
    one.ask(at(18));
    one.ask(at(18));
    expect(asked).toMatchObject([
      {
        hands: [
          ['As', 'Kh'],
          ['Qd', 'Qh'],
        ],
        board: ['Qs', '7s', '2s'],
      },
    ]);
    answer(0);
    expect(shown(one, at(18))).toEqual(['28%', '72%']);
    one.ask(at(19));
    answer(1);
    expect(shown(one, at(19))).toEqual(['77%', '23%']);
    one.ask(at(20));
    answer(2);
    expect(shown(one, at(20))).toEqual(['100%', '0%']);
    expect(one.of(at(22)).size).toBe(0);
  });

  it('stay those of the board that can be seen, while the next is counted ahead', () => {
    const { odds: one, answer } = odds();
    one.ask(at(18));
    one.ask(at(19));
    answer(0);
    answer(1);
    expect(shown(one, at(18))).toEqual(['28%', '72%']);
    expect(shown(one, at(19))).toEqual(['77%', '23%']);
  });

  it('are forgotten with their hand', () => {
    const { odds: one, answer } = odds();
    one.ask(at(18));
    one.ask(at(22));
    answer(0);
    expect(one.of(at(18)).size).toBe(0);
  });

  it('of a board that was there before come too late', () => {
    const { odds: one, answer } = odds();
    one.ask(at(18));
    one.ask(at(19));
    answer(0);
    expect(one.of(at(19)).size).toBe(0);
    answer(1);
    expect(shown(one, at(19))).toEqual(['77%', '23%']);
  });

  it('count nothing when they are not wanted, and stop counting at the end', () => {
    const { odds: one, asked, stopped } = odds();
    one.ask(null);
    one.close();
    expect([asked, stopped]).toEqual([[], []]);
    one.ask(at(18));
    one.close();
    expect(stopped).toEqual([1]);
  });

  it('say that a thing is certain only when it is', () => {
    expect([0, 0.001, 0.004, 0.5, 0.996, 0.9999, 1].map(percentText)).toEqual([
      '0%',
      '<1%',
      '<1%',
      '50%',
      '>99%',
      '>99%',
      '100%',
    ]);
  });
});
