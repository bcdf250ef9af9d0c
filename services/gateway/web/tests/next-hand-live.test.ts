/** The next hand, asked for while live events still tell the end of the one before. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { LiveConnection } from '../src/lib/live';
import { beforeHand, reduce } from '../src/lib/reducer';
import { session } from '../src/lib/session.svelte';
import { DEFAULTS, adopt } from '../src/lib/settings.svelte';
import { TOGETHER_MS } from '../src/lib/showing.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { GUARD_MS } from '../src/lib/turn.svelte';
import type { Match, Snapshot, TableEvent } from '../src/lib/types';
import { FakeClock } from './clock';
import { FakeSocket, HELLO, TABLE, installLines, restoreLines } from './lines';
import { answers } from './server';
import { ALL_IN_HAND, RIVER, YOU, legal, snapshot } from './support';

const server = answers();
let clock: FakeClock;
let table: TableSession;
let socket: FakeSocket;

const hand = (from: number, to: number): TableEvent[] => ALL_IN_HAND.slice(from - 1, to);

function after(last: number, over: Partial<Snapshot>): Snapshot {
  const log = hand(1, last);
  const { seats } = log.reduce(reduce, beforeHand(snapshot()));
  return { ...snapshot({ version: last, log }), seats, ...over };
}

function between(over: Partial<Match> = {}): Snapshot {
  const base = after(23, {});
  const match = { ...base.match, state: 'between_hands' as const, can_settle: true };
  return {
    ...base,
    hand: { ...base.hand, over: true },
    match: { ...match, can_next_hand: true, ...over },
  };
}

function second(): object {
  const base = snapshot({ version: 30, turn: { seat: RIVER } });
  return { events: [], snapshot: { ...base, hand: { ...base.hand, id: 'h_2', no: 2 } } };
}

const posted = (what: string): number =>
  server.seen.filter(({ method, path }) => method === 'POST' && path.endsWith(what)).length;

function tell(from: number, to: number): void {
  socket.hear(...hand(from, to).map((event) => ({ op: 'ev', ch: TABLE, ...event }) as const));
}

async function open(first: Snapshot): Promise<void> {
  server.next(201, { ticket: 'abc' }).next(200, first);
  const live = new LiveConnection('t_1', clock, () => 1);
  table = new TableSession('t_1', { summary: () => undefined }, undefined, clock, live);
  await table.start();
  clock.advance(GUARD_MS);
  await vi.waitFor(() => expect(FakeSocket.made).toHaveLength(1));
  socket = FakeSocket.made[0] as FakeSocket;
  socket.hear(HELLO);
}

beforeEach(() => {
  server.install();
  installLines();
  clock = new FakeClock();
  session.state = 'open';
  adopt({ ...DEFAULTS });
});

afterEach(() => {
  table.close();
  restoreLines();
  server.restore();
});

describe('the next hand, asked for before the end of a hand is told', () => {
  const watch = async (): Promise<void> => {
    await open(after(14, { turn: { seat: RIVER } }));
    tell(15, 23);
    expect(table.bar).toBe('animating');
  };

  it('is dealt once, as soon as it is known that it may be', async () => {
    await watch();
    await table.nextHand();
    expect([table.view?.over, posted('next-hand')]).toEqual([true, 0]);
    await table.nextHand();
    server.next(200, between()).next(200, second());
    clock.advance(TOGETHER_MS);
    await vi.waitFor(() => expect(table.view?.handNo).toBe(2));
    await table.nextHand();
    clock.advance(10_000);
    expect([posted('next-hand'), table.bar]).toEqual([1, 'waiting']);
  });

  it('is dealt when the end is on the table already, and only the table is still read', async () => {
    await watch();
    for (let steps = 0; !table.view?.over && steps < 100; steps += 1) clock.advance(100);
    server.next(200, between()).next(200, second());
    clock.advance(TOGETHER_MS);
    expect(table.bar).toBe('animating');
    await table.nextHand();
    await vi.waitFor(() => expect(table.view?.handNo).toBe(2));
    expect(posted('next-hand')).toBe(1);
  });

  it('is not dealt later where it may not be', async () => {
    await watch();
    await table.nextHand();
    server.next(200, between({ can_next_hand: false, can_top_up: true }));
    clock.advance(TOGETHER_MS);
    await vi.waitFor(() => expect(table.bar).toBe('hand_over'));
    server.next(200, between());
    await table.refresh();
    clock.advance(10_000);
    expect([table.bar, posted('next-hand')]).toEqual(['hand_over', 0]);
  });

  it('waits for the answer to the action that ended the hand', async () => {
    await open(after(12, { turn: { seat: YOU }, legal: legal() }));
    vi.useFakeTimers();
    server.next('lost');
    const sent = table.act('raise');
    await vi.advanceTimersByTimeAsync(0);
    tell(13, 23);
    await table.nextHand();
    expect([table.view?.over, table.bar]).toEqual([true, 'sending']);
    server.next(200, { version: 9, events: hand(13, 23), legal: null, snapshot: between() });
    server.next(200, second());
    await vi.advanceTimersByTimeAsync(1000);
    await sent;
    vi.useRealTimers();
    await vi.waitFor(() => expect(table.view?.handNo).toBe(2));
    expect([posted('actions'), posted('next-hand')]).toEqual([2, 1]);
  });
});
