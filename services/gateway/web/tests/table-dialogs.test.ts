import { flushSync, mount, tick, unmount } from 'svelte';
import type { Component } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import AskDialog from '../src/components/AskDialog.svelte';
import KeysDialog from '../src/components/KeysDialog.svelte';
import LeaveDialog from '../src/components/LeaveDialog.svelte';
import SettingsPlay from '../src/components/SettingsPlay.svelte';
import TopBar from '../src/components/TopBar.svelte';
import { DEFAULT_KEYS, withKey } from '../src/lib/keys';
import { m } from '../src/lib/messages';
import { session } from '../src/lib/session.svelte';
import { DEFAULTS, adopt, settings } from '../src/lib/settings.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { GUARD_MS } from '../src/lib/turn.svelte';
import type { Consequence, Snapshot } from '../src/lib/types';
import { FakeClock } from './clock';
import { answers, problem } from './server';
import { RIVER, YOU, legal, snapshot } from './support';

const mounted: Record<string, unknown>[] = [];
const server = answers();
const clock = new FakeClock();
let table: TableSession | null = null;

function show<P extends Record<string, unknown>>(what: Component<P>, props: P): void {
  mounted.push(mount(what, { target: document.body, props }));
  flushSync();
}

function find(testid: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
  if (!element) throw new Error(`no ${testid}`);
  return element;
}

const text = (testid: string): string => find(testid).textContent.replaceAll(/\s+/g, ' ').trim();

const has = (testid: string): boolean =>
  document.querySelector(`[data-testid="${testid}"]`) !== null;

async function seat(first: Snapshot): Promise<TableSession> {
  server.next(200, first);
  table = new TableSession('t_1', { summary: () => undefined }, undefined, clock);
  await table.start();
  clock.advance(GUARD_MS);
  return table;
}

beforeEach(() => {
  server.install();
  session.state = 'open';
  adopt({ ...DEFAULTS });
});

afterEach(async () => {
  await Promise.all(mounted.splice(0).map((one) => unmount(one)));
  document.body.innerHTML = '';
  table?.close();
  table = null;
  server.restore();
});

