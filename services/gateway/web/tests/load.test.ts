import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '../src/lib/api';
import { Loader } from '../src/lib/load.svelte';
import { connection } from '../src/lib/online.svelte';
import type { MyStanding } from '../src/lib/types';
import { FakeClock } from './clock';
import { answers, problem } from './server';

const server = answers();
const standing = (hands: number): MyStanding => ({
  row: null,
  hands_to_rank: 500 - hands,
  ranked_hands: 500,
  next_rank: null,
});

let clock: FakeClock;
let loader: Loader<MyStanding>;

beforeEach(() => {
  server.install();
  clock = new FakeClock();
  loader = new Loader(api.standing, clock);
});
afterEach(() => {
  loader.close();
  server.restore();
});

describe('reading for a screen', () => {
  it('tries again by itself, with longer and longer pauses, until there is an answer', async () => {
    server
      .next('lost')
      .next(...problem(503, 'unavailable'))
      .next(200, standing(3));
    await loader.load();
    expect([loader.state, connection.trouble]).toEqual(['retrying', true]);
    clock.advance(499);
    expect(server.seen).toHaveLength(1);
    clock.advance(1);
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    clock.advance(999);
    expect(server.seen).toHaveLength(2);
    clock.advance(1);
    await vi.waitFor(() => expect(loader.state).toBe('ready'));
    expect([loader.value?.hands_to_rank, connection.trouble]).toEqual([497, false]);
  });

  it('keeps what is shown while a refresh is tried again', async () => {
    server.next(200, standing(3)).next('lost');
    await loader.load();
    await loader.load();
    expect([loader.state, loader.value?.hands_to_rank]).toEqual(['retrying', 497]);
  });

  it('does not claim to try again after a refusal', async () => {
    server.next(...problem(500, 'internal'));
    await loader.load();
    expect([loader.state, connection.trouble, clock.pending]).toEqual(['failed', false, 0]);
    server.next(...problem(404, 'not-found'));
    await loader.load();
    expect(loader.state).toBe('missing');
  });

  it('takes a rate limit for a request to wait, not for trouble', async () => {
    const [status, body] = problem(429, 'rate-limited');
    server.next(status, { ...(body as object), ratelimit: { seconds: 7 } }).next(200, standing(1));
    await loader.load();
    expect([loader.state, loader.limited, connection.trouble]).toEqual(['retrying', true, false]);
    clock.advance(6999);
    expect(server.seen).toHaveLength(1);
    clock.advance(1);
    await vi.waitFor(() => expect(loader.state).toBe('ready'));
  });

  it('stops trying when the screen is left', async () => {
    server.next('lost');
    await loader.load();
    loader.close();
    expect([clock.pending, connection.trouble]).toEqual([0, false]);
  });

  it('lets a try that was asked for replace the one that was waiting', async () => {
    server.next('lost').next(200, standing(9));
    await loader.load();
    await loader.load();
    expect([loader.state, clock.pending, server.seen.length]).toEqual(['ready', 0, 2]);
  });
});
