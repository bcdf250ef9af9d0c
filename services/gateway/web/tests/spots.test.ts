import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';

import Shortcuts from '../src/components/Shortcuts.svelte';
import type { Legal, Preset } from '../src/lib/types';
import spots from './spots.json';

/** Every spot of SPEC 1.7 as the gateway offers it; a contract test holds the file to that. */
const SPOTS = spots as unknown as Readonly<Record<string, Legal>>;

let page: Record<string, unknown>;

function show(spot: Legal): HTMLElement[] {
  page = mount(Shortcuts, {
    target: document.body,
    props: {
      presets: spot.presets,
      raise: spot.raise,
      amount: spot.raise?.min_to ?? 0,
      how: { unit: 'chips', bigBlind: 100 },
      locked: false,
      onpick: () => undefined,
      onrefuse: () => undefined,
      oncustomise: () => undefined,
    },
  });
  flushSync();
  return [...document.querySelectorAll<HTMLElement>('[data-testid^="shortcut-"]')];
}

const words = (button: HTMLElement): string =>
  button.textContent.replaceAll(/\s+/g, ' ').trim() +
  (button.getAttribute('aria-disabled') === 'true' ? ` (${button.title})` : '');

const expected = ({ label, amount, enabled, reason }: Preset): string =>
  `${label} ${amount === null ? '–' : amount.toLocaleString('en-US')}${enabled ? '' : ` (${reason})`}`;

afterEach(async () => {
  await unmount(page);
  document.body.innerHTML = '';
});

describe('the shortcut tables of SPEC 1.7, as rendered', () => {
  it.each(Object.keys(SPOTS))('%s', (name) => {
    const spot = SPOTS[name];
    if (!spot) throw new Error(`no spot ${name}`);
    const buttons = show(spot);
    expect(buttons.map(words)).toEqual(spot.presets.map(expected));
    expect(buttons.map((button) => button.getAttribute('aria-pressed'))).toEqual(
      spot.presets.map(({ enabled, amount }) => String(enabled && amount === spot.raise?.min_to)),
    );
  });

  it.each([
    [
      'P4',
      'Min 400|2 BB 200 (below the minimum raise to 400)|2.5 BB 250 (below the minimum raise to 400)|3 BB 300 (below the minimum raise to 400)|30% 400|50% 500|70% 600|Pot 750|All-in 10,000',
    ],
    [
      'P8',
      'Min 200 (more than your stack)|2 BB 200 (more than your stack)|2.5 BB 250 (more than your stack)|3 BB 300 (more than your stack)|30% 160 (below the minimum raise to 200)|50% 200 (more than your stack)|70% 240 (more than your stack)|Pot 300 (more than your stack)|All-in 160',
    ],
    [
      'P10',
      'Min – (no raise)|2 BB – (no raise)|2.5 BB – (no raise)|3 BB – (no raise)|30% – (no raise)|50% – (no raise)|70% – (no raise)|Pot – (no raise)|All-in – (no raise)',
    ],
    ['F9', 'Min 274|30% 347|50% 487|⅔ pot 603|70% 626|Pot 836|All-in 9,800'],
    [
      'F10',
      'Min 100|30% 75 (below the minimum bet of 100)|50% 125|⅔ pot 167|70% 175|Pot 250|All-in 9,900',
    ],
  ])('%s, in full', (name, row) => {
    const spot = SPOTS[name];
    if (!spot) throw new Error(`no spot ${name}`);
    expect(show(spot).map(words).join('|')).toBe(row);
  });
});
