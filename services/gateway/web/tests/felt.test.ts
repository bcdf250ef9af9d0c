import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import Felt from '../src/components/Felt.svelte';
import { Flights } from '../src/lib/flights.svelte';
import { handNameOf } from '../src/lib/handname';
import { beforeHand, reduce } from '../src/lib/reducer';
import type { View } from '../src/lib/reducer';
import { DEFAULTS, adopt } from '../src/lib/settings.svelte';
import type { TableEvent } from '../src/lib/types';
import { ALL_IN_HAND, RIVER, YOU, event, snapshot } from './support';

const STAGED = {
  money: { unit: 'chips', bigBlind: 100 },
  animating: false,
  speed: 1,
  sending: null,
} as const;

const played = (events: readonly TableEvent[]): View =>
  events.reduce(reduce, beforeHand(snapshot()));
const at = (seq: number): View => played(ALL_IN_HAND.slice(0, seq));

let page: Record<string, unknown> | null = null;

async function clear(): Promise<void> {
  if (page) await unmount(page);
  page = null;
  document.body.innerHTML = '';
}

async function show(
  view: View,
  more: { shares?: ReadonlyMap<number, number>; handName?: string; seen?: View } = {},
): Promise<void> {
  await clear();
  const props = { table: STAGED, view, flights: new Flights(), ...more };
  page = mount(Felt, { target: document.body, props });
  flushSync();
}

const words = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map((one) =>
    one.textContent.replaceAll('\u2011', '-').replaceAll(/\s+/g, ' ').trim(),
  );
const cards = (testid: string, state = ''): (string | null)[] =>
  [...document.querySelectorAll(`[data-testid="${testid}"]${state}`)].map((one) =>
    one.getAttribute('data-card'),
  );

beforeEach(() => adopt({ ...DEFAULTS }));
afterEach(clear);

describe('a hand on the felt', () => {
  it('keeps what each seat did last, with the amount, until it acts again', async () => {
    await show(at(7));
    expect(words('.said')).toEqual(['Calls 200', 'Raise to 300']);
    await show(at(10));
    expect(words('.said')).toEqual(['Calls 200', 'Raise to 300']);
    await show(at(11));
    expect(words('.said')).toEqual(['Checks', 'Raise to 300']);
  });

  it('says what is in the pot and what was bet in this round', async () => {
    await show(at(13));
    expect(words('[data-testid="pot"]')).toEqual(['Pot 12,300 (600 + 11,700)']);
  });

  it('turns the hands up before the rest of the board, and keeps River’s down until then', async () => {
    await show(at(17));
    expect([cards('opponent-card'), cards('board-card')]).toEqual([
      ['', ''],
      ['Qs', '7s', '2s'],
    ]);
    await show(at(18));
    expect([cards('opponent-card'), cards('board-card')]).toEqual([
      ['Qd', 'Qh'],
      ['Qs', '7s', '2s'],
    ]);
    await show(at(19));
    expect(cards('board-card')).toEqual(['Qs', '7s', '2s', '3s']);
  });

  it('shows percentages beside the hands when there are some', async () => {
    await show(at(18));
    expect(words('[data-testid$="-chance"]')).toEqual([]);
    const shares = new Map([
      [YOU, 0.2768],
      [RIVER, 0.7232],
    ]);
    await show(at(18), { shares });
    expect(words('[data-testid="own-chance"]')).toEqual(['28%28% of the pot on average']);
    expect(words('[data-testid="opponent-chance"]')).toEqual(['72%72% of the pot on average']);
  });

  it('names no hand before its cards can be seen', async () => {
    await show(at(21), { seen: at(20) });
    expect(words('.hand')).toEqual([]);
    await show(at(21), { seen: at(21) });
    expect(words('.hand')).toHaveLength(2);
  });

  it('lifts the winning five, dims every other card, and says who got the pot', async () => {
    await show(at(23));
    expect(cards('own-card', '.lifted')).toEqual(['As']);
    expect(cards('board-card', '.lifted')).toEqual(['Qs', '7s', '2s', '3s']);
    expect(cards('own-card', '.dimmed')).toEqual(['Kh']);
    expect(cards('opponent-card', '.dimmed')).toEqual(['Qd', 'Qh']);
    expect(cards('board-card', '.dimmed')).toEqual(['9d']);
    expect(words('[data-testid="pot-awards"]')).toEqual(['Pot 20,000 · You']);
  });

  it('names each pot when there are several', async () => {
    const three = snapshot();
    const [you, river] = three.seats;
    const third = { ...river, no: 3, name: 'Teal', pos: 'UTG' } as NonNullable<typeof river>;
    const pots = [
      { chips: 900, eligible: [YOU, RIVER, 3] },
      { chips: 400, eligible: [YOU, RIVER] },
    ];
    const begin = beforeHand({ ...three, seats: [you, river, third] as typeof three.seats });
    const closed = reduce(begin, event(1, 'pots.updated', { pots }));
    await show(closed);
    expect(words('[data-testid="pot"]')).toEqual(['Pot 1,300 Main pot 900Side pot 1 400']);
    const over = [
      event(2, 'pot.awarded', {
        pot_no: 0,
        chips: 900,
        winners: [
          { seat: YOU, chips: 450 },
          { seat: 3, chips: 450 },
        ],
      }),
      event(3, 'pot.awarded', { pot_no: 1, chips: 400, winners: [{ seat: RIVER, chips: 400 }] }),
    ].reduce(reduce, closed);
    await show(over);
    expect(words('[data-testid="pot-awards"] > *')).toEqual([
      'Main pot 900 · You + Teal',
      'Side pot 1 400 · River',
    ]);
  });
});

describe('the name of your own hand', () => {
  it.each([
    [['As', 'Kh'], 'High card, ace'],
    [['6s', '6h'], 'Pair of sixes'],
    [['As', 'Kh', 'Qs', '7s', '2s', 'Ad', 'Kd'], 'Two pair, aces and kings'],
    [['As', 'Kh', 'Qs', '7s', '2s', '3s'], 'Flush, ace high'],
    [['As', 'Ks', 'Qs', 'Js', 'Ts'], 'Royal flush'],
    [['2s', '2h', '2d', '3c', '3d'], 'Full house, deuces full of threes'],
  ])('%s: %s', (held, name) => {
    expect(handNameOf(held)).toBe(name);
  });

  it('stands at your seat until the hand is shown', async () => {
    await show(at(9), { handName: 'High card, ace' });
    expect(words('[data-testid="own-hand"]')).toEqual(['High card, ace']);
    await show(at(23), { handName: 'High card, ace' });
    expect(words('[data-testid="own-hand"]')).toEqual([]);
  });
});
