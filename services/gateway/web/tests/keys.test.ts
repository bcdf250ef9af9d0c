import { describe, expect, it } from 'vitest';

import { legsOf } from '../src/lib/flights.svelte';
import { commandFor } from '../src/lib/keys';
import { beforeHand, reduce } from '../src/lib/reducer';
import { parseRoute } from '../src/lib/router.svelte';
import { DEFAULTS, parsePreferences } from '../src/lib/settings.svelte';
import { ALL_IN_HAND, snapshot } from './support';

const press = (
  key: string,
  over: Partial<KeyboardEvent> = {},
): Parameters<typeof commandFor>[0] => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  target: document.body,
  defaultPrevented: false,
  ...over,
});

describe('the keyboard map', () => {
  it.each([
    ['f', { do: 'fold' }],
    ['C', { do: 'passive' }],
    ['r', { do: 'raise' }],
    ['a', { do: 'all_in' }],
    ['s', { do: 'skip' }],
    ['n', { do: 'next_hand' }],
    ['t', { do: 'top_up' }],
    ['l', { do: 'settle' }],
    ['?', { do: 'help' }],
    ['1', { do: 'shortcut', index: 0 }],
    ['9', { do: 'shortcut', index: 8 }],
    ['0', { do: 'shortcut', index: 9 }],
    ['ArrowLeft', { do: 'step', steps: -1 }],
    ['ArrowRight', { do: 'step', steps: 1 }],
  ])('%s', (key, command) => {
    expect(commandFor(press(key))).toEqual(command);
  });

  it('is silent with a modifier, while typing, and for other keys', () => {
    expect(commandFor(press('r', { ctrlKey: true }))).toBeNull();
    expect(commandFor(press('f', { target: document.createElement('input') }))).toBeNull();
    expect(commandFor(press('x'))).toBeNull();
  });

  it('repeats amount steps while a key is held, but never an action', () => {
    expect(commandFor(press('ArrowRight', { repeat: true }))).not.toBeNull();
    expect(commandFor(press('c', { repeat: true }))).toBeNull();
  });
});

describe('addresses', () => {
  it.each([
    ['/', { name: 'lobby' }],
    ['/table/t_1', { name: 'table', id: 't_1' }],
    ['/match/m%201', { name: 'summary', id: 'm 1' }],
    ['/leaderboard', { name: 'leaderboard' }],
    ['/help/', { name: 'help' }],
    ['/table', { name: 'missing' }],
    ['/table/a/b', { name: 'missing' }],
    ['/match/%', { name: 'summary', id: '%' }],
  ])('%s', (path, route) => {
    expect(parseRoute(path)).toEqual(route);
  });
});

it('reads only sound preferences and falls back field by field', () => {
  const defaults = DEFAULTS;
  expect(parsePreferences(null)).toEqual(defaults);
  expect(parsePreferences('not json')).toEqual(defaults);
  expect(parsePreferences('null')).toEqual(defaults);
  expect(parsePreferences('{"unit":"bb","speed":7,"keys":"no","fourColour":false}')).toEqual({
    ...defaults,
    unit: 'bb',
    fourColour: false,
  });
});

it('sends chips flying only where an event moved them', () => {
  let view = beforeHand(snapshot());
  const legs = ALL_IN_HAND.map((event) => {
    const flown = legsOf(event, view);
    view = reduce(view, event);
    return flown.map((leg) => `${leg.amount} ${leg.from}>${leg.to}`);
  });
  expect(legs[1]).toEqual(['50 seat-1>bet-1', '100 seat-2>bet-2']);
  expect(legs[7]).toEqual(['300 bet-1>pot', '300 bet-2>pot']);
  expect(legs[10]).toEqual([]);
  expect(legs[15]).toEqual(['2000 bet-1>seat-1']);
  expect(legs[21]).toEqual(['20000 pot>seat-1']);
});
