import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { en } from '../src/lib/help/en';
import { de } from '../src/lib/help/de';
import type { Options, RulesetInfo } from '../src/lib/help/facts';
import { factsOf, hoursOf } from '../src/lib/help/facts';
import type { Block, Part } from '../src/lib/help/pages';
import { gamePart, housePart, optionRows } from '../src/lib/help/pages';
import { speak } from '../src/lib/language.svelte';
import { parseRoute, paths, router } from '../src/lib/router.svelte';
import { session } from '../src/lib/session.svelte';
import Help from '../src/routes/Help.svelte';
import { answers } from './server';
import { snapshot } from './support';

const RIVER: Options = {
  seats: { min: 2, max: 2 },
  blinds: { small: 37, big: 74 },
  ante: 0,
  start: { buy_in: { min: 2183, max: 7141, step: 37 } },
  top_up: 'manual_to_max',
  bust: 'end_match',
  opponent_topup_floor: 6919,
  reopen_rule: 'cumulative',
  fold_when_check_available: 'forbid',
  raise_when_none_can_call: 'forbid',
  burn_cards: false,
  showdown: 'all_at_once',
  button_rule: 'moving',
  blinds_up_every: 0,
  hand_limit: 0,
  turn_seconds: 0,
  idle_expiry: 'PT31H',
  counts_for: 'river_board',
};
const PARTY: Options = {
  ...RIVER,
  seats: { min: 3, max: 7 },
  start: { equal: { chips: 4321 } },
  top_up: 'auto_to_start',
  bust: 'out',
  opponent_topup_floor: null,
  reopen_rule: 'single',
  fold_when_check_available: 'allow',
  burn_cards: true,
  blinds_up_every: 11,
  hand_limit: 23,
  turn_seconds: 47,
  ante: 13,
  counts_for: 'party_rating',
};

function lines(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return [block.text];
    case 'steps':
    case 'points':
      return [...block.items];
    case 'options':
      return block.rows.map((row) => `${row.name}: ${row.value}. ${row.about} ${row.more}`);
    case 'hands':
      return block.rows.map((row) => `${row.name} ${row.text}`);
    default:
      return block.rows.map((row) => row.join(': '));
  }
}

const said = (part: Part): string =>
  part.sections.flatMap(({ title, blocks }) => [`# ${title}`, ...blocks.flatMap(lines)]).join('\n');

const pageOf = (options: Options, words = en): string => {
  const facts = factsOf(options, 613, 8);
  return `${said(gamePart(words, options, facts))}\n${said(housePart(words, options, facts))}`;
};

afterEach(async () => {
  await speak('en');
});

describe('a rules page', () => {
  it('says the numbers of its ruleset and of no other', () => {
    const page = pageOf(RIVER);
    for (const number of ['37 / 74', '2,183', '7,141', '6,919', '31 hours', '613 hands', '96.5 BB'])
      expect(page).toContain(number);
    for (const usual of ['3,000', '10,000', '24 hours', '500', '100 BB', '50/100', '50 / 100'])
      expect(page).not.toContain(usual);
    expect(page).toContain('up to 8 before the flop');
  });

  it('computes its examples from the blinds', () => {
    const page = pageOf(RIVER);
    expect(page).toContain('somebody raises to 222, which is 148 more');
    expect(page).toContain('The next raise goes to 370 at least, and the one after that to 518');
    expect(page).toContain('so “50%” raises to 666: the bet of 222, and 444 on top');
    expect(page).toContain('is 925 chips');
  });

  it('counts the example of a result as results are counted', () => {
    const { example } = factsOf(
      {
        ...RIVER,
        blinds: { small: 50, big: 100 },
        start: { buy_in: { min: 3000, max: 10_000, step: 50 } },
      },
      500,
      10,
    );
    expect(example).toEqual({
      bought: '30 BB',
      left: '20 BB',
      added: '80 BB',
      leave: '125 BB',
      result: '+15 BB',
    });
  });

  it('tells of two players what concerns two', () => {
    const page = pageOf(RIVER);
    expect(page).toContain('heads-up');
    expect(page).toContain('BTN/SB: The button.');
    for (const ring of ['UTG', 'side pot, which', 'Ana goes all-in', 'Burnt cards: yes', 'ante of'])
      expect(page).not.toContain(ring);
    expect(page).toContain('You cannot fold when there is nothing to call');
    expect(page).toContain('# If you leave');
    expect(page).toContain('Between two hands: The match is settled');
  });

  it('tells of many players what concerns many', () => {
    const page = pageOf(PARTY);
    for (const line of [
      '3 to 7 players',
      'an ante of 13',
      'put aside face down',
      'CO: Cutoff, just before the button. (from 5 players)',
      'LJ: Lojack, three before the button. (from 7 players)',
      'however many such all-ins follow',
      'Neither was a full raise: you can call 74 or fold',
      'Ana goes all-in for 148, Ben for 370, and Cara calls with 740',
      '4,321 each',
      'by itself, back to 4,321',
      'every 11 hands',
      'after 23 hands',
      '47 seconds',
      'After 23 hands the biggest stack wins',
    ])
      expect(page).toContain(line);
    for (const other of ['UTG+1', 'River begins', 'leaderboard', 'You bring', 'cannot fold'])
      expect(page).not.toContain(other);
  });

  it('follows each option', () => {
    const value = (options: Options, name: string): string | undefined =>
      optionRows(en, options, factsOf(options, 1, 1)).find((row) => row.name === name)?.value;
    expect(value(RIVER, 'Filling up')).toBe('when you wish, to exactly 7,141');
    expect(value({ ...RIVER, top_up: 'off' }, 'Filling up')).toBe('no');
    expect(value(RIVER, 'Several short all-ins')).toBeUndefined();
    expect(value({ ...PARTY, reopen_rule: 'cumulative' }, 'Several short all-ins')).toContain(
      'add up',
    );
    expect(value({ ...PARTY, reopen_rule: 'brand_new' }, 'Several short all-ins')).toBe(
      'brand_new',
    );
    expect(value({ ...PARTY, button_rule: 'dead' }, 'The button')).toContain('nobody is in it');
    expect(pageOf({ ...RIVER, showdown: 'last_aggressor_first' })).toContain('shows first');
  });

  it('says the game first, the source, and the site apart from it', () => {
    const facts = factsOf(RIVER, 500, 10);
    expect(said(gamePart(en, RIVER, facts))).not.toMatch(/Riverboat|River begins|leaderboard/);
    expect(housePart(en, RIVER, facts).intro).toContain('about this site');
    expect(en.game.source).toContain('Poker TDA');
  });

  it('is German with German numbers', async () => {
    await speak('de');
    const page = pageOf(RIVER, de);
    for (const line of [
      '2.183 bis 7.141, in Schritten von 37',
      '31 Stunden',
      '613 Hände',
      '96,5 BB',
    ])
      expect(page).toContain(line);
    expect(page).not.toMatch(/\b(the|your|hand is|chips are)\b/);
  });
});

