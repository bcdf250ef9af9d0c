import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { spoken } from '../src/lib/announce.svelte';
import { arrivals } from '../src/lib/arrival';
import { AUTO_MS } from '../src/lib/auto';
import type { Message } from '../src/lib/lines';
import { LiveConnection } from '../src/lib/live';
import { beforeHand, reduce } from '../src/lib/reducer';
import { session } from '../src/lib/session.svelte';
import { DEFAULTS, adopt } from '../src/lib/settings.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { GUARD_MS } from '../src/lib/turn.svelte';
import type { Match, Snapshot } from '../src/lib/types';
import { FakeClock } from './clock';
import { FakeSocket, HELLO, TABLE, installLines, restoreLines } from './lines';
import { answers, problem } from './server';
import { ALL_IN_HAND, RIVER, YOU, legal, range, snapshot } from './support';

const server = answers();
let clock: FakeClock;
let table: TableSession;
let shown: { seq: number; instant: boolean }[];

const turnOf = (over: Parameters<typeof legal>[0] = {}): Snapshot =>
  snapshot({ turn: { seat: YOU }, legal: legal(over) });

function between(over: Partial<Match> = {}): Snapshot {
  const base = snapshot();
  const match = {
    ...base.match,
    state: 'between_hands' as const,
    can_next_hand: true,
    can_settle: true,
    ...over,
  };
  return { ...base, hand: { ...base.hand, over: true }, match };
}

/** The table after the first events of the hand on which both are all-in. */
function after(last: number, over: Partial<Snapshot> = {}): Snapshot {
  const log = ALL_IN_HAND.slice(0, last);
  const { seats } = log.reduce(reduce, beforeHand(snapshot()));
  const board = log.flatMap((event) => (event.type === 'street.dealt' ? event.data.cards : []));
  const base = snapshot({ version: last, log });
  return { ...base, hand: { ...base.hand, board }, seats, ...over };
}

function create(live: LiveConnection | null = null): void {
  table = new TableSession(
    't_1',
    { summary: () => undefined },
    (event, _before, _after, instant) => shown.push({ seq: event.seq, instant }),
    clock,
    live,
  );
}

async function open(first: Snapshot): Promise<void> {
  server.next(200, first);
  create();
  await table.start();
  clock.advance(GUARD_MS);
}

const posts = (): typeof server.seen => server.seen.filter(({ method }) => method === 'POST');
const answered = (): void =>
  void server.next(200, {
    version: 2,
    events: [],
    legal: null,
    snapshot: snapshot({ version: 2, turn: { seat: RIVER } }),
  });

beforeEach(() => {
  server.install();
  installLines();
  clock = new FakeClock();
  shown = [];
  session.state = 'open';
  adopt({ ...DEFAULTS });
});

afterEach(() => {
  table.close();
  restoreLines();
  server.restore();
});

describe('what is asked before it is sent', () => {
  it('is everything, when that is wanted', async () => {
    adopt({ confirmAllIn: true });
    await open(turnOf());
    table.size(9700);
    await table.act('raise');
    expect(table.question).toEqual({ why: 'all_in', type: 'raise', to: 9700, chips: 9700 });
    expect(posts()).toEqual([]);
    answered();
    await table.answer(true);
    expect(posts()[0]?.body).toEqual({ turn_token: 'turn-1', type: 'raise', to: 9700 });
  });

  it('is a call for the whole stack too, and no leaves everything as it was', async () => {
    adopt({ confirmAllIn: true });
    await open(turnOf({ to_call: 40, call_all_in: true, raise: null }));
    await table.act('call');
    expect(table.question).toMatchObject({ why: 'all_in', type: 'call', chips: 40 });
    await table.answer(false);
    expect([table.question, table.bar, posts()]).toEqual([null, 'your_turn', []]);
  });

  it('is nothing less than everything', async () => {
    adopt({ confirmAllIn: true });
    await open(turnOf());
    table.size(9650);
    answered();
    await table.act('raise');
    expect([table.question, posts()[0]?.body]).toEqual([
      null,
      { turn_token: 'turn-1', type: 'raise', to: 9650 },
    ]);
  });

  it('is nothing where it is not wanted', async () => {
    await open(turnOf({ raise: range({ min_to: 9700, max_to: 9700 }) }));
    answered();
    await table.act('raise');
    expect(posts()).toHaveLength(1);
  });

  it('is a fold where checking is free, always', async () => {
    await open(turnOf({ can_fold: true, can_check: true, to_call: 0 }));
    await table.act('fold');
    expect(table.question).toMatchObject({ why: 'free_fold', type: 'fold' });
    answered();
    await table.answer(true);
    expect(posts()[0]?.body).toEqual({ turn_token: 'turn-1', type: 'fold' });
  });

  it('is forgotten when the turn is over', async () => {
    await open(turnOf({ can_check: true, to_call: 0 }));
    await table.act('fold');
    server.next(200, turnOf({ turn_token: 'turn-2', can_check: true, to_call: 0 }));
    await table.refresh();
    expect(table.question).toBeNull();
    await table.answer(true);
    expect(posts()).toEqual([]);
  });
});

