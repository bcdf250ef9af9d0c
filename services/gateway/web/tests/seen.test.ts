import { describe, expect, it } from 'vitest';

import { LAND_MS } from '../src/lib/pace';
import { beforeHand, reduce } from '../src/lib/reducer';
import type { View } from '../src/lib/reducer';
import { Seen } from '../src/lib/seen.svelte';
import { FakeClock } from './clock';
import { ALL_IN_HAND, snapshot } from './support';

const at = (seq: number): View => ALL_IN_HAND.slice(0, seq).reduce(reduce, beforeHand(snapshot()));

/** A table on which the hands of an all-in are about to be turned up. */
function seen() {
  const clock = new FakeClock();
  const one = new Seen(clock);
  one.follow(at(17), 1);
  return { clock, seen: one };
}

describe('what can be seen', () => {
  it('is new cards only when they lie there', () => {
    const { clock, seen: one } = seen();
    one.follow(at(18), 1);
    clock.advance(LAND_MS - 1);
    expect(one.view?.lastSeq).toBe(17);
    clock.advance(1);
    expect(one.view?.lastSeq).toBe(18);
  });

  it('is all else at once, but not past cards that are on their way', () => {
    const { clock, seen: one } = seen();
    one.follow(at(22), 1);
    expect(one.view?.lastSeq).toBe(17);
    one.follow(at(23), 1);
    expect(one.view?.lastSeq).toBe(17);
    clock.advance(LAND_MS);
    expect(one.view?.lastSeq).toBe(23);
    one.follow({ ...at(23), version: 99 }, 1);
    expect(one.view?.version).toBe(99);
  });

  it('comes as fast as the motion, and at once without any', () => {
    const { clock, seen: one } = seen();
    one.follow(at(18), 2);
    clock.advance(LAND_MS / 2);
    expect(one.view?.lastSeq).toBe(18);
    one.follow(at(19), 1);
    one.follow(at(20), 0);
    expect([one.view?.lastSeq, clock.pending]).toEqual([20, 0]);
  });

  it('is another hand at once', () => {
    const { clock, seen: one } = seen();
    one.follow(at(18), 1);
    one.follow({ ...at(2), handId: 'h_2' }, 1);
    expect([one.view?.handId, clock.pending]).toEqual(['h_2', 0]);
  });

  it('is nothing any more once it is closed', () => {
    const { clock, seen: one } = seen();
    one.follow(at(18), 1);
    one.close();
    expect(clock.pending).toBe(0);
  });
});
