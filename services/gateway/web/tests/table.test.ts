import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { spoken } from '../src/lib/announce.svelte';
import { arrivals } from '../src/lib/arrival';
import { carryOut } from '../src/lib/command';
import { m } from '../src/lib/messages';
import { notedOf } from '../src/lib/noted';
import { notices, remark } from '../src/lib/notices.svelte';
import { session } from '../src/lib/session.svelte';
import { change, settings } from '../src/lib/settings.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { GUARD_MS } from '../src/lib/turn.svelte';
import type { Snapshot } from '../src/lib/types';
import { FakeClock } from './clock';
import { answers, problem } from './server';
import { ALL_IN_HAND, RIVER, YOU, legal, snapshot } from './support';

const yourTurn = (over: Partial<Snapshot> = {}): Snapshot =>
  snapshot({ turn: { seat: YOU }, legal: legal(), ...over });

const riversTurn = (): Snapshot => snapshot({ version: 2, turn: { seat: RIVER } });

const between = (): Snapshot => {
  const base = snapshot();
  return {
    ...base,
    hand: { ...base.hand, over: true },
    match: {
      ...base.match,
      state: 'between_hands',
      can_next_hand: true,
      can_top_up: true,
      can_settle: true,
    },
  };
};

const clock = new FakeClock();
const left: string[] = [];
let table: TableSession;

async function open(first: Snapshot): Promise<void> {
  server.next(200, first);
  table = new TableSession('t_1', { summary: (id) => left.push(id) }, undefined, clock);
  await table.start();
  clock.advance(GUARD_MS);
  flushSync();
}

const server = answers();

beforeEach(() => {
  server.install();
  left.length = 0;
  notices.waiting = [];
  session.state = 'open';
  change({ unit: 'chips', speed: 1, keys: true, fourColour: true });
});

afterEach(() => {
  table.close();
  server.restore();
});

describe('acting', () => {
  it('sends one request with one key for a double click', async () => {
    await open(yourTurn());
    server.next(200, { version: 2, events: [], legal: null, snapshot: riversTurn() });
    const clicks = [table.act('call'), table.act('call'), table.act('fold')];
    expect(table.bar).toBe('sending');
    await Promise.all(clicks);
    const posts = server.seen.filter((one) => one.method === 'POST');
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      path: '/v1/tables/t_1/actions',
      body: { turn_token: 'turn-1', type: 'call' },
    });
    expect(posts[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(table.bar).toBe('waiting');
  });

  it('sends the chosen total with a raise, exactly', async () => {
    await open(yourTurn());
    table.size(737);
    server.next(200, { version: 2, events: [], legal: null, snapshot: riversTurn() });
    await table.act('raise');
    expect(server.seen.at(-1)?.body).toEqual({ turn_token: 'turn-1', type: 'raise', to: 737 });
  });

  it('shows the action at once, as being sent', async () => {
    await open(yourTurn());
    server.next(200, { version: 2, events: [], legal: null, snapshot: riversTurn() });
    const sent = table.act('call');
    expect(table.sending?.action).toEqual({ type: 'call', to: null, added: 300 });
    const nowhere = { history: () => undefined, help: () => undefined };
    carryOut({ do: 'all_in' }, table, nowhere);
    expect(table.amount).toBe(600);
    await sent;
    expect(table.sending).toBeNull();
  });

  it('repeats a lost request and a 503 with the same key until there is an answer', async () => {
    vi.useFakeTimers();
    await open(yourTurn());
    server.next('lost').next(...problem(503, 'engine-unavailable'));
    server.next(200, { version: 2, events: [], legal: null, snapshot: riversTurn() });
    const sent = table.act('call');
    await vi.advanceTimersByTimeAsync(400);
    expect(table.notice).toMatch(/sent again/);
    expect(table.bar).toBe('sending');
    await vi.advanceTimersByTimeAsync(5000);
    await sent;
    vi.useRealTimers();
    const posts = server.seen.filter((one) => one.method === 'POST');
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map((one) => one.key)).size).toBe(1);
    expect([table.bar, table.notice]).toEqual(['waiting', '']);
  });

  it('shows the table as it stands after a stale turn', async () => {
    await open(yourTurn());
    server.next(...problem(409, 'stale-turn'));
    server.next(
      200,
      yourTurn({ version: 9, legal: legal({ turn_token: 'turn-2', to_call: 450 }) }),
    );
    await table.act('call');
    expect(table.view?.legal?.to_call).toBe(450);
    expect(table.notice).toMatch(/passed already/);
  });

  it('ignores clicks in the first 250 ms, which were meant for what was there before', async () => {
    server.next(200, yourTurn());
    table = new TableSession('t_1', { summary: (id) => left.push(id) }, undefined, clock);
    await table.start();
    await table.act('call');
    expect(server.seen.filter((one) => one.method === 'POST')).toHaveLength(0);
    expect(table.guarded).toBe(true);
    clock.advance(GUARD_MS);
    expect(table.guarded).toBe(false);
  });

  it('holds the amount between the server’s bounds and starts a turn at the minimum', async () => {
    await open(yourTurn());
    expect(table.amount).toBe(600);
    table.size(1_000_000);
    expect(table.amount).toBe(9700);
    table.size(-5);
    expect(table.amount).toBe(600);
  });
});

