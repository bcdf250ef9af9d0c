/** One's own record, and the leaderboard with its pinned row and other views. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import Leaderboard from '../src/routes/Leaderboard.svelte';
import Profile from '../src/routes/Profile.svelte';
import { PathServer } from './paths';
import { AT, Stage, match, soon, standing } from './played';

const server = new PathServer();
const page = new Stage();
const user = { id: 'u_1', display_name: 'Otter', kind: 'guest', username: null };

beforeEach(() => server.install());
afterEach(async () => {
  await page.clear();
  server.restore();
});

describe('the own record', () => {
  beforeEach(() => {
    server.at('/me', { user, created_at: AT, email: null, recovery_code_at: null });
    server.at('/leaderboards/hu_river/me', standing(349));
    server.at('/matches', {
      items: [
        match({ id: 'm_2', state: 'between_hands', result_bb: '-3.0', result_chips: -300 }),
        match({ id: 'm_1', state: 'settled', hands: 37, result_bb: '+12.5', result_chips: 1250 }),
      ],
      next_cursor: null,
    });
  });

  it('has the figures of the leaderboard', async () => {
    page.show(Profile, {});
    await soon(() => page.find('profile-totals'));
    flushSync();
    expect(page.text('profile-net')).toBe('+14.66 BB +1,466');
    const facts = [...page.find('profile-totals').children].map((fact) =>
      [...fact.children].map((part) => part.textContent),
    );
    expect(facts.slice(0, 6)).toEqual([
      ['BB/100', '+4.20'],
      ['95% interval', '±12.30'],
      ['Hands', '349'],
      ['Rank', '–'],
      ['AI decided', '1 (0.3%)'],
      ['Not counted', '2'],
    ]);
    expect(document.body.textContent).toContain('349 of 500 hands');
  });

  it('lists matches: open ones lead to the table, closed ones to their summary', async () => {
    page.show(Profile, {});
    await soon(() => page.find('profile-matches'));
    flushSync();
    expect(page.all('profile-match').map((link) => link.getAttribute('href'))).toEqual([
      '/table/t_1',
      '/match/m_1',
    ]);
    expect(page.text('profile-matches')).toContain('37 hands · settled +12.5 BB');
  });

  it('says so when nothing was played yet', async () => {
    server.at('/matches', { items: [], next_cursor: null });
    server.at('/leaderboards/hu_river/me', { ...standing(0), row: null });
    page.show(Profile, {});
    await soon(() => expect(document.body.textContent).toContain('not sat down yet'));
    expect(document.body.textContent).toContain('Nothing is counted yet');
  });
});

describe('the leaderboard', () => {
  const empty = {
    board: 'hu_river',
    section: 'ranked',
    items: [],
    next_cursor: null,
    as_of: AT,
    ranked_hands: 500,
    window: 'all',
    version: null,
    seasons: ['2026-Q4'],
    versions: ['river-1', 'river-2'],
  };

  beforeEach(() => {
    for (const board of ['hu_river', 'bots']) {
      server.at(`/leaderboards/${board}`, empty);
      server.at(`/leaderboards/${board}/me`, standing(349));
    }
  });

  async function open(): Promise<void> {
    page.show(Leaderboard, {});
    await soon(() => page.find('my-standing'));
    flushSync();
  }

  it('pins the own row with the way to a rank', async () => {
    await open();
    expect(page.text('my-standing')).toContain('151 more hands to a rank');
    expect(page.find('my-standing').querySelector('progress')?.value).toBe(349);
  });

  it('tells what is missing to the next rank', async () => {
    const ranked = standing(612) as { row: object };
    server.at('/leaderboards/hu_river/me', {
      ...ranked,
      row: { ...ranked.row, rank: 4 },
      hands_to_rank: 0,
      next_rank: { rank: 3, bb_per_100_missing: '0.35' },
    });
    await open();
    expect(page.text('my-standing')).toContain('Rank 4');
    expect(page.text('my-standing')).toContain('0.35 BB/100 more for rank 3');
  });

  it('asks for another board, another time, and one version of River', async () => {
    await open();
    const last = async (path: string): Promise<void> => {
      await soon(() => expect(server.seen).toContain(path));
      flushSync();
    };
    await soon(() => page.find('board-version'));
    page.choose('board-window', '2026-Q4');
    await last('/leaderboards/hu_river/me?window=2026-Q4');
    page.choose('board-version', 'river-2');
    await last('/leaderboards/hu_river?section=ranked&window=2026-Q4&version=river-2');
    page.press('board-bots');
    await last('/leaderboards/bots?section=qualifying&window=2026-Q4&version=river-2');
    expect(page.find('board-bots').getAttribute('aria-pressed')).toBe('true');
  });
});
