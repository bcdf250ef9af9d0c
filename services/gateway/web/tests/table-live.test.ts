import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Message } from '../src/lib/lines';
import { LiveConnection } from '../src/lib/live';
import { connection } from '../src/lib/online.svelte';
import { beforeHand, reduce } from '../src/lib/reducer';
import { session } from '../src/lib/session.svelte';
import { change } from '../src/lib/settings.svelte';
import { TOGETHER_MS } from '../src/lib/showing.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { GUARD_MS } from '../src/lib/turn.svelte';
import type { Snapshot, TableEvent } from '../src/lib/types';
import { FakeClock } from './clock';
import { FakeSocket, HELLO, TABLE, installLines, restoreLines } from './lines';
import { answers } from './server';
import { ALL_IN_HAND, RIVER, YOU, legal, snapshot } from './support';

const server = answers();
let clock: FakeClock;
let table: TableSession;
let shown: number[];
let left: string[];

const synced: Message = { op: 'synced', ch: TABLE, seq: 0 };
const hand = (from: number, to: number): TableEvent[] => ALL_IN_HAND.slice(from - 1, to);
const told = (from: number, to: number): Message[] =>
  hand(from, to).map((event) => ({ op: 'ev', ch: TABLE, ...event }));

/** The table after the hand's first events, as a reader of the events has it. */
function after(last: number, over: Partial<Snapshot> = {}): Snapshot {
  const log = hand(1, last);
  const view = log.reduce(reduce, beforeHand(snapshot()));
  const base = snapshot({ version: last, log });
  const board = log.flatMap((event) => (event.type === 'street.dealt' ? event.data.cards : []));
  return { ...base, hand: { ...base.hand, board }, seats: view.seats, ...over };
}

const yourTurn = (last: number, token: string): Snapshot =>
  after(last, { turn: { seat: YOU }, legal: legal({ turn_token: token }) });
const riversTurn = (last: number): Snapshot => after(last, { turn: { seat: RIVER } });

function between(): Snapshot {
  const base = after(23);
  const may = { can_next_hand: true, can_top_up: true, can_settle: true };
  const match = { ...base.match, state: 'between_hands' as const, ...may };
  return { ...base, hand: { ...base.hand, over: true }, match };
}

const gets = (): number => server.seen.filter(({ method }) => method === 'GET').length;

async function open(first: Snapshot): Promise<FakeSocket> {
  server.next(201, { ticket: 'abc' }).next(200, first);
  table = new TableSession(
    't_1',
    { summary: (id) => left.push(id) },
    (event) => shown.push(event.seq),
    clock,
    new LiveConnection('t_1', clock, () => 1),
  );
  await table.start();
  clock.advance(GUARD_MS);
  const [socket] = await vi.waitFor(() => {
    expect(FakeSocket.made).toHaveLength(1);
    return FakeSocket.made;
  });
  socket?.hear(HELLO);
  return socket as FakeSocket;
}

beforeEach(() => {
  server.install();
  installLines();
  clock = new FakeClock();
  shown = [];
  left = [];
  session.state = 'open';
  change({ unit: 'chips', speed: 1 });
});

afterEach(() => {
  table.close();
  restoreLines();
  server.restore();
});

