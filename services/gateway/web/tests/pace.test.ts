import { describe, expect, it } from 'vitest';

import {
  DEAL_STEP_MS,
  LAND_MS,
  OPPONENT_ACTION_MS,
  Pacer,
  RUN_OUT_STREET_MS,
  landing,
  pauseBefore,
} from '../src/lib/pace';
import { beforeHand, reduce } from '../src/lib/reducer';
import type { View } from '../src/lib/reducer';
import { FIRST_REPEAT_MS, NEXT_REPEAT_MS, Repeater } from '../src/lib/repeat';
import type { TableEvent } from '../src/lib/types';
import { FakeClock } from './clock';
import { FOLDED_HAND } from './played';
import { ALL_IN_HAND, snapshot } from './support';

const at = (seq: number): View => ALL_IN_HAND.slice(0, seq).reduce(reduce, beforeHand(snapshot()));

const nth = (seq: number): TableEvent => ALL_IN_HAND[seq - 1] as TableEvent;

function stage(speed = 1) {
  const clock = new FakeClock();
  const shown: { seq: number; at: number; instant: boolean }[] = [];
  const ends: boolean[] = [];
  let view = beforeHand(snapshot());
  const pacer = new Pacer(
    {
      view: () => view,
      show: (event, instant) => {
        view = reduce(view, event);
        shown.push({ seq: event.seq, at: clock.now, instant });
      },
      done: (skipped) => ends.push(skipped),
    },
    () => speed,
    clock,
  );
  return { clock, shown, ends, pacer };
}

describe('pauses', () => {
  it('give an opponent’s action 0.6 s and your own none', () => {
    expect(pauseBefore(nth(5), at(4))).toBe(0);
    expect(pauseBefore(nth(7), at(6))).toBe(OPPONENT_ACTION_MS);
  });

  it('put 0.9 s between the streets of a run-out', () => {
    expect(pauseBefore(nth(19), at(18))).toBe(RUN_OUT_STREET_MS);
    expect(pauseBefore(nth(20), at(19))).toBe(RUN_OUT_STREET_MS);
  });
});

describe('cards', () => {
  it('lie there before the bar lights up, and before the next street', () => {
    const dealt = ALL_IN_HAND.filter((one) => landing(one) > 0);
    expect(dealt.map(landing)).toEqual([
      LAND_MS + 3 * DEAL_STEP_MS,
      LAND_MS + 2 * DEAL_STEP_MS,
      LAND_MS,
      LAND_MS,
      LAND_MS,
      LAND_MS,
    ]);
    expect(Math.max(...dealt.map(landing))).toBeLessThan(RUN_OUT_STREET_MS);
    const turns = ALL_IN_HAND.filter((one) => one.type === 'turn.started');
    for (const turn of turns) {
      const before = nth(turn.seq - 1);
      expect(pauseBefore(turn, at(before.seq))).toBeGreaterThanOrEqual(landing(before));
    }
  });
});

describe('the end of a hand', () => {
  it('is told within half a second where everybody else folded', () => {
    const { clock, ends, pacer } = stage();
    const fold = FOLDED_HAND.findLastIndex((one) => one.type === 'action.taken');
    pacer.play(FOLDED_HAND.slice(0, fold + 1));
    clock.advance(60_000);
    pacer.play(FOLDED_HAND.slice(fold + 1));
    expect(pacer.ending).toBe(true);
    clock.advance(500);
    expect([ends.length, pacer.ending]).toEqual([2, false]);
  });

  it('comes no sooner than the hands can be read where they are shown', () => {
    expect(pauseBefore(nth(22), at(21))).toBeGreaterThan(LAND_MS);
  });
});

describe('playing events', () => {
  it('shows them in order, one at a time, hole cards before the run-out', () => {
    const { clock, shown, ends, pacer } = stage();
    pacer.play(ALL_IN_HAND);
    clock.advance(60_000);
    expect(shown.map((one) => one.seq)).toEqual(ALL_IN_HAND.map((one) => one.seq));
    const when = (seq: number): number => shown[seq - 1]?.at ?? Number.NaN;
    expect(when(20) - when(19)).toBe(RUN_OUT_STREET_MS);
    expect(when(18)).toBeLessThan(when(19));
    expect(ends).toEqual([false]);
    expect(pacer.busy).toBe(false);
  });

  it('shows what needs no pause at once', () => {
    const { shown, pacer } = stage();
    pacer.play(ALL_IN_HAND);
    expect(shown.map((one) => one.seq)).toEqual([1, 2]);
  });

  it('shows the rest at once on Skip', () => {
    const { clock, shown, ends, pacer } = stage();
    pacer.play(ALL_IN_HAND);
    clock.advance(1000);
    pacer.skip();
    expect(shown).toHaveLength(ALL_IN_HAND.length);
    expect(shown.at(-1)?.instant).toBe(true);
    expect(ends).toEqual([true]);
    expect(clock.pending).toBe(0);
  });

  it('is twice as fast at speed 2 and immediate at speed 0', () => {
    const fast = stage(2);
    fast.pacer.play(ALL_IN_HAND);
    fast.clock.advance(60_000);
    const normal = stage(1);
    normal.pacer.play(ALL_IN_HAND);
    normal.clock.advance(60_000);
    expect((normal.shown.at(-1)?.at ?? 0) / (fast.shown.at(-1)?.at ?? 1)).toBe(2);
    const off = stage(0);
    off.pacer.play(ALL_IN_HAND);
    expect(off.ends).toEqual([false]);
  });

  it('finishes what was being shown when more arrives', () => {
    const { shown, pacer } = stage();
    pacer.play(ALL_IN_HAND.slice(0, 10));
    pacer.play(ALL_IN_HAND.slice(10));
    expect(shown.slice(0, 10).map((one) => one.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe('holding a step button', () => {
  it('steps at once, again after 400 ms, then every 80 ms, and stops when let go', () => {
    const clock = new FakeClock();
    const steps: number[] = [];
    const repeater = new Repeater(() => steps.push(clock.now) > 0, clock);
    repeater.press();
    clock.advance(FIRST_REPEAT_MS + 2 * NEXT_REPEAT_MS);
    expect(steps).toEqual([0, 400, 480, 560]);
    repeater.release();
    clock.advance(1000);
    expect(steps).toHaveLength(4);
  });

  it('stops at the end of the range', () => {
    const clock = new FakeClock();
    let left = 3;
    const repeater = new Repeater(() => (left -= 1) > 0, clock);
    repeater.press();
    clock.advance(5000);
    expect([left, clock.pending]).toEqual([0, 0]);
  });
});
