/**
 * Screens whose code is fetched when they are opened: all but the lobby and the table.
 *
 * Adding one takes a line here, its address in `router.svelte.ts`, and nothing else.
 */
import type { Component } from 'svelte';

import type { Route } from './router.svelte';

type Eager = 'lobby' | 'table' | 'missing';
export type LazyRoute = Exclude<Route, { name: Eager }>;
/** What a screen is given: what its address says. */
type Given<N extends LazyRoute['name']> = Omit<Extract<LazyRoute, { name: N }>, 'name'>;
export type Fetch<P extends object> = () => Promise<{ default: Component<P> }>;

const screens: { [N in LazyRoute['name']]: Fetch<Given<N>> } = {
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

/** The code did not come: offline, or the server has a newer release by now. */
export function isNotFetched(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  return error instanceof Error && error.message.startsWith('Unable to preload CSS');
}