describe('a table that is told live', () => {
  it('shows what another tab played, in order and each once, and then asks what may be done', async () => {
    const socket = await open(yourTurn(4, 'turn-1'));
    socket.hear(synced, ...told(5, 8), ...told(7, 8), ...told(9, 12));
    expect(table.view?.legal).toBeNull();
    server.next(200, yourTurn(12, 'turn-2'));
    clock.advance(10_000);
    expect(shown).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(table.bar).toBe('animating');
    await vi.waitFor(() => expect(table.bar).toBe('your_turn'));
    expect(table.view?.legal?.turn_token).toBe('turn-2');
    expect(gets()).toBe(2);
  });

  it('subscribes behind what its snapshot told', async () => {
    const socket = await open(yourTurn(4, 'turn-1'));
    expect(socket.subs).toEqual([{ op: 'sub', ch: TABLE, since: 4 }]);
  });

  it('waits for what belongs together before it asks', async () => {
    const socket = await open(yourTurn(4, 'turn-1'));
    socket.hear(synced, ...told(5, 5));
    clock.advance(TOGETHER_MS - 1);
    socket.hear(...told(6, 6));
    clock.advance(1000);
    expect(table.bar).toBe('waiting');
    expect(table.view?.turn).toBe(RIVER);
    expect(gets()).toBe(1);
  });

  it('takes the whole table over a gap, with nothing shown twice', async () => {
    const socket = await open(riversTurn(6));
    socket.hear(...told(7, 7));
    clock.advance(1000);
    socket.hear(...told(9, 9));
    expect(socket.subs.at(-1)).toEqual({ op: 'sub', ch: TABLE });
    socket.hear(...told(10, 10));
    socket.hear({ op: 'snap', ch: TABLE, seq: 12, data: yourTurn(12, 'turn-2') }, synced);
    clock.advance(10_000);
    expect(shown).toEqual([7, 8, 9, 10, 11, 12]);
    expect(table.bar).toBe('your_turn');
    expect(table.view?.board).toEqual(['Qs', '7s', '2s']);
  });

  it('goes on in the middle of a hand after a reconnection', async () => {
    const socket = await open(riversTurn(6));
    // On River's turn the table is read, which has River act if nobody did.
    server.next('lost');
    socket.hear(synced);
    await vi.waitFor(() => expect(connection.trouble).toBe(true));
    server.next(201, { ticket: 'def' });
    socket.drop({ reason: 'restart', retry_ms: 1000 });
    expect(connection).toMatchObject({ live: 'reconnecting', reason: 'restart' });
    clock.advance(1000);
    await vi.waitFor(() => expect(FakeSocket.made).toHaveLength(2));
    const second = FakeSocket.made[1] as FakeSocket;
    second.hear(HELLO);
    expect(second.subs).toEqual([{ op: 'sub', ch: TABLE, since: 6 }]);
    server.next(200, yourTurn(12, 'turn-2'));
    second.hear(...told(7, 12), synced);
    clock.advance(10_000);
    await vi.waitFor(() => expect(table.bar).toBe('your_turn'));
    expect(shown).toEqual([7, 8, 9, 10, 11, 12]);
    expect(connection).toMatchObject({ live: 'live', trouble: false });
  });

  it('is asked rarely while it is live and River thinks', async () => {
    await open(riversTurn(6));
    server.next(200, riversTurn(6));
    FakeSocket.made[0]?.hear(synced);
    await vi.waitFor(() => expect(gets()).toBe(2));
    await vi.waitFor(() => expect(table.bar).toBe('waiting'));
    clock.advance(9000);
    expect(gets()).toBe(2);
  });

  it('leaves for the summary when another tab settled', async () => {
    const over = between();
    const socket = await open(over);
    server.next(200, { ...over, match: { ...over.match, state: 'settled' } });
    socket.hear(synced, { op: 'ev', ch: TABLE, seq: 24, type: 'match.settled', at: '', data: {} });
    clock.advance(TOGETHER_MS);
    await vi.waitFor(() => expect(left).toEqual(['m_1']));
  });

  it('keeps the buttons between hands while chips are added elsewhere', async () => {
    const over = between();
    const socket = await open(over);
    const more = { ...over, match: { ...over.match, stack: 23_000 } };
    server.next(200, more);
    const added = { seat: YOU, added: 1000, stack: 23_000 };
    socket.hear(synced, {
      op: 'ev',
      ch: TABLE,
      seq: 24,
      type: 'stack.topped_up',
      at: '',
      data: added,
    });
    expect(table.bar).toBe('hand_over');
    expect(table.view?.seats[0]?.stack).toBe(23_000);
    clock.advance(TOGETHER_MS);
    await vi.waitFor(() => expect(table.view?.match.stack).toBe(23_000));
  });

  it('deals the next hand that another tab asked for', async () => {
    const socket = await open(between());
    const next = told(1, 4).map((message, index) => ({ ...message, seq: 24 + index }) as Message);
    socket.hear(synced, ...next);
    server.next(200, yourTurn(4, 'turn-2'));
    clock.advance(10_000);
    expect(shown).toEqual([24, 25, 26, 27]);
    await vi.waitFor(() => expect(table.bar).toBe('your_turn'));
  });

  it('leaves a match that ended on River’s turn', async () => {
    const socket = await open(riversTurn(6));
    const base = riversTurn(6);
    server.next(200, { ...base, match: { ...base.match, state: 'settled' } });
    socket.hear({ op: 'ev', ch: TABLE, seq: 7, type: 'match.settled', at: '', data: {} });
    clock.advance(TOGETHER_MS);
    await vi.waitFor(() => expect(left).toEqual(['m_1']));
  });

  it('looks after news that this client does not play', async () => {
    const socket = await open(riversTurn(6));
    server.next(200, yourTurn(12, 'turn-2'));
    socket.hear({ op: 'ev', ch: TABLE, seq: 7, type: 'hand.voided', at: '', data: {} });
    clock.advance(TOGETHER_MS);
    await vi.waitFor(() => expect(gets()).toBe(2));
  });
});

