/** Screens that are fetched when they are opened. */
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';

import LazyScreen from '../src/components/LazyScreen.svelte';
import Loading from '../src/components/Loading.svelte';
import { notices } from '../src/lib/notices.svelte';
import { parseRoute } from '../src/lib/router.svelte';
import { isNotFetched, part, screenOf } from '../src/lib/screens';
import type { Fetch, LazyRoute } from '../src/lib/screens';

let mounted: object | null = null;

function show(fetch: Fetch<object>, given: object, reload = vi.fn()): () => void {
  mounted = mount(LazyScreen, { target: document.body, props: { fetch, given, reload } });
  flushSync();
  return reload;
}

async function settle(): Promise<void> {
  await new Promise((done) => setTimeout(done));
  flushSync();
}

afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = null;
});

describe('a screen that is fetched', () => {
  it('says that it is on its way, then shows the screen with what its address says', async () => {
    const of = { value: null, state: 'missing' };
    show(() => Promise.resolve({ default: Loading as never }), { of, missing: 'No such hand.' });
    expect(document.querySelector('[data-testid=screen-loading] [role=status]')).not.toBeNull();
    await settle();
    expect(document.body.textContent).toBe('No such hand.');
  });

  it('offers to reload when the code cannot be had', async () => {
    const lost = new TypeError('Failed to fetch dynamically imported module');
    const reload = show(() => Promise.reject(lost), {});
    await settle();
    const failed = document.querySelector('[data-testid=screen-failed]');
    expect(failed?.querySelector('[role=alert]')?.textContent).toContain('Your seat is kept');
    failed?.querySelector('button')?.click();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('takes a lost style sheet for lost code, and nothing else', () => {
    expect(isNotFetched(new Error('Unable to preload CSS for /assets/Help.css'))).toBe(true);
    expect(isNotFetched(new Error('a mistake of ours'))).toBe(false);
  });
});

describe('a part that is fetched', () => {
  it('is told to be lost when it does not come', async () => {
    expect(await part(() => Promise.reject(new TypeError('Failed to fetch')))).toBeNull();
    expect(notices.waiting.at(-1)?.text()).toContain('connection was lost');
    expect(await part(() => Promise.resolve({ default: 'here' }))).toBe('here');
  });

  it('does not hide a mistake', async () => {
    await expect(part(() => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
  });
});

describe('addresses of fetched screens', () => {
  const lazy = (path: string): LazyRoute => {
    const route = parseRoute(path);
    if (route.name === 'lobby' || route.name === 'missing') throw new Error(`${path} is at hand`);
    return route;
  };

  it('give each match a screen of its own', () => {
    const one = screenOf(lazy('/match/m_1'));
    const other = screenOf(lazy('/match/m_2'));
    expect(one.given).toEqual({ id: 'm_1' });
    expect(one.key).not.toBe(other.key);
    expect(screenOf(lazy('/help')).given).toEqual({ table: '' });
  });

  it('keep the history when only its filters change', () => {
    const all = parseRoute('/history');
    const some = parseRoute('/history', '?tag=ai_decided');
    expect(some).toEqual({ name: 'history', query: 'tag=ai_decided' });
    expect(screenOf(all as LazyRoute).key).toBe(screenOf(some as LazyRoute).key);
  });

  it.each(['/history/x', '/hand', '/constructor', '/toString/x', '/me/settings'])(
    'do not know %s',
    (path) => expect(parseRoute(path)).toEqual({ name: 'missing' }),
  );

  it('know a hand, the own record and the settings', () => {
    expect(parseRoute('/hand/h_1')).toEqual({ name: 'hand', id: 'h_1' });
    expect(parseRoute('/me')).toEqual({ name: 'profile' });
    expect(parseRoute('/settings')).toEqual({ name: 'settings' });
  });
});