describe('what the server answers', () => {
  it('is played event by event, and the bar waits for the last one', async () => {
    arrivals.leaveTable('t_1', {
      snapshot: yourTurn({ log: ALL_IN_HAND.slice(0, 4) }),
      events: ALL_IN_HAND.slice(0, 4),
    });
    table = new TableSession('t_1', { summary: (id) => left.push(id) }, undefined, clock);
    await table.start();
    expect(table.bar).toBe('animating');
    expect(server.seen).toHaveLength(0);
    clock.advance(5000);
    expect(table.bar).toBe('your_turn');
    expect(spoken.text).toContain('Your turn. Call 300. Minimum raise to 600.');
  });

  it('is on the table at once after Skip', async () => {
    arrivals.leaveTable('t_1', { snapshot: yourTurn(), events: [...ALL_IN_HAND] });
    table = new TableSession('t_1', { summary: (id) => left.push(id) }, undefined, clock);
    await table.start();
    table.skip();
    expect(table.bar).toBe('your_turn');
  });

  it('is shown without motion at speed 0', async () => {
    change({ speed: 0 });
    expect(settings.speed).toBe(0);
    arrivals.leaveTable('t_1', { snapshot: yourTurn(), events: ALL_IN_HAND.slice(0, 4) });
    table = new TableSession('t_1', { summary: (id) => left.push(id) }, undefined, clock);
    await table.start();
    expect(table.bar).toBe('your_turn');
  });
});

describe('waiting for River', () => {
  it('asks gently until it is your turn, then stops asking', async () => {
    await open(riversTurn());
    expect(table.bar).toBe('waiting');
    server.next(200, riversTurn()).next(200, yourTurn({ version: 3 }));
    clock.advance(1200);
    expect(server.seen).toHaveLength(1);
    clock.advance(300);
    await vi.waitFor(() => expect(server.seen).toHaveLength(2));
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    clock.advance(1600);
    await vi.waitFor(() => expect(table.bar).toBe('your_turn'));
    clock.advance(60_000);
    expect(server.seen).toHaveLength(3);
  });
});

describe('a table that cannot be read', () => {
  it.each([404, 403])('is not there for this player: %i', async (status) => {
    await open(riversTurn());
    server.next(...problem(status, status === 404 ? 'not-found' : 'not-seated'));
    await table.refresh();
    expect(table.gone).toBe('missing');
  });

  it('is not said to be unchanged where the server failed after all', async () => {
    await open(yourTurn());
    server.next(...problem(500, 'internal')).next(200, riversTurn());
    await table.act('call');
    expect(table.notice).toBe(m.problem.unsure);
    expect(table.bar).toBe('waiting');
  });

  it('is still there when the server only failed to show it, and is asked for again', async () => {
    await open(riversTurn());
    server.next(...problem(500, 'internal')).next(200, yourTurn({ version: 3 }));
    await table.refresh();
    expect(table.gone).toBeNull();
    clock.advance(3000);
    await vi.waitFor(() => expect(table.bar).toBe('your_turn'));
  });
});