describe('the next hand', () => {
  it('is on the table as soon as it is dealt, while its answer waits for River', async () => {
    const socket = await open(between());
    socket.hear(synced);
    const dealt = [...told(1, 3), { ...told(4, 4)[0], data: { seat: RIVER } }];
    const events = dealt.map((message, at) => ({ ...message, seq: 24 + at }) as Message);
    server.next(200, { events: [], snapshot: yourTurn(6, 'turn-2') });
    const sent = table.nextHand();
    expect([table.bar, table.isTold]).toEqual(['sending', false]);
    socket.hear(...events);
    clock.advance(1000);
    expect(table.view?.seats.map(({ cards }) => cards)).toEqual([
      ['As', 'Kh'],
      [null, null],
    ]);
    expect([table.view?.turn, table.bar, table.isTold]).toEqual([RIVER, 'sending', true]);
    await sent;
    expect(table.bar).toBe('your_turn');
  });
});

describe('an action of one’s own', () => {
  it('is told by the answer and by the connection, and applied once', async () => {
    const socket = await open(yourTurn(4, 'turn-1'));
    socket.hear(synced);
    server.next(200, {
      version: 12,
      events: hand(5, 12),
      legal: legal({ turn_token: 'turn-2' }),
      snapshot: yourTurn(12, 'turn-2'),
    });
    const sent = table.act('raise');
    expect(table.isTold).toBe(false);
    socket.hear(...told(5, 6));
    expect(table.isTold).toBe(true);
    expect(table.bar).toBe('sending');
    await sent;
    socket.hear(...told(7, 12));
    clock.advance(10_000);
    expect(shown).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(table.bar).toBe('your_turn');
    expect(table.view?.seats.map((seat) => seat.stack)).toEqual(
      yourTurn(12, 'turn-2').seats.map((seat) => seat.stack),
    );
    expect(gets()).toBe(1);
  });

  it('whose answer is lost is seen on the connection, and sent again with its key', async () => {
    vi.useFakeTimers();
    const socket = await open(yourTurn(4, 'turn-1'));
    socket.hear(synced);
    server.next('lost').next(200, {
      version: 12,
      events: hand(5, 12),
      legal: legal({ turn_token: 'turn-2' }),
      snapshot: yourTurn(12, 'turn-2'),
    });
    const sent = table.act('raise');
    await vi.advanceTimersByTimeAsync(10);
    socket.hear(...told(5, 12));
    clock.advance(10_000);
    expect(table.bar).toBe('sending');
    await vi.advanceTimersByTimeAsync(5000);
    await sent;
    vi.useRealTimers();
    const posts = server.seen.filter(({ path }) => path.endsWith('/actions'));
    expect(posts).toHaveLength(2);
    expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
    expect(shown).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(table.bar).toBe('your_turn');
  });
});
