/** A match summed up: its figures, its course, and the hands it names. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FIELD, courseOf, pathOf } from '../src/lib/course';
import { biggestOf } from '../src/lib/matchhands';
import type { Graph } from '../src/lib/types';
import Summary from '../src/routes/Summary.svelte';
import { PathServer } from './paths';
import { Stage, row, soon, summary } from './played';

const graph = (...results: number[]): Graph => ({
  match_id: 'm_1',
  hands: results.length,
  items: results.map((result_chips, index) => ({
    hand_no: index + 1,
    net_chips: result_chips - (results[index - 1] ?? 0),
    result_chips,
    result_bb: (result_chips / 100).toFixed(1),
  })),
});

describe('the course of a match', () => {
  it('lies within its field, from zero on', () => {
    const course = courseOf(graph(100, -300, 200))!;
    expect(course.points.at(-1)?.x).toBe(FIELD.width - FIELD.pad);
    expect(course.points.map(({ y }) => y)).toEqual([
      FIELD.pad + 0.2 * (FIELD.height - 2 * FIELD.pad),
      FIELD.height - FIELD.pad,
      FIELD.pad,
    ]);
    expect(pathOf(course).startsWith(`M${FIELD.pad}.0 ${course.zero.toFixed(1)}L`)).toBe(true);
  });

  it('keeps the distances of hands that were left out', () => {
    const { items, ...rest } = graph(100, 0, 50, 200);
    const thinned = courseOf({ ...rest, items: [items[0]!, items[3]!] })!;
    const [first, last] = thinned.points;
    expect(last!.x - FIELD.pad).toBeCloseTo(4 * (first!.x - FIELD.pad));
  });

  it('is a flat line when nothing was won or lost', () => {
    const course = courseOf(graph(0, 0))!;
    expect(course.points.every(({ y }) => y === course.zero)).toBe(true);
  });

  it('is measured by zero, the best and the worst, where they are clear of it', () => {
    const told = (course: ReturnType<typeof courseOf>): (number | null)[] =>
      course!.scale.map(({ of }) => of && of.result_chips);
    expect(told(courseOf(graph(100, -400, 1250)))).toEqual([null, 1250, -400]);
    expect(told(courseOf(graph(100, 90)))).toEqual([null, 100]);
    expect(told(courseOf(graph(0, 0)))).toEqual([null]);
    expect(told(courseOf(graph(-10, 2000)))).toEqual([null, 2000]);
  });

  it('is none before the first finished hand', () => expect(courseOf(graph())).toBeNull());
});

it('the biggest pots are the biggest first, five at most, and finished', () => {
  const hands = [3, 9, 1, 7, 8, 2].map((no) => row(no));
  const named = biggestOf([row(99, { pot: null }), ...hands, row(4, { pot: 1800 })]);
  expect(named.map((hand) => hand.hand_no)).toEqual([4, 9, 8, 7, 3]);
});

describe('the summary', () => {
  const server = new PathServer();
  const page = new Stage();

  beforeEach(() => {
    server.install();
    server.at('/matches/m_1/graph', graph(100, -300, 1250));
    server.at('/hands', (query: URLSearchParams) => {
      const tag = query.get('tag');
      if (tag === 'not_counted') return { items: [], next_cursor: null };
      const tags = tag === null ? [] : [tag];
      return { items: [row(tag === null ? 10 : 3, { tags } as never)], next_cursor: null };
    });
  });
  afterEach(async () => {
    await page.clear();
    server.restore();
  });

  async function open(over: Parameters<typeof summary>[0] = {}): Promise<void> {
    server.at('/matches/m_1/summary', { summary: summary(over) });
    page.show(Summary, { id: 'm_1' });
    await soon(() => page.find('summary-result'));
    await soon(() => page.find('biggest-pots'));
    flushSync();
  }

  it('adds up: what one left with, less what one bought, is what one won', async () => {
    await open();
    const sum = document.querySelector('[role=group]')!.textContent.replaceAll(/\s+/g, ' ');
    expect(sum).toContain('14,250');
    expect(sum).toContain('10,000');
    expect(sum).toContain('2 top-ups3,000');
    expect(sum).toContain('+1,250');
    expect(page.text('summary-result')).toContain('+12.5 BB');
  });

  it('draws the course and lets one go along it', async () => {
    await open();
    await soon(() => page.find('graph'));
    const label = page.find('graph').querySelector('svg')?.getAttribute('aria-label');
    expect(label).toContain('ended at +12.5 big blinds, best +12.5, worst −3.0');
    expect(page.text('graph-scale')).toBe('0 BB+12.5−3.0');
    expect(page.text('graph-point')).toBe('After hand 3: +12.5 BB (+1,550)');
    page.choose('graph-slider', '1', 'input');
    expect(page.text('graph-point')).toBe('After hand 2: −3.0 BB (−400)');
  });

  it('names the biggest pots and what the computer decided, each to be replayed', async () => {
    await open();
    expect(server.seen).toContain('/hands?match=m_1&min_pot=1500&limit=100');
    const links = (testid: string): (string | null)[] =>
      [...page.find(testid).querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(links('biggest-pots')).toEqual(['/hand/h_10']);
    expect(links('decided-hands')).toEqual(['/hand/h_3']);
    expect(page.all('voided-hands')).toHaveLength(0);
    expect(page.find('replay-hands').getAttribute('href')).toBe('/history?match=m_1');
  });

  it('says when a match does not count, or not yet', async () => {
    await open({ reason: 'void', hands: 0 });
    expect(document.body.textContent).toContain('does not count for the leaderboard');
    expect(page.all('graph')).toHaveLength(0);
    await page.clear();
    await open({ reason: null });
    expect(document.body.textContent).toContain('once the match is settled');
  });
});