describe('the two languages of the help', () => {
  const shape = (words: unknown): unknown =>
    typeof words === 'object' && words !== null
      ? Array.isArray(words)
        ? words.length
        : Object.fromEntries(Object.entries(words).map(([name, one]) => [name, shape(one)]))
      : typeof words;

  it('have the same rows in every table', () => expect(shape(de)).toEqual(shape(en)));
});

it.each([
  ['PT24H', 24],
  ['P2D', 48],
  ['P1DT6H', 30],
])('%s are %i hours', (duration, hours) => expect(hoursOf(duration)).toBe(hours));

describe('the help screen', () => {
  const server = answers();
  let page: Record<string, unknown>;
  const info = (id: string, open: boolean, options: Options): RulesetInfo => ({
    id,
    open,
    hash: 'h',
    options,
  });
  const list = {
    items: [info('hu_river', true, RIVER), info('party', false, PARTY)],
    next_cursor: null,
  };
  const board = { items: [], next_cursor: null, ranked_hands: 613 };

  beforeEach(() => {
    server.install();
    session.state = 'opening';
  });
  afterEach(async () => {
    await unmount(page);
    document.body.innerHTML = '';
    server.restore();
    session.state = 'opening';
  });

  async function open(table: string, word: string): Promise<string> {
    server.next(200, list).next(200, board);
    page = mount(Help, { target: document.body, props: { table } });
    await vi.waitFor(() => expect(document.body.textContent).toContain(word));
    flushSync();
    return document.body.textContent.replaceAll(/\s+/g, ' ');
  }

  it('is addressed by the table', async () => {
    await open('', 'Party');
    expect(parseRoute('/help')).toEqual({ name: 'help', table: '' });
    expect(parseRoute(paths.rulesOf('hu_river'))).toEqual({ name: 'help', table: 'hu_river' });
    expect(parseRoute('/help/rules')).toEqual({ name: 'missing' });
    expect(parseRoute('/help/rules/a/b')).toEqual({ name: 'missing' });
  });

  it('lists the tables, hands, keys and terms', async () => {
    const text = await open('', 'Party');
    expect(text).toContain('Heads-up against River (open)');
    expect(text).toContain('Party table (opens later)');
    expect(document.querySelector('a[href="/help/rules/party"]')).not.toBeNull();
    const headings = [...document.querySelectorAll('h2')].map((one) => one.textContent);
    expect(headings).toContain('Terms');
    expect(document.querySelectorAll('[aria-label="ace of spades"]')).toHaveLength(1);
  });

  it('shows the rules of a table that is not open without a way to play', async () => {
    const text = await open('party', 'not open');
    expect(text).toContain('This table is not open yet.');
    expect(document.querySelector('[data-testid="play-now"]')).toBeNull();
  });

  it('starts exactly the table whose rules it shows', async () => {
    await open('hu_river', '613');
    const title = document.querySelector('h1');
    expect(title?.textContent.trim()).toBe('Rules: Heads-up against River');
    expect([...(title?.children ?? [])].map((word) => word.textContent)).toContain('Heads-up');
    const bounds = { min: 2183, max: 7141, step: 37, default: 7104 };
    const lobby = {
      resume: null,
      standing: null,
      presets: [{ id: 'hu_river', small_blind: 37, big_blind: 74, buy_in: bounds }],
      next_commit_root: null,
    };
    server.next(200, lobby);
    session.state = 'open';
    await vi.waitFor(() => expect(document.body.textContent).toContain('7,104 chips (96 BB)'));
    const seated = { match: {}, table_id: 't_9', snapshot: snapshot(), events: [] };
    server.next(200, lobby).next(201, seated);
    document.querySelector<HTMLElement>('[data-testid="play-now"]')?.click();
    await vi.waitFor(() => expect(router.route).toEqual({ name: 'table', id: 't_9' }));
    expect(server.seen.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/matches',
      body: { ruleset: 'hu_river', buy_in: 7104, supersede: false },
    });
  });

  it('says so when there is no such table', async () => {
    server.next(200, list).next(200, board);
    page = mount(Help, { target: document.body, props: { table: 'nothing' } });
    await vi.waitFor(() => expect(document.body.textContent).toContain('nothing at this address'));
  });
});