describe('skipping', () => {
  it('says in short what was skipped, and whose turn it is', async () => {
    arrivals.leaveTable('t_1', {
      snapshot: after(12, { turn: { seat: YOU }, legal: legal() }),
      events: ALL_IN_HAND.slice(0, 12),
    });
    create();
    await table.start();
    table.skip();
    expect(table.bar).toBe('your_turn');
    expect(spoken.text).toMatch(
      /^Skipped\. .*River calls 200\. Flop: [^.]+\. River checks\. Your turn\. Call 300\./,
    );
  });

  it('says the result of a hand that is over', async () => {
    const over = after(23);
    arrivals.leaveTable('t_1', {
      snapshot: { ...over, hand: { ...over.hand, over: true } },
      events: [...ALL_IN_HAND],
    });
    create();
    await table.start();
    table.skip();
    expect(spoken.text).toMatch(/^Skipped\. You win 20,000 with a flush, ace high/);
    expect(shown.at(-1)).toEqual({ seq: 23, instant: true });
  });
});

describe('asking for the next hand', () => {
  const dealt = (): string[] => posts().map(({ path }) => path);

  async function watch(last: number, over: boolean): Promise<void> {
    const stood = after(last);
    const { match } = between();
    arrivals.leaveTable('t_1', {
      snapshot: { ...stood, match, hand: { ...stood.hand, over } },
      events: ALL_IN_HAND.slice(0, last),
    });
    create();
    await table.start();
    expect(table.bar).toBe('animating');
  }

  it('tells the end at once, and deals', async () => {
    await watch(23, true);
    answered();
    await table.nextHand();
    expect(dealt()).toEqual(['/v1/matches/m_1/next-hand']);
    expect(shown.at(-1)).toEqual({ seq: 23, instant: true });
  });

  it('deals one hand for two presses, though that one is over as soon as it is dealt', async () => {
    await watch(23, true);
    const events = ALL_IN_HAND.map((event) => ({ ...event, seq: event.seq + 23 }));
    const over = after(23);
    const hand = { ...over.hand, id: 'h_2', no: 2, over: true };
    const second = { ...over, match: between().match, hand, log: events };
    server.next(200, { events, snapshot: second });
    await Promise.all([table.nextHand(), table.nextHand()]);
    await table.nextHand();
    expect([dealt().length, table.bar]).toEqual([1, 'animating']);
    clock.advance(GUARD_MS);
    answered();
    await table.nextHand();
    expect(dealt()).toHaveLength(2);
  });

  it('does nothing while the hand goes on', async () => {
    await watch(12, false);
    await table.nextHand();
    expect(dealt()).toEqual([]);
    expect(table.bar).toBe('animating');
  });
});

