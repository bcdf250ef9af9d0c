import { flushSync, mount, unmount } from 'svelte';
import type { Component } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import ActionBar from '../src/components/ActionBar.svelte';
import BetSlider from '../src/components/BetSlider.svelte';
import BoardTable from '../src/components/BoardTable.svelte';
import Card from '../src/components/Card.svelte';
import Shortcuts from '../src/components/Shortcuts.svelte';
import type { Money } from '../src/lib/labels';
import { change } from '../src/lib/settings.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { GUARD_MS } from '../src/lib/turn.svelte';
import type { Snapshot } from '../src/lib/types';
import { FakeClock } from './clock';
import { answers, problem } from './server';
import { RIVER, YOU, legal, preset, range, snapshot } from './support';

const CHIPS = { unit: 'chips', bigBlind: 100 } as const;
const mounted: Record<string, unknown>[] = [];

function show<P extends Record<string, unknown>>(what: Component<P>, props: P): void {
  mounted.push(mount(what, { target: document.body, props }));
  flushSync();
}

function find(testid: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
  if (!element) throw new Error(`no ${testid}`);
  return element;
}

const has = (testid: string): boolean =>
  document.querySelector(`[data-testid="${testid}"]`) !== null;

const text = (testid: string): string => find(testid).textContent.replaceAll(/\s+/g, ' ').trim();

beforeEach(() => change({ unit: 'chips', keys: false, speed: 0, fourColour: true }));

afterEach(async () => {
  await Promise.all(mounted.splice(0).map((one) => unmount(one)));
  document.body.innerHTML = '';
});

describe('the action bar', () => {
  const server = answers();
  const clock = new FakeClock();
  let table: TableSession;

  beforeEach(() => server.install());
  afterEach(() => {
    table.close();
    server.restore();
  });

  async function bar(first: Snapshot): Promise<void> {
    server.next(200, first);
    table = new TableSession('t_1', { summary: () => undefined }, undefined, clock);
    await table.start();
    show(ActionBar, { table });
  }

  const turn = (over: Parameters<typeof legal>[0]): Snapshot =>
    snapshot({ turn: { seat: YOU }, legal: legal(over) });

  it('is inert for a moment, then lights up with the server’s numbers verbatim', async () => {
    await bar(turn({ to_call: 337, raise: range({ min_to: 677 }) }));
    expect(find('action-check-call').getAttribute('aria-disabled')).toBe('true');
    clock.advance(GUARD_MS);
    flushSync();
    expect(find('action-check-call').getAttribute('aria-disabled')).toBe('false');
    expect([text('action-fold'), text('action-check-call'), text('action-raise')]).toEqual([
      'Fold',
      'Call 337',
      'Raise to 677',
    ]);
  });

  it('offers no Fold when checking is free', async () => {
    await bar(
      turn({
        can_fold: false,
        can_check: true,
        to_call: 0,
        raise: range({ kind: 'bet', min_to: 100 }),
      }),
    );
    expect(has('action-fold')).toBe(false);
    expect([text('action-check-call'), text('action-raise')]).toEqual(['Check', 'Bet 100']);
  });

  it('says ALL-IN on a call and a raise for the whole stack', async () => {
    await bar(turn({ to_call: 40, call_all_in: true, raise: range({ min_to: 450, max_to: 450 }) }));
    expect(text('action-check-call')).toBe('Call 40 · ALL-IN');
    expect(text('action-raise')).toBe('ALL-IN 450');
  });

  it('shows why there is no raise, and no raise controls', async () => {
    await bar(turn({ raise: null, no_raise_reason: 'no_opponent_can_call' }));
    expect([has('action-raise'), has('slider')]).toEqual([false, false]);
    expect(text('no-raise')).toBe('Nobody is left who could call a raise');
  });

  it('sends a double click once and locks until the answer is there', async () => {
    await bar(turn({}));
    clock.advance(GUARD_MS);
    flushSync();
    server.next(...problem(409, 'stale-turn')).next(200, turn({ turn_token: 'turn-2' }));
    find('action-check-call').click();
    flushSync();
    expect(text('action-check-call')).toBe('Sending…');
    expect(find('action-fold').getAttribute('aria-disabled')).toBe('true');
    find('action-check-call').click();
    find('action-fold').click();
    await vi.waitFor(() => expect(table.view?.legal?.turn_token).toBe('turn-2'));
    expect(server.seen.filter((one) => one.method === 'POST')).toHaveLength(1);
  });

  it('sends nothing by the press that turned what was typed into another amount', async () => {
    await bar(turn({}));
    clock.advance(GUARD_MS);
    flushSync();
    const press = (): void => {
      find('action-raise').dispatchEvent(new Event('pointerdown', { bubbles: true }));
      find('amount-input').dispatchEvent(new FocusEvent('blur'));
      find('action-raise').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
      flushSync();
    };
    const field = find('amount-input') as HTMLInputElement;
    field.value = '90000';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    press();
    expect([table.bar, text('action-raise')]).toEqual(['your_turn', 'ALL-IN 9,700']);
    server.next(...problem(409, 'stale-turn')).next(200, turn({ turn_token: 'turn-2' }));
    press();
    await vi.waitFor(() => expect(table.view?.legal?.turn_token).toBe('turn-2'));
    expect(server.seen.filter((one) => one.method === 'POST')).toHaveLength(1);
  });

  it('keeps the focus when the buttons that had it go and come back', async () => {
    await bar(turn({}));
    clock.advance(GUARD_MS);
    flushSync();
    server.next(200, {
      version: 2,
      events: [],
      legal: null,
      snapshot: snapshot({ version: 2, turn: { seat: RIVER } }),
    });
    find('action-check-call').focus();
    await table.act('call');
    flushSync();
    expect(has('action-check-call')).toBe(false);
    expect(document.activeElement).toBe(find('action-bar'));
    server.next(200, turn({ turn_token: 'turn-2' }));
    await table.refresh();
    flushSync();
    expect(has('action-check-call')).toBe(true);
    expect(document.activeElement).toBe(find('action-bar'));
  });

  it('offers only what the match allows after a hand, with stack and total buy-in', async () => {
    const base = snapshot();
    await bar({
      ...base,
      hand: { ...base.hand, over: true },
      match: {
        ...base.match,
        state: 'between_hands',
        stack: 9850,
        total_buy_in: 11_000,
        can_next_hand: true,
        can_top_up: true,
        can_settle: true,
      },
    });
    expect([text('next-hand'), text('top-up'), text('settle')]).toEqual([
      'Next hand',
      'Top up to 100 BB',
      'Settle & leave',
    ]);
    expect([text('match-stack'), text('total-buy-in')]).toEqual(['9,850', '11,000']);
  });

  it('offers only to leave when you are out of chips', async () => {
    const base = snapshot();
    await bar({
      ...base,
      hand: { ...base.hand, over: true },
      match: { ...base.match, state: 'busted', stack: 0, can_settle: true },
    });
    expect([has('next-hand'), has('top-up'), has('settle')]).toEqual([false, false, true]);
    expect(find('settle').classList.contains('primary')).toBe(true);
  });
});

