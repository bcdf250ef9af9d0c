import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import ConnectionBanner from '../src/components/ConnectionBanner.svelte';
import ConnectionDot from '../src/components/ConnectionDot.svelte';
import type { Notice } from '../src/lib/lines';
import { notices, tell } from '../src/lib/notices.svelte';
import { connection } from '../src/lib/online.svelte';
import { loseSession, recheckSession, session } from '../src/lib/session.svelte';
import type { User } from '../src/lib/types';
import { answers, problem } from './server';

const server = answers();
const mounted: Record<string, unknown>[] = [];

const find = (testid: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
const text = (testid: string): string => find(testid)?.textContent.trim() ?? '';

function be(state: Partial<typeof connection>): void {
  Object.assign(connection, state);
  flushSync();
}

function pass(ms: number): void {
  vi.advanceTimersByTime(ms);
  flushSync();
}

function notice(seq: number, over: Partial<Notice> = {}): Notice {
  const data = { match_id: 'm_1', cause: 'expired', hands: 37, result_bb: '-12.5' };
  return { seq, type: 'match.settled', at: `day ${seq}`, read: false, data, ...over };
}

const player = (id: string, name: string): User =>
  ({ id, display_name: name, kind: 'guest' }) as User;

beforeEach(() => {
  vi.useFakeTimers();
  server.install();
  notices.waiting = [];
  Object.assign(connection, { offline: false, trouble: false, live: null, reason: '' });
  for (const part of [ConnectionBanner, ConnectionDot])
    mounted.push(mount(part, { target: document.body }));
  flushSync();
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(mounted.splice(0).map((one) => unmount(one)));
  document.body.innerHTML = '';
  connection.live = null;
  server.restore();
});

describe('the connection, as it is shown', () => {
  it('is quiet while it works', () => {
    be({ live: 'live' });
    pass(60_000);
    expect(find('connection-banner')).toBeNull();
    expect(find('connection')?.dataset['state']).toBe('live');
  });

  it('is called lost only when it does not come back at once', () => {
    be({ live: 'reconnecting' });
    expect(find('connection-banner')).toBeNull();
    pass(2000);
    expect(text('connection-banner')).toMatch(/was lost/);
    be({ live: 'live' });
    expect(find('connection-banner')).toBeNull();
  });

  it('tells a restart at once', () => {
    be({ live: 'reconnecting', reason: 'restart' });
    expect(text('connection-banner')).toMatch(/being restarted/);
  });

  it('calls a restart overdue that does not end, and each restart anew', () => {
    be({ live: 'reconnecting', reason: 'restart' });
    pass(29_000);
    expect(text('connection-banner')).toMatch(/being restarted/);
    pass(1000);
    expect(text('connection-banner')).toMatch(/has not come back yet/);
    be({ live: 'live', reason: '' });
    expect(find('connection-banner')).toBeNull();
    be({ live: 'reconnecting', reason: 'restart' });
    expect(text('connection-banner')).toMatch(/being restarted/);
  });

  it.each([
    ['stream', /another way/],
    ['polling', /asked every moment/],
  ] as const)('by %s is said for a while, and stays on the dot', (live, said) => {
    be({ live });
    expect(text('connection-banner')).toMatch(said);
    pass(8000);
    expect(find('connection-banner')).toBeNull();
    expect(find('connection')?.getAttribute('aria-label')).toMatch(said);
  });

  it('names the network first when there is none', () => {
    be({ live: 'reconnecting', reason: 'offline', offline: true });
    expect(text('connection-banner')).toMatch(/You are offline/);
    expect(find('connection')?.dataset['state']).toBe('offline');
  });

  it('taken by other pages is taken back here', () => {
    const playHere = vi.fn();
    be({ live: 'elsewhere', playHere });
    find('play-here')?.click();
    expect(playHere).toHaveBeenCalledOnce();
  });
});

describe('what happened without the player', () => {
  it('is told once, however often it comes in, and put away on the server', () => {
    tell([notice(1)]);
    tell([notice(1), notice(2, { read: true })]);
    flushSync();
    expect(notices.waiting).toHaveLength(1);
    expect(text('match-notice')).toContain('−12.5 BB in 37 hands');
    server.next(200);
    find('match-notice')?.querySelector('button')?.click();
    flushSync();
    expect(find('match-notice')).toBeNull();
    expect(server.seen.at(-1)).toMatchObject({ method: 'POST', path: '/v1/me/notices/1/read' });
    tell([notice(1)]);
    expect(notices.waiting).toEqual([]);
  });

  it('leaves the focus on the page’s content when it is put away by keyboard', async () => {
    document.body.insertAdjacentHTML('beforeend', '<main id="main" tabindex="-1"></main>');
    tell([notice(3)]);
    flushSync();
    server.next(200);
    const close = find('match-notice')?.querySelector('button');
    close?.focus();
    close?.click();
    await vi.waitFor(() => expect(document.activeElement?.id).toBe('main'));
  });

  it('is nothing to the next guest of this browser', () => {
    tell([notice(4)]);
    loseSession();
    expect(notices.waiting).toEqual([]);
    session.state = 'open';
  });

  it('is told one after the other', () => {
    const data = { match_id: 'm_1', hand_no: 37, net_bb: '-12.5' };
    tell([notice(3, { type: 'hand.ai_decided', data }), notice(4)]);
    flushSync();
    expect(text('match-notice')).toContain('hand 37 for you: −12.5 BB');
    server.next(200);
    find('match-notice')?.querySelector('button')?.click();
    flushSync();
    expect(text('match-notice')).toContain('its time was up');
  });

  it('in a way that this client does not know is not told', () => {
    tell([notice(5, { type: 'seat.sold' as Notice['type'] })]);
    expect(notices.waiting).toEqual([]);
  });
});

describe('a session that another one has replaced', () => {
  it('is told when somebody else plays here now', async () => {
    session.user = player('u_1', 'Otter');
    server.next(200, { user: player('u_2', 'Anna') });
    await recheckSession();
    expect(notices.waiting[0]?.text()).toBe('You are now playing as Anna.');
  });

  it('of the same person is no news', async () => {
    session.user = player('u_1', 'Otter');
    server.next(200, { user: player('u_1', 'Otter') });
    await recheckSession();
    expect(notices.waiting).toEqual([]);
  });

  it('that leaves nobody is explained', async () => {
    server.next(...problem(401, 'no-session'));
    await recheckSession();
    expect(session.state).toBe('lost');
  });
});