describe('the question before everything goes in', () => {
  it('names the amount on the button that sends it', async () => {
    adopt({ confirmAllIn: true });
    const one = await seat(snapshot({ turn: { seat: YOU }, legal: legal() }));
    show(AskDialog, { table: one });
    expect((find('ask') as HTMLDialogElement).open).toBe(false);
    one.size(9700);
    await one.act('raise');
    flushSync();
    expect((find('ask') as HTMLDialogElement).open).toBe(true);
    expect(text('ask')).toContain('Everything goes in: 9,700.');
    expect(text('ask-yes')).toBe('ALL-IN 9,700');
    find('ask-no').click();
    flushSync();
    expect([(find('ask') as HTMLDialogElement).open, one.bar]).toEqual([false, 'your_turn']);
    expect(server.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('asks whether to fold where checking is free', async () => {
    const free = legal({ can_fold: true, can_check: true, to_call: 0 });
    const one = await seat(snapshot({ turn: { seat: YOU }, legal: free }));
    show(AskDialog, { table: one });
    await one.act('fold');
    flushSync();
    expect(text('ask')).toContain('Check is free — fold anyway?');
  });
});

describe('the list of keys', () => {
  const opened = (): void => show(KeysDialog, { open: true, onclose: () => undefined });
  const press = (place: string, key: string): void => {
    find(`key-${place}`).click();
    flushSync();
    const pressed = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    find(`key-${place}`).dispatchEvent(pressed);
    flushSync();
  };

  it('has every key of the table, named', () => {
    opened();
    expect(find('key-fold').getAttribute('aria-label')).toBe('Fold: F. Change it.');
    expect(find('key-more').getAttribute('aria-label')).toBe(
      'Half a big blind more: →. Change it.',
    );
    expect(document.querySelectorAll('[data-testid^="key-"]')).toHaveLength(22);
  });

  it('gives a line the next key, and the other line the old one', () => {
    opened();
    press('fold', 'X');
    expect(settings.keyMap.fold).toBe('x');
    expect(text('keys-said')).toBe('Fold is now X.');
    press('fold', 'c');
    expect([settings.keyMap.fold, settings.keyMap.check_call]).toEqual(['c', 'x']);
    expect(text('keys-said')).toBe('Fold is now C. Check or call got its old key.');
    press('0', 'Backspace');
    expect(settings.keyMap.shortcuts[0]).toBeNull();
    find('keys-reset').click();
    expect(settings.keyMap).toEqual(DEFAULT_KEYS);
  });

  it('leaves a line as it was on Escape and for keys with another meaning', () => {
    opened();
    press('skip', 'Escape');
    press('skip', 'Enter');
    expect(settings.keyMap).toEqual(DEFAULT_KEYS);
    expect(find('key-skip').textContent).toContain('Press a key');
  });

  it('switches all of them off', () => {
    opened();
    find('keys-enabled').click();
    expect(settings.keys).toBe(false);
    flushSync();
    expect(text('keys')).toContain('Shortcuts are off');
  });
});

describe('leaving', () => {
  function lobby(consequence: Consequence): unknown {
    return {
      resume: {
        match_id: 'm_1',
        table_id: 't_1',
        state: 'in_hand',
        hand_no: 3,
        your_turn: true,
        kept_until: new Date(Date.now() + 23.5 * 3600 * 1000).toISOString(),
        consequence,
      },
    };
  }

  it.each(['ai_decides', 'void_hand', 'void_match', 'settle'] as const)(
    'says exactly what will happen: %s',
    async (consequence) => {
      const one = await seat(snapshot({ turn: { seat: YOU }, legal: legal() }));
      server.next(200, lobby(consequence));
      show(LeaveDialog, { table: one, open: true, onclose: () => undefined });
      await vi.waitFor(() => {
        flushSync();
        expect(text('leave-consequence')).toBe(m.consequence[consequence]);
      });
      expect(text('leave-kept')).toMatch(/^Your seat is kept for 23 h \d+ m, until .+\.$/);
      expect(has('leave-settle')).toBe(false);
    },
  );

  it('asks again when the hand has gone on meanwhile', async () => {
    const one = await seat(snapshot({ turn: { seat: RIVER } }));
    server.next(200, lobby('ai_decides'));
    show(LeaveDialog, { table: one, open: true, onclose: () => undefined });
    const says = async (words: string): Promise<void> =>
      vi.waitFor(() => {
        flushSync();
        expect(text('leave-consequence')).toBe(words);
      });
    await says(m.consequence.ai_decides);
    const base = snapshot({ version: 2 });
    server.next(200, { ...base, hand: { ...base.hand, over: true } }).next(200, lobby('settle'));
    await one.refresh();
    await says(m.consequence.settle);
  });

  it('promises no seat in a match that was closed elsewhere, and looks at the table', async () => {
    const one = await seat(snapshot({ turn: { seat: YOU }, legal: legal() }));
    server.next(200, { resume: null }).next(...problem(410, 'match-expired'));
    show(LeaveDialog, { table: one, open: true, onclose: () => undefined });
    await vi.waitFor(() => {
      flushSync();
      expect(text('leave-kept')).toBe(m.bar.closed);
    });
    expect(text('leave-consequence')).toBe('');
    await vi.waitFor(() => expect(one.gone).toBe('expired'));
  });

  it('names no time when the clock of this device is past it', async () => {
    const base = snapshot({ turn: { seat: YOU }, legal: legal() });
    const one = await seat({
      ...base,
      match: { ...base.match, kept_until: '2020-01-01T00:00:00Z' },
    });
    server.next('lost');
    show(LeaveDialog, { table: one, open: true, onclose: () => undefined });
    expect(text('leave-kept')).toBe('Your seat is kept for 24 hours.');
  });

  it('offers to settle between hands', async () => {
    const base = snapshot();
    const match = { ...base.match, state: 'between_hands' as const, can_settle: true };
    const one = await seat({ ...base, hand: { ...base.hand, over: true }, match });
    server.next(200, lobby('settle'));
    show(LeaveDialog, { table: one, open: true, onclose: () => undefined });
    await tick();
    expect(has('leave-settle')).toBe(true);
  });

  it('says so when nobody can tell', async () => {
    const one = await seat(snapshot({ turn: { seat: YOU }, legal: legal() }));
    server.next(...problem(503, 'unavailable'));
    show(LeaveDialog, { table: one, open: true, onclose: () => undefined });
    await vi.waitFor(() => {
      flushSync();
      expect(text('leave-consequence')).toContain('cannot be asked');
    });
    expect(has('leave-go')).toBe(true);
  });

  it('is asked about in an open match, and not when another tab is meant', async () => {
    const one = await seat(snapshot({ turn: { seat: YOU }, legal: legal() }));
    let asked = 0;
    show(TopBar, { view: one.view, onsettings: () => undefined, onleave: () => (asked += 1) });
    const click = (over: MouseEventInit): boolean =>
      find('leave-open').dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, ...over }),
      );
    expect([click({}), asked]).toEqual([false, 1]);
    document.body.addEventListener('click', (event) => event.preventDefault(), { once: true });
    click({ ctrlKey: true });
    expect(asked).toBe(1);
  });

  it('shows the result of the match in big blinds, in the corner', async () => {
    const base = snapshot();
    const match = { ...base.match, result_bb: '1.0', result_chips: 100 };
    const one = await seat({ ...base, match });
    show(TopBar, { view: one.view, onsettings: () => undefined, onleave: () => undefined });
    expect(text('match-result')).toBe('+1.0 BB');
  });
});

describe('preferences of play', () => {
  it('are kept as they are chosen', () => {
    show(SettingsPlay, {});
    const names = [
      'confirmAllIn',
      'autoNextHand',
      'autoTopUp',
      'equity',
      'handName',
      'turnChime',
      'onlyMyTurn',
      'vibration',
    ] as const;
    for (const name of names) {
      find(`setting-${name}`).click();
      expect(settings[name], name).toBe(!DEFAULTS[name]);
    }
  });

  it('lead to the keys', () => {
    adopt({ keyMap: withKey(DEFAULT_KEYS, 'fold', 'x') });
    show(SettingsPlay, {});
    find('setting-keys-open').click();
    flushSync();
    expect(find('key-fold').getAttribute('aria-label')).toBe('Fold: X. Change it.');
  });
});