describe('between hands', () => {
  it('tops up and says so', async () => {
    await open(between());
    server.next(200, { stack: 10_000, added: 2500, total_buy_in: 12_500, snapshot: between() });
    await table.topUp();
    expect(server.seen.at(-1)?.path).toBe('/v1/matches/m_1/top-up');
    expect(table.notice).toBe('2,500 added to your stack.');
  });

  it('settles and goes to the summary', async () => {
    await open(between());
    server.next(200, { summary: { match_id: 'm_1', hands: 3 } });
    await table.settle();
    expect(left).toEqual(['m_1']);
    expect(arrivals.takeSummary('m_1')).toMatchObject({ hands: 3 });
  });

  it('does nothing that the server did not offer', async () => {
    const base = between();
    await open({
      ...base,
      match: { ...base.match, state: 'busted', can_next_hand: false, can_top_up: false },
    });
    await table.nextHand();
    await table.topUp();
    expect(server.seen.filter((one) => one.method === 'POST')).toHaveLength(0);
  });

  it('names the hand that the next one follows', async () => {
    const before = between();
    await open(before);
    server.next(409, {});
    await table.nextHand();
    expect(server.seen.find((one) => one.method === 'POST')?.body).toMatchObject({
      after_hand_no: before.hand.no,
    });
  });

  it('sends its part in the shuffle, and notes what the server had announced', async () => {
    const [announced, secret] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const before = between();
    await open({ ...before, match: { ...before.match, next_commit_root: announced } });
    const hand = { ...before.hand, id: 'h_2', no: 2, over: false, commit_root: secret };
    server.next(200, { events: [], snapshot: snapshot({ hand }) });
    await table.nextHand();
    const { client_seed: seed } = server.seen.at(-1)?.body as { client_seed: string };
    expect(seed).toMatch(/^[0-9a-f]{32}$/);
    const proof = { scheme: '', root: secret, client_seed: seed, permutation: [], openings: [] };
    expect(notedOf('h_2', proof)).toMatchObject({ announced, seed, dealt: secret });
  });

  async function dealt(announced: string | null, root: string | null, id: string): Promise<void> {
    const before = between();
    await open({ ...before, match: { ...before.match, next_commit_root: announced } });
    const hand = { ...before.hand, id, no: 2, over: false, commit_root: root };
    server.next(200, { events: [], snapshot: snapshot({ hand, turn: { seat: RIVER } }) });
    await table.nextHand();
    expect(table.view?.handNo).toBe(2);
  }
  const [ONE, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)];

  it.each([
    [ONE, OTHER],
    [ONE, null],
  ])('warns of a deck that is not the one announced, once: %s, %s', async (announced, root) => {
    const id = `h_${root}`;
    remark(() => 'Something else.');
    await dealt(announced, root, id);
    server.next(200, { ...snapshot(), hand: { ...snapshot().hand, id, no: 2, commit_root: root } });
    await table.refresh();
    const [warning, ...others] = notices.waiting;
    expect(warning).toMatchObject({ urgent: true, link: { href: `/hand/${id}` } });
    expect(warning?.text()).toBe(m.notice.otherDeck(2));
    expect(others.map(({ text }) => text())).toEqual(['Something else.']);
  });

  it.each([
    [ONE, ONE],
    [null, OTHER],
    [null, null],
  ])(
    'does not warn of the deck that was announced, or of any where none was: %s, %s',
    async (announced, root) => {
      await dealt(announced, root, `h_${announced}_${root}`);
      expect(notices.waiting).toEqual([]);
    },
  );

  it('explains instead of starting over when the session is gone', async () => {
    await open(between());
    server.next(...problem(401, 'no-session'));
    await table.nextHand();
    expect(session.state).toBe('lost');
  });

  it('says when the match has expired', async () => {
    await open(between());
    server.next(...problem(410, 'match-expired'));
    await table.nextHand();
    expect(table.gone).toBe('expired');
  });
});
