import { describe, expect, it } from 'vitest';

import { legsOf } from '../src/lib/flights.svelte';
import {
  DEFAULT_KEYS,
  PLACES,
  commandFor,
  isKeyMap,
  keyAt,
  keyLabel,
  usableKey,
  withKey,
} from '../src/lib/keys';
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
    ['C', { do: 'check_call' }],
    ['r', { do: 'bet_raise' }],
    ['a', { do: 'all_in' }],
    ['s', { do: 'skip' }],
    ['n', { do: 'next_hand' }],
    ['t', { do: 'top_up' }],
    ['l', { do: 'leave' }],
    ['h', { do: 'history' }],
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

  it('is silent while a dialog is open, wherever the focus went', () => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('open', '');
    document.body.append(dialog);
    expect(commandFor(press('f'))).toBeNull();
    dialog.removeAttribute('open');
    expect(commandFor(press('f'))).toEqual({ do: 'fold' });
    dialog.remove();
  });

  it('repeats amount steps while a key is held, but never an action', () => {
    expect(commandFor(press('ArrowRight', { repeat: true }))).not.toBeNull();
    expect(commandFor(press('c', { repeat: true }))).toBeNull();
  });
});

describe('a keyboard map of one’s own', () => {
  it('does what it says, and nothing for the key that was changed', () => {
    const map = withKey(DEFAULT_KEYS, 'fold', 'x');
    expect(commandFor(press('X'), map)).toEqual({ do: 'fold' });
    expect(commandFor(press('f'), map)).toBeNull();
    expect(commandFor(press('q'), withKey(map, 2, 'q'))).toEqual({ do: 'shortcut', index: 2 });
  });

  it('gives what had the key the old one, so that each has one use', () => {
    const map = withKey(DEFAULT_KEYS, 'fold', 'c');
    expect([map.fold, map.check_call]).toEqual(['c', 'f']);
    const none = withKey(map, 'skip', null);
    expect(withKey(none, 'skip', '1')).toMatchObject({
      skip: '1',
      shortcuts: [null, '2', '3', '4', '5', '6', '7', '8', '9', '0'],
    });
    expect(isKeyMap(withKey(none, 'skip', '1'))).toBe(true);
  });

  it('with shortcuts off leaves only keys that type nothing', () => {
    const letters = PLACES.map((place) => keyAt(DEFAULT_KEYS, place) ?? '');
    const left = letters.filter((key) => commandFor(press(key), DEFAULT_KEYS, false) !== null);
    expect(left).toEqual(['ArrowLeft', 'ArrowRight']);
  });

  it('takes visible characters and arrows; Tab, Enter, Escape and Space have their meaning', () => {
    expect(['ß', 'F', ';', 'Home', 'PageUp'].map(usableKey)).toEqual([
      'ß',
      'f',
      ';',
      'Home',
      'PageUp',
    ]);
    expect(['Tab', 'Enter', 'Escape', ' ', 'Shift', 'F5', 'Dead'].map(usableKey)).toEqual(
      Array(7).fill(null),
    );
    expect(['f', 'ArrowLeft', 'Home'].map(keyLabel)).toEqual(['F', '←', 'Home']);
  });

  it('is not read from what is none', () => {
    const bad: unknown[] = [
      null,
      {},
      { ...DEFAULT_KEYS, fold: 'c' },
      { ...DEFAULT_KEYS, fold: 'Tab' },
      { ...DEFAULT_KEYS, fold: 7 },
      { ...DEFAULT_KEYS, shortcuts: ['1'] },
    ];
    expect(bad.map(isKeyMap)).toEqual(bad.map(() => false));
    expect(parsePreferences(JSON.stringify({ keyMap: bad[2] })).keyMap).toEqual(DEFAULT_KEYS);
    const mine = withKey(DEFAULT_KEYS, 'help', null);
    expect(parsePreferences(JSON.stringify({ keyMap: mine })).keyMap).toEqual(mine);
  });
});

describe('addresses', () => {
  it.each([
    ['/', { name: 'lobby' }],
    ['/table/t_1', { name: 'table', id: 't_1' }],
    ['/match/m%201', { name: 'summary', id: 'm 1' }],
    ['/leaderboard', { name: 'leaderboard' }],
    ['/help/', { name: 'help', table: '' }],
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
