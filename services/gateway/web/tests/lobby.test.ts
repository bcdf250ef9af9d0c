import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { arrivals } from '../src/lib/arrival';
import { m } from '../src/lib/messages';
import { notedOf } from '../src/lib/noted';
import { connection } from '../src/lib/online.svelte';
import { router } from '../src/lib/router.svelte';
import type { Consequence, Resume } from '../src/lib/types';
import Lobby from '../src/routes/Lobby.svelte';
import { answers, problem } from './server';
import { snapshot } from './support';

const server = answers();
let page: Record<string, unknown>;

const find = (testid: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-testid="${testid}"]`);

const lobby = (consequence: Consequence, state: Resume['state']): unknown => ({
  user: { id: 'u_1', display_name: 'Otter', kind: 'guest' },
  resume: {
    match_id: 'm_1',
    table_id: 't_1',
    state,
    hand_no: 7,
    your_turn: false,
    kept_until: '2036-01-01T00:00:00Z',
    consequence,
  },
  presets: [
    {
      id: 'hu_river',
      small_blind: 50,
      big_blind: 100,
      buy_in: { min: 3000, max: 10_000, step: 50, default: 10_000 },
    },
  ],
  standing: null,
  next_commit_root: 'a'.repeat(64),
});

async function open(card: string): Promise<void> {
  page = mount(Lobby, { target: document.body });
  await vi.waitFor(() => expect(find(card)).not.toBeNull());
  flushSync();
}

beforeEach(() => server.install());
afterEach(async () => {
  await unmount(page);
  document.body.innerHTML = '';
  server.restore();
});

describe('a match whose player is out of chips', () => {
  it('is shown as over, and settled from the lobby', async () => {
    server.next(200, lobby('settle', 'busted'));
    await open('finished-card');
    expect(document.body.textContent).not.toContain('seat is kept');
    server.next(200, { summary: { match_id: 'm_1', hands: 7 } });
    find('settle-finished')?.click();
    await vi.waitFor(() => expect(router.route).toEqual({ name: 'summary', id: 'm_1' }));
    expect(server.seen.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/matches/m_1/settle',
    });
    expect(arrivals.takeSummary('m_1')).toMatchObject({ hands: 7 });
  });

  it('is called over in the question before a new one, too', async () => {
    server.next(200, lobby('settle', 'busted')).next(200, lobby('settle', 'busted'));
    await open('finished-card');
    find('sit-down')?.click();
    flushSync();
    expect(find('supersede')?.textContent).toContain('out of chips');
    expect(find('supersede-confirm')?.textContent).toContain('Settle it and start new');
  });
});

describe('a match between hands', () => {
  it('is kept, and nobody looks at its table', async () => {
    server.next(200, lobby('settle', 'between_hands'));
    await open('resume-card');
    expect(find('finished-card')).toBeNull();
    expect(server.seen.map((one) => one.path)).toEqual(['/v1/lobby']);
  });

  it('is looked at again when the page is', async () => {
    server.next(200, lobby('settle', 'between_hands')).next(200, lobby('ai_decides', 'in_hand'));
    await open('resume-card');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.waitFor(() => {
      flushSync();
      expect(find('resume-card')?.textContent).toContain('AI decided');
    });
  });
});

describe('sitting down', () => {
  const nobody = { ...(lobby('settle', 'in_hand') as object), resume: null };
  const sit = async (status: number, type: string): Promise<void> => {
    server.next(200, nobody);
    await open('sit-down');
    server
      .next(200, nobody)
      .next(...problem(status, type))
      .next(200, nobody);
    find('sit-down')?.click();
  };
  const says = async (words: string): Promise<void> =>
    vi.waitFor(() => {
      flushSync();
      expect(document.querySelector('[role="alert"]')?.textContent).toBe(words);
    });

  it('notes the root as it is announced now, and sends a part in the shuffle', async () => {
    const announced = 'b'.repeat(64);
    server.next(200, nobody);
    await open('sit-down');
    const { hand, ...rest } = snapshot();
    const dealt = { ...rest, hand: { ...hand, id: 'h_first', commit_root: announced } };
    server
      .next(200, { ...nobody, next_commit_root: announced })
      .next(201, { match: rest.match, table_id: 't_1', events: [], snapshot: dealt });
    find('sit-down')?.click();
    await vi.waitFor(() => expect(router.route).toMatchObject({ name: 'table', id: 't_1' }));
    const { client_seed: seed } = server.seen.at(-1)?.body as { client_seed: string };
    expect(seed).toMatch(/^[0-9a-f]{32}$/);
    const proof = { scheme: '', root: 'c', client_seed: null, permutation: [], openings: [] };
    expect(notedOf('h_first', proof)).toMatchObject({ announced, seed, dealt: announced });
  });

  it('does not call a limit a lost connection', async () => {
    await sit(429, 'rate-limited');
    await says(m.problem.rateLimited);
    expect(connection.trouble).toBe(false);
  });

  it('takes its trouble along when the lobby is left', async () => {
    await sit(503, 'engine-unavailable');
    await says(m.connection.sendingAgain);
    expect(connection.trouble).toBe(true);
    await unmount(page);
    expect(connection.trouble).toBe(false);
    // The wish is given up when its next try is due, and nothing is read for a screen that is gone.
    const asked = server.seen.length;
    await new Promise((due) => setTimeout(due, 3_000));
    expect(server.seen).toHaveLength(asked);
  });

  it('shows what there is after a failure that may have come too late', async () => {
    await sit(500, 'internal');
    await says(m.problem.unsure);
    await vi.waitFor(() => expect(server.seen.at(-1)?.path).toBe('/v1/lobby'));
  });
});

describe('a match that was closed elsewhere', () => {
  it('is not asked about any more', async () => {
    const before = lobby('settle', 'between_hands') as Record<string, unknown>;
    server.next(200, before).next(200, { ...before, resume: null });
    await open('resume-card');
    find('sit-down')?.click();
    flushSync();
    expect(find('consequence')).not.toBeNull();
    await vi.waitFor(() => {
      flushSync();
      expect([find('consequence'), find('resume-card')]).toEqual([null, null]);
    });
  });
});

describe('the question before a new match', () => {
  beforeEach(async () => {
    server.next(200, lobby('ai_decides', 'in_hand')).next(200, lobby('settle', 'between_hands'));
    await open('resume-card');
    find('sit-down')?.click();
    flushSync();
    expect(find('consequence')?.textContent).toContain('AI decided');
  });

  const says = async (words: string): Promise<void> =>
    vi.waitFor(() => {
      flushSync();
      expect(find('consequence')?.textContent).toContain(words);
    });

  it('tells what applies by now, when the match has gone on elsewhere', async () => {
    await says('settled as it stands');
  });

  it('holds the server to what was told, and asks anew when that is no longer so', async () => {
    const [status, refusal] = problem(409, 'active-match');
    server
      .next(200, lobby('settle', 'between_hands'))
      .next(status, { ...(refusal as object), consequence: 'void_hand' })
      .next(200, lobby('void_hand', 'in_hand'));
    await says('settled as it stands');
    find('supersede-confirm')?.click();
    await says('called off');
    const posts = server.seen.filter((one) => one.method === 'POST');
    expect(posts.map(({ body }) => body)).toMatchObject([
      { supersede: true, consequence: 'settle' },
    ]);
  });

  const gone = (): void => {
    flushSync();
    expect(find('consequence')).toBeNull();
    expect(server.seen.filter((one) => one.method === 'POST')).toHaveLength(0);
  };

  it('is closed by Cancel', () => {
    find('supersede-cancel')?.click();
    gone();
  });

  it('is closed by a press on the backdrop, not by one on the sheet', () => {
    const dialog = find('supersede');
    const press = (target: Element | null | undefined): void => {
      target?.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true }));
      target?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      flushSync();
    };
    press(dialog?.querySelector('h2'));
    expect(find('consequence')).not.toBeNull();
    press(dialog);
    gone();
  });

  it('is closed by Esc, which closes the dialog itself', () => {
    (find('supersede') as HTMLDialogElement).close();
    gone();
  });
});
