import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { LiveEvent, Message } from '../src/lib/lines';
import type { Listener, LiveState } from '../src/lib/live';
import {
  LiveConnection,
  SOCKET_TRIES,
  START_OVER_MS,
  STREAM_TRIES,
  backoff,
} from '../src/lib/live';
import { HELLO_MS, PONG_MS } from '../src/lib/socket';
import { FakeClock } from './clock';
import { FakeSocket, FakeSource, HELLO, TABLE, installLines, restoreLines } from './lines';
import { answers, problem } from './server';
import { snapshot } from './support';

const server = answers();
let clock: FakeClock;
let live: LiveConnection;
let since: number | null;
let told: (string | number)[];
let states: LiveState[];
let reasons: string[];

const listener: Listener = {
  since: () => since,
  event: (event: LiveEvent) => {
    told.push(event.seq);
    since = event.seq;
  },
  snapshot: (seq) => {
    told.push(`snap ${seq}`);
    since = seq;
  },
  synced: () => told.push('synced'),
  notices: (news) => told.push(...news.map((notice) => notice.type)),
  state: (state, reason) => {
    if (states.at(-1) !== state) states.push(state);
    reasons.push(reason);
  },
  refused: () => told.push('refused'),
  lost: () => told.push('lost'),
  replaced: () => told.push('replaced'),
};

const event = (seq: number): Message => ({
  op: 'ev',
  ch: TABLE,
  seq,
  type: 'turn.started',
  at: '',
  data: { seat: 2 },
});
const synced: Message = { op: 'synced', ch: TABLE, seq: 0 };

const tickets = (): number => server.seen.filter(({ path }) => path === '/v1/ws-tickets').length;

/** The newest socket, once its ticket has been fetched. */
async function socket(count: number): Promise<FakeSocket> {
  await vi.waitFor(() => expect(FakeSocket.made).toHaveLength(count));
  return FakeSocket.made[count - 1] as FakeSocket;
}

function source(count: number): FakeSource {
  expect(FakeSource.made).toHaveLength(count);
  return FakeSource.made[count - 1] as FakeSource;
}

async function connected(): Promise<FakeSocket> {
  server.next(201, { ticket: 'abc' });
  live.start(listener);
  const first = await socket(1);
  first.hear(HELLO, synced);
  return first;
}

/** Sockets are opened and shut by something in between. */
async function blocked(): Promise<void> {
  for (let count = 1; count <= SOCKET_TRIES; count += 1) {
    const one = await socket(count);
    if (count < SOCKET_TRIES) server.next(201, { ticket: 'abc' });
    one.drop();
    if (count < SOCKET_TRIES) clock.advance(20_000);
  }
}

beforeEach(() => {
  server.install();
  installLines();
  clock = new FakeClock();
  live = new LiveConnection('t_1', clock, () => 1);
  since = 7;
  told = [];
  states = [];
  reasons = [];
});

afterEach(() => {
  live.stop();
  restoreLines();
  server.restore();
});

describe('a socket', () => {
  it('is opened with a ticket and goes on behind what is known', async () => {
    const first = await connected();
    expect(first.address).toMatch(/^ws:.*\/v1\/ws\?ticket=abc$/);
    expect(first.subprotocol).toBe('holdem.v1');
    expect(first.said.slice(0, 2)).toEqual([
      { op: 'sub', ch: TABLE, since: 7 },
      { op: 'sub', ch: 'user:me' },
    ]);
    expect(states).toEqual(['connecting', 'live']);
  });

  it('begins with a snapshot when nothing is known', async () => {
    since = null;
    const first = await connected();
    expect(first.subs).toEqual([{ op: 'sub', ch: TABLE }]);
    first.hear({ op: 'snap', ch: TABLE, seq: 4, data: snapshot() }, event(5));
    expect(told).toEqual(['synced', 'snap 4', 5]);
  });

  it('tells notices, kept and new', async () => {
    const first = await connected();
    const kept = { seq: 1, type: 'match.settled', at: '', read: false, data: {} } as const;
    first.hear({ op: 'snap', ch: 'user:me', seq: 1, data: { notices: [kept] } });
    first.hear({ op: 'ev', ch: 'user:me', seq: 2, type: 'match.expiring', at: '', data: {} });
    expect(told.slice(1)).toEqual(['match.settled', 'match.expiring']);
  });

  it('asks for a snapshot once when something is missing, and passes over what comes before it', async () => {
    const first = await connected();
    live.resync();
    live.resync();
    expect(first.subs.slice(1)).toEqual([{ op: 'sub', ch: TABLE }]);
    first.hear(event(12), { op: 'snap', ch: TABLE, seq: 12, data: snapshot() }, event(13));
    expect(told.slice(1)).toEqual(['snap 12', 13]);
  });

  it('says that it is there however much it hears, and ends when nobody answers', async () => {
    const first = await connected();
    for (let seconds = 0; seconds < 60; seconds += 5) {
      first.hear({ op: 'pong' });
      clock.advance(5000);
    }
    expect(first.said.filter(({ op }) => op === 'ping')).toHaveLength(4);
    clock.advance(PONG_MS);
    expect(first.closed).toBe(true);
    expect(states.at(-1)).toBe('reconnecting');
  });

  it('that opens and stays silent counts as failed', async () => {
    server.next(201, { ticket: 'abc' });
    live.start(listener);
    const first = await socket(1);
    clock.advance(HELLO_MS);
    expect(first.closed).toBe(true);
  });

  it('that breaks is made anew from the newest number, with nothing told twice', async () => {
    const first = await connected();
    first.hear(event(8));
    server.next(201, { ticket: 'def' });
    first.drop();
    expect(states.at(-1)).toBe('reconnecting');
    clock.advance(500);
    const second = await socket(2);
    second.hear(HELLO);
    expect(second.subs).toEqual([{ op: 'sub', ch: TABLE, since: 8 }]);
    first.hear(event(9));
    second.hear(event(9), synced);
    expect(told).toEqual(['synced', 8, 9, 'synced']);
    expect(states.at(-1)).toBe('live');
  });

  it('waits as long as a server that stops asks, and says why', async () => {
    const first = await connected();
    first.drop({ reason: 'restart', retry_ms: 1480 });
    expect(reasons.at(-1)).toBe('restart');
    clock.advance(1479);
    expect(tickets()).toBe(1);
    server.next(201, { ticket: 'def' });
    clock.advance(1);
    expect(tickets()).toBe(2);
  });

  it('is never blamed for a server that cannot be reached', async () => {
    const first = await connected();
    for (let tries = 0; tries < 6; tries += 1) server.next('lost');
    first.drop();
    for (let tries = 2; tries < 7; tries += 1) {
      clock.advance(20_000);
      await vi.waitFor(() => expect(clock.pending).toBe(1));
      expect(tickets()).toBe(tries);
    }
    expect(FakeSource.made).toHaveLength(0);
    expect(states.at(-1)).toBe('reconnecting');
  });

  it('given to newer pages comes back only when the player wants it', async () => {
    const first = await connected();
    first.drop({ reason: 'replaced', retry_ms: null });
    dispatchEvent(new Event('online'));
    clock.advance(600_000);
    expect(states.at(-1)).toBe('elsewhere');
    expect(tickets()).toBe(1);
    server.next(201, { ticket: 'def' });
    live.playHere();
    (await socket(2)).hear(HELLO, synced);
    expect(states.at(-1)).toBe('live');
  });

  it('of a session that ended asks who plays here now', async () => {
    const first = await connected();
    server.next(201, { ticket: 'def' });
    first.drop({ reason: 'no-session', retry_ms: null });
    clock.advance(500);
    (await socket(2)).hear(HELLO, synced);
    expect(told).toContain('replaced');
  });

  it('without anybody signed in ends', async () => {
    server.next(...problem(401, 'no-session'));
    live.start(listener);
    await vi.waitFor(() => expect(told).toEqual(['lost']));
    expect(clock.pending).toBe(0);
  });
});