describe('the shortcut row', () => {
  const presets = [
    preset('min', 'Min', 600),
    preset('bb_2', '2 BB', 200, 'below the minimum raise to 600'),
    preset('pot_50', '50%', 600),
    preset('all_in', 'All-in', 9700),
  ];

  function row(locked = false): { picked: number[]; refused: string[] } {
    const picked: number[] = [];
    const refused: string[] = [];
    show(Shortcuts, {
      presets,
      raise: range(),
      amount: 600,
      how: CHIPS,
      locked,
      onpick: (amount: number) => picked.push(amount),
      onrefuse: (reason: () => string) => refused.push(reason()),
    });
    return { picked, refused };
  }

  it('fills amounts in and never merges equal ones', () => {
    const { picked } = row();
    find('shortcut-all_in').click();
    expect(picked).toEqual([9700]);
    expect(
      ['min', 'pot_50', 'bb_2', 'all_in'].map((id) =>
        find(`shortcut-${id}`).getAttribute('aria-pressed'),
      ),
    ).toEqual(['true', 'true', 'false', 'false']);
  });

  it('keeps a grey one focusable, with its reason, and does nothing but say it', () => {
    const { picked, refused } = row();
    const grey = find('shortcut-bb_2') as HTMLButtonElement;
    expect([grey.disabled, grey.getAttribute('aria-disabled'), grey.title]).toEqual([
      false,
      'true',
      'below the minimum raise to 600',
    ]);
    grey.click();
    expect([picked, refused]).toEqual([[], ['2 BB: below the minimum raise to 600']]);
  });

  it('does nothing while the bar is locked', () => {
    const { picked, refused } = row(true);
    find('shortcut-min').click();
    find('shortcut-bb_2').click();
    expect([picked, refused]).toEqual([[], []]);
  });
});

