/** The list of one's hands: what is asked for, and what is shown. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { filterQuery, handQuery, isFiltered, parseFilters } from '../src/lib/history';
import { go, router } from '../src/lib/router.svelte';
import History from '../src/routes/History.svelte';
import { PathServer, Refusal } from './paths';
import { Stage, row, soon } from './played';

describe('filters', () => {
  it('are kept in the address', () => {
    const filters = parseFilters('match=m_1&pos=BB&min_pot=2000&tag=ai_decided&from=2026-11-01');
    expect(isFiltered(filters)).toBe(true);
    expect(parseFilters(filterQuery(filters))).toEqual(filters);
    expect(filterQuery(parseFilters(''))).toBe('');
  });

  it.each([
    ['pos=UTG'],
    ['tag=starred'],
    ['min_pot=-5'],
    ['min_pot=2e3'],
    ['min_pot=99999999999999'],
    ['from=yesterday'],
    ['to=2026-02-31'],
    [`match=${'m'.repeat(65)}`],
    ['other=1'],
  ])('that cannot be meant are left out: %s', (query) => {
    expect(isFiltered(parseFilters(query))).toBe(false);
  });

  it('ask for whole days of the reader, the last one included', () => {
    const asked = handQuery(parseFilters('from=2026-11-29&to=2026-11-30&pos=BTN'));
    expect(asked).toEqual({
      pos: 'BTN',
      from: new Date(2026, 10, 29).toISOString(),
      to: new Date(2026, 11, 1).toISOString(),
    });
  });
});

describe('the history', () => {
  const server = new PathServer();
  const page = new Stage();

  async function open(query: string, testid: string): Promise<void> {
    page.show(History, { query });
    await soon(() => page.find(testid));
    flushSync();
  }

  beforeEach(() => server.install());
  afterEach(async () => {
    await page.clear();
    server.restore();
  });

  it('lists hands with cards, result and marks, each leading to its replay', async () => {
    const marked = row(7, {
      tags: ['ai_decided', 'not_counted'],
      net_bb: '-12.5',
      net_chips: -1250,
    });
    server.at('/hands', { items: [marked, row(6)], next_cursor: null });
    await open('', 'history');
    const [first] = page.all('history-hand');
    expect(first?.getAttribute('href')).toBe('/hand/h_7');
    expect(first?.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('ace of spades');
    expect(page.text('history-net')).toBe('−12.5 BB');
    expect(page.text('tag-ai_decided')).toBe('AI decided');
    expect(page.text('tag-not_counted')).toBe('Not counted');
    expect(document.body.textContent).toContain('That is all: 2 hands.');
  });

  it('shows a hand that is still being played without a result', async () => {
    const open_ = row(1, { state: 'open', net_chips: null, net_bb: null, pot: null, board: [] });
    server.at('/hands', { items: [open_], next_cursor: null });
    await open('', 'history');
    expect(page.text('history-hand')).toContain('still being played');
    expect(page.all('history-net')).toHaveLength(0);
  });

  it('adds page after page below', async () => {
    server.at('/hands', (query: URLSearchParams) =>
      query.get('cursor') === 'c_2'
        ? { items: [row(1)], next_cursor: null }
        : { items: [row(3), row(2)], next_cursor: 'c_2' },
    );
    await open('tag=ai_decided', 'history-more');
    page.press('history-more');
    await soon(() => expect(page.all('history-hand')).toHaveLength(3));
    expect(server.seen).toEqual(['/hands?tag=ai_decided', '/hands?tag=ai_decided&cursor=c_2']);
    flushSync();
    expect(page.all('history-more')).toHaveLength(0);
  });

  it('keeps what is shown when the next page does not come', async () => {
    server.at('/hands', (query: URLSearchParams) =>
      query.get('cursor')
        ? new Refusal(503, 'engine-unavailable')
        : { items: [row(3)], next_cursor: 'c_2' },
    );
    await open('', 'history-more');
    page.press('history-more');
    await soon(() => expect(document.body.textContent).toContain('did not come'));
    expect(page.all('history-hand')).toHaveLength(1);
  });

  it('puts a chosen filter into the address', async () => {
    server.at('/hands', { items: [row(3)], next_cursor: null });
    go('/history');
    await open('', 'history');
    page.choose('filter-tag', 'not_counted');
    expect(router.route).toEqual({ name: 'history', query: 'tag=not_counted' });
  });

  it('takes no text for a size of a pot', async () => {
    server.at('/hands', { items: [row(3)], next_cursor: null });
    go('/history');
    await open('', 'history');
    page.choose('filter-min-pot', 'much');
    expect((page.find('filter-min-pot') as HTMLInputElement).value).toBe('');
    expect(router.route).toEqual({ name: 'history', query: '' });
  });

  it('tells apart that there is none, and none like that', async () => {
    server.at('/hands', { items: [], next_cursor: null });
    await open('', 'history-empty');
    expect(page.text('history-empty')).toContain('not been dealt a hand');
    await page.clear();
    await open('match=m_1', 'history-empty');
    expect(page.text('history-empty')).toBe('No hand is like that.');
    page.press('filters-clear');
    expect(router.route).toEqual({ name: 'history', query: '' });
  });
});