describe('where sockets are blocked', () => {
  beforeEach(() => {
    server.next(201, { ticket: 'abc' });
    live.start(listener);
  });

  it('the table is followed by a stream from the same number, and this is said', async () => {
    await blocked();
    const stream = source(1);
    expect(stream.address).toBe('/v1/tables/t_1/events?since=7');
    stream.hear(HELLO, event(8), synced);
    expect(told).toEqual([8, 'synced']);
    expect(states).toEqual(['connecting', 'stream']);
  });

  it('and streams, too, the table is asked, and everything is tried again later', async () => {
    await blocked();
    for (let count = 1; count <= STREAM_TRIES; count += 1) {
      source(count).drop();
      if (count < STREAM_TRIES) clock.advance(20_000);
    }
    expect(states).toEqual(['connecting', 'polling']);
    server.next(201, { ticket: 'abc' });
    clock.advance(START_OVER_MS);
    const later = await socket(SOCKET_TRIES + 1);
    later.hear(HELLO, { op: 'snap', ch: TABLE, seq: 9, data: snapshot() }, synced);
    expect(states.at(-1)).toBe('live');
  });

  it('a stream that is refused its number begins with a snapshot', async () => {
    await blocked();
    source(1).drop();
    clock.advance(20_000);
    expect(source(2).address).toBe('/v1/tables/t_1/events');
  });

  it('a gap begins the stream anew', async () => {
    await blocked();
    const first = source(1);
    first.hear(HELLO, synced);
    live.resync();
    expect(first.closed).toBe(true);
    expect(source(2).address).toBe('/v1/tables/t_1/events');
  });

  it('another network is tried by socket at once', async () => {
    await blocked();
    source(1).hear(HELLO, synced);
    server.next(201, { ticket: 'abc' });
    dispatchEvent(new Event('online'));
    (await socket(SOCKET_TRIES + 1)).hear(HELLO, synced);
    expect(source(1).closed).toBe(true);
    expect(states.at(-1)).toBe('live');
  });
});

describe('the network of this machine', () => {
  it('takes the connection with it when it goes, and brings it back', async () => {
    const first = await connected();
    dispatchEvent(new Event('offline'));
    expect(first.closed).toBe(true);
    expect(states.at(-1)).toBe('reconnecting');
    server.next(201, { ticket: 'def' });
    dispatchEvent(new Event('online'));
    (await socket(2)).hear(HELLO, synced);
    expect(states.at(-1)).toBe('live');
  });
});

describe('a page', () => {
  const look = (state: 'visible' | 'hidden'): void => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('says when nobody looks, and makes sure of its connection when somebody does', async () => {
    const first = await connected();
    look('hidden');
    look('visible');
    expect(first.said.slice(2)).toEqual([
      { op: 'presence', away: true },
      { op: 'presence', away: false },
      { op: 'ping' },
    ]);
  });

  it('that is looked at does not wait for the next attempt', async () => {
    const first = await connected();
    first.drop({ reason: 'rate', retry_ms: 10_000 });
    server.next(201, { ticket: 'def' });
    look('visible');
    await socket(2);
    expect(clock.now).toBe(0);
  });
});

describe('waiting between attempts', () => {
  it('doubles up to 20 s, half of it by chance', () => {
    expect([0, 1, 2, 9].map((tries) => backoff(tries, 1))).toEqual([500, 1000, 2000, 20_000]);
    expect(backoff(3, 0)).toBe(2000);
  });
});