describe('between hands, without being asked', () => {
  it('the next hand is dealt after a while, once', async () => {
    adopt({ autoNextHand: true });
    await open(between());
    expect(table.auto).toBe('next_hand');
    server.next(...problem(409, 'not-eligible')).next(200, between());
    clock.advance(AUTO_MS - GUARD_MS - 1);
    expect(posts()).toEqual([]);
    clock.advance(1);
    await vi.waitFor(() => expect(table.bar).toBe('hand_over'));
    expect(table.auto).toBeNull();
    clock.advance(60_000);
    expect(posts().map(({ path }) => path)).toEqual(['/v1/matches/m_1/next-hand']);
  });

  it('the next hand is dealt when that is asked for only now', async () => {
    await open(between());
    adopt({ autoNextHand: true });
    expect(table.auto).toBe('next_hand');
    table.rewind();
    answered();
    clock.advance(AUTO_MS);
    await vi.waitFor(() => expect(posts()).toHaveLength(1));
  });

  it('chips come first', async () => {
    adopt({ autoNextHand: true, autoTopUp: true });
    await open(between({ can_top_up: true }));
    server.next(200, { stack: 10_000, added: 500, total_buy_in: 10_500, snapshot: between() });
    clock.advance(AUTO_MS);
    await vi.waitFor(() => expect(table.notice).toMatch(/500/));
    answered();
    clock.advance(AUTO_MS);
    await vi.waitFor(() => expect(posts()).toHaveLength(2));
    expect(posts().map(({ path }) => path.split('/').at(-1))).toEqual(['top-up', 'next-hand']);
  });

  it('nothing happens by default, nor after a bust', async () => {
    await open(between({ can_top_up: true }));
    expect([table.auto, clock.pending]).toEqual([null, 0]);
    adopt({ autoNextHand: true, autoTopUp: true });
    server.next(200, between({ state: 'busted', can_next_hand: false }));
    await table.refresh();
    expect([table.auto, clock.pending]).toEqual([null, 0]);
  });

  it('nothing happens while a dialog is being read', async () => {
    adopt({ autoNextHand: true });
    await open(between());
    const dialog = document.createElement('dialog');
    dialog.setAttribute('open', '');
    document.body.append(dialog);
    clock.advance(AUTO_MS * 3);
    expect(posts()).toEqual([]);
    dialog.remove();
    answered();
    clock.advance(AUTO_MS);
    await vi.waitFor(() => expect(posts()).toHaveLength(1));
  });
});

describe('an action while there is no network', () => {
  it('is kept, shown as being sent, and sent once with its key as soon as there is one', async () => {
    vi.useFakeTimers();
    await open(turnOf());
    for (let tries = 0; tries < 5; tries += 1) server.next('lost');
    const sent = table.act('call');
    await table.act('fold');
    await vi.advanceTimersByTimeAsync(12_000);
    expect([table.bar, table.sending?.action?.type]).toEqual(['sending', 'call']);
    expect(posts()).toHaveLength(5);
    answered();
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    await sent;
    vi.useRealTimers();
    expect(posts()).toHaveLength(6);
    expect(new Set(posts().map(({ key }) => key)).size).toBe(1);
    expect(posts().every(({ body }) => (body as { type: string }).type === 'call')).toBe(true);
    expect(table.bar).toBe('waiting');
  });
});

describe('a connection that is lost in the middle of an animation', () => {
  async function live(first: Snapshot): Promise<FakeSocket> {
    server.next(201, { ticket: 'abc' }).next(200, first);
    create(new LiveConnection('t_1', clock, () => 1));
    await table.start();
    await vi.waitFor(() => expect(FakeSocket.made).toHaveLength(1));
    const socket = FakeSocket.made[0] as FakeSocket;
    socket.hear(HELLO);
    return socket;
  }

  it('shows the final state at once when it is back', async () => {
    const socket = await live(after(6, { turn: { seat: RIVER } }));
    const tell = (from: number, to: number): Message[] =>
      ALL_IN_HAND.slice(from - 1, to).map((event) => ({ op: 'ev', ch: TABLE, ...event }));
    server.next(200, after(6, { turn: { seat: RIVER } }));
    socket.hear({ op: 'synced', ch: TABLE, seq: 6 }, ...tell(7, 9));
    expect(shown).toEqual([]);
    server.next(201, { ticket: 'def' });
    socket.drop({ reason: 'restart', retry_ms: 1000 });
    clock.advance(100);
    expect(shown).toEqual([]);
    clock.advance(1000);
    await vi.waitFor(() => expect(FakeSocket.made).toHaveLength(2));
    const second = FakeSocket.made[1] as FakeSocket;
    second.hear(HELLO, ...tell(10, 12), { op: 'synced', ch: TABLE, seq: 12 });
    expect(shown.map(({ seq }) => seq)).toEqual([7, 8, 9, 10, 11, 12]);
    expect(shown.slice(-3).every(({ instant }) => instant)).toBe(true);
    server.next(200, after(12, { turn: { seat: YOU }, legal: legal() }));
    clock.advance(100);
    await vi.waitFor(() => expect(table.bar).toBe('your_turn'));
  });
});