describe('the bet slider', () => {
  function slider(
    amount = 1140,
    how: Money = CHIPS,
  ): { amounts: number[]; said: string[]; entered: number[] } {
    const log = { amounts: [] as number[], said: [] as string[], entered: [] as number[] };
    show(BetSlider, {
      range: range({ max_to: 9730 }),
      amount,
      how,
      locked: false,
      onchange: (next: number) => log.amounts.push(next),
      onsay: (words: () => string) => log.said.push(words()),
      onenter: () => log.entered.push(1),
    });
    return log;
  }

  function type(words: string, key?: string): void {
    const field = find('amount-input') as HTMLInputElement;
    field.value = words;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    if (key) field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    else field.dispatchEvent(new FocusEvent('blur'));
  }

  it('steps half a big blind down and up', () => {
    const { amounts } = slider();
    find('amount-more').click();
    find('amount-less').click();
    expect(amounts).toEqual([1190, 1090]);
  });

  it('goes to the exact ends by key', () => {
    const { amounts } = slider();
    for (const key of ['End', 'Home', 'ArrowRight']) {
      find('slider').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }
    expect(amounts).toEqual([9730, 600, 1190]);
  });

  it('reads out its value', () => {
    slider();
    expect(find('slider').getAttribute('aria-valuetext')).toBe('1,140');
  });

  it('says that a number is chips, and how to mean big blinds', () => {
    slider();
    expect(find('amount-input').getAttribute('aria-label')).toBe(
      'Amount in chips, or in big blinds with bb',
    );
  });

  it('says that a number is big blinds where those are shown', () => {
    const { amounts } = slider(1140, { ...CHIPS, unit: 'bb' });
    expect(find('amount-input').getAttribute('aria-label')).toBe('Amount in big blinds');
    type('7.5');
    expect(amounts).toEqual([750]);
  });

  it('takes typed chips and big blinds, and holds them to the bounds with a word', () => {
    const { amounts, said } = slider();
    type('7.5bb');
    type('99999');
    type('pot');
    expect(amounts).toEqual([750, 9730]);
    expect(said[0]).toContain('9,730');
    expect(said[1]).toContain('7.5bb');
  });

  it('takes no 300 for everything where big blinds are shown', () => {
    const { amounts, said, entered } = slider(1140, { ...CHIPS, unit: 'bb' });
    const field = find('amount-input') as HTMLInputElement;
    const state = (): (string | null)[] => [field.value, field.getAttribute('aria-invalid')];
    type('300', 'Enter');
    flushSync();
    expect([amounts, entered, state()]).toEqual([[], [], ['300', 'true']]);
    expect(said).toEqual(['That is more than you have: type 6 BB to 97.3 BB.']);
    field.dispatchEvent(new FocusEvent('blur'));
    flushSync();
    expect([amounts, state()]).toEqual([[], ['11.4 BB', 'false']]);
    type('98');
    type('300bb');
    expect(amounts).toEqual([9730, 9730]);
  });

  it('says how far a step goes', () => {
    slider();
    expect(find('amount-more').title).toBe('Half a big blind more: +50');
    expect(find('amount-less').getAttribute('aria-label')).toBe('Half a big blind less: −50');
  });

  it('moves on from Enter without sending anything', () => {
    const { amounts, entered } = slider();
    type('1,000', 'Enter');
    expect([amounts, entered]).toEqual([[1000], [1]]);
  });

  it('stays in the field when Enter follows what is no amount', () => {
    const { amounts, said, entered } = slider();
    type('7,5', 'Enter');
    expect([amounts, entered, said.length]).toEqual([[], [], 1]);
    const field = find('amount-input') as HTMLInputElement;
    flushSync();
    expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['7,5', 'true']);
    field.dispatchEvent(new FocusEvent('blur'));
    flushSync();
    expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['1,140', 'false']);
  });

  it('stays in the field when Enter changed the amount, and goes on at the next Enter', () => {
    const { amounts, said, entered } = slider();
    type('99999', 'Enter');
    expect([amounts, entered]).toEqual([[9730], []]);
    expect(said[0]).toContain('9,730');
    find('amount-input').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }),
    );
    expect(entered).toEqual([1]);
  });

  it('never bets more than was meant by a comma', () => {
    const { amounts } = slider();
    type('7,5bb');
    expect(amounts).toEqual([750]);
  });
});

describe('cards and boards', () => {
  it('name a card for people who cannot see it, and hide one face down', () => {
    show(Card, { card: 'As', testid: 'up' });
    show(Card, { card: null, testid: 'down' });
    expect(find('up').getAttribute('aria-label')).toBe('ace of spades');
    expect(find('down').getAttribute('aria-label')).toBe('face-down card');
    expect(find('down').querySelector('.face')).toBeNull();
  });

  it('mark your row and show the way to a rank', () => {
    const row = {
      rank: null,
      name: 'Otter',
      kind: 'guest',
      bb_per_100: '-1.50',
      hands: 312,
      net_chips: 0,
      net_bb: '0',
      ai_decided_hands: 0,
      ai_decided_percent: '0.0',
      margin_95: '38.21',
      void_hands: 0,
      last_played: null,
      you: true,
    };
    show(BoardTable, { caption: 'Qualifying', rows: [row], needed: 500, qualifying: true });
    expect(text('leaderboard-row-you')).toContain('−1.50');
    expect(text('leaderboard-row-you')).toContain('±38.21');
    expect(text('leaderboard-row-you')).toContain('312/500');
    expect(document.querySelector('progress')?.getAttribute('aria-label')).toBe('312 of 500 hands');
  });
});
