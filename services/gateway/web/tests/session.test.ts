import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { connection } from '../src/lib/online.svelte';
import { becomeGuest, openSession, rename, session } from '../src/lib/session.svelte';
import { answers, problem } from './server';

const server = answers();
const user = { id: 'u_1', display_name: 'Otter-41', kind: 'guest' };

beforeEach(() => {
  server.install();
  localStorage.clear();
  session.user = null;
});
afterEach(() => server.restore());

describe('opening a session', () => {
  it('makes a guest of a browser that never was one', async () => {
    server.next(201, { user });
    await openSession();
    expect(server.seen).toMatchObject([{ method: 'POST', path: '/v1/sessions/guest' }]);
    expect([session.state, session.user?.display_name]).toEqual(['open', 'Otter-41']);
  });

  it('finds the guest again on the next visit', async () => {
    server.next(201, { user }).next(200, { user });
    await openSession();
    await openSession();
    expect(server.seen.at(-1)).toMatchObject({ method: 'GET', path: '/v1/me' });
  });

  it('explains a lost guest instead of quietly starting a new one', async () => {
    server.next(201, { user }).next(...problem(401, 'no-session'));
    await openSession();
    await openSession();
    expect(session.state).toBe('lost');
    expect(server.seen).toHaveLength(2);
    server.next(201, { user: { ...user, id: 'u_2' } });
    await becomeGuest();
    expect([session.state, session.user?.id]).toEqual(['open', 'u_2']);
  });

  it('is tried again by itself until the server can be reached', async () => {
    vi.useFakeTimers();
    server.next('lost').next('lost').next(201, { user });
    await openSession();
    expect([session.state, connection.trouble]).toEqual(['retrying', true]);
    await vi.advanceTimersByTimeAsync(500 + 1000);
    vi.useRealTimers();
    expect([session.state, connection.trouble]).toEqual(['open', false]);
    expect(server.seen).toHaveLength(3);
  });

  it('does not promise to try again after a refusal', async () => {
    server.next(...problem(500, 'internal'));
    await openSession();
    expect([session.state, connection.trouble]).toEqual(['failed', false]);
  });
});

it('takes a new name over once the server has it', async () => {
  server.next(200, { user: { ...user, display_name: 'Mark' } });
  await rename('Mark');
  expect(server.seen).toMatchObject([
    { method: 'PATCH', path: '/v1/me', body: { display_name: 'Mark' } },
  ]);
  expect(session.user?.display_name).toBe('Mark');
});
