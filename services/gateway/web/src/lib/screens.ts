/**
 * Screens whose code is fetched when they are opened: all but the lobby. That of the table is
 * fetched as soon as the lobby is there, so that nobody waits for it.
 *
 * Adding one takes a line here, its address in `router.svelte.ts`, and nothing else.
 */
import type { Component } from 'svelte';

import { m } from './messages';
import { remark } from './notices.svelte';
import type { Route } from './router.svelte';

type Eager = 'lobby' | 'missing';
export type LazyRoute = Exclude<Route, { name: Eager }>;
/** What a screen is given: what its address says. */
type Given<N extends LazyRoute['name']> = Omit<Extract<LazyRoute, { name: N }>, 'name'>;
export type Fetch<P extends object> = () => Promise<{ default: Component<P> }>;

const screens: { [N in LazyRoute['name']]: Fetch<Given<N>> } = {
  table: () => import('../routes/Table.svelte'),
  history: () => import('../routes/History.svelte'),
  hand: () => import('../routes/Hand.svelte'),
  profile: () => import('../routes/Profile.svelte'),
  settings: () => import('../routes/Settings.svelte'),
  summary: () => import('../routes/Summary.svelte'),
  leaderboard: () => import('../routes/Leaderboard.svelte'),
  help: () => import('../routes/Help.svelte'),
};

/** Screens that need nobody to be signed in. */
const OPEN_TO_ALL: readonly Route['name'][] = ['help', 'missing'];

export const isOpenToAll = (route: Route): boolean => OPEN_TO_ALL.includes(route.name);

/** How to get a screen, what to give it, and what it is a screen of: another key, a new one. */
export function screenOf(route: LazyRoute): { key: string; fetch: Fetch<object>; given: object } {
  const { name, ...given } = route;
  const key = 'id' in given ? `${name} ${String(given.id)}` : name;
  return { key, fetch: screens[name] as Fetch<object>, given };
}

/** Fetches a screen's code ahead; if it does not come, opening the screen tries again. */
export function prefetch(name: LazyRoute['name']): void {
  screens[name]().catch((error: unknown) => {
    if (!isNotFetched(error)) throw error;
  });
}

/** A dialog or another part that few open; null, with a remark to the player, when lost. */
export async function part<T>(fetch: () => Promise<{ default: T }>): Promise<T | null> {
  try {
    return (await fetch()).default;
  } catch (error) {
    if (!isNotFetched(error)) throw error;
    remark(() => m.screen.failed);
    return null;
  }
}

/** The code did not come: offline, or the server has a newer release by now. */
export function isNotFetched(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  return error instanceof Error && error.message.startsWith('Unable to preload CSS');
}
