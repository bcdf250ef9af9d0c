/** Who is playing in this browser. */
import { Problem, api } from './api';
import { m } from './messages';
import { forgetNotices, remark } from './notices.svelte';
import { connection } from './online.svelte';
import { isLimit, isTransient, pause } from './retry';
import { remember, remembered } from './settings.svelte';
import type { User } from './types';

const KNOWN = 'riverboat.guest';

export const session = $state<{
  user: User | null;
  /**
   * `lost`: this browser had a guest whom the server no longer knows. `retrying`: no usable
   * answer came, the next try is on its way. `failed`: the server cannot say, nothing is tried.
   */
  state: 'opening' | 'open' | 'lost' | 'retrying' | 'failed';
}>({ user: null, state: 'opening' });

function opened(user: User): void {
  session.user = user;
  session.state = 'open';
  remember(KNOWN, user.id);
}

/**
 * Finds the guest of this browser's cookie. A browser that never had one becomes a guest: the
 * server keeps a live session as it is, so this cannot lose anybody's match.
 */
export async function openSession(): Promise<void> {
  session.state = 'opening';
  await settleOn(remembered(KNOWN) ? api.me : api.newGuest, 1);
}

export async function becomeGuest(): Promise<void> {
  await settleOn(api.newGuest, 1);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks until the server has said who is playing; asking again now replaces the next try. */
async function settleOn(ask: () => Promise<{ user: User }>, attempt: number): Promise<void> {
  clearTimeout(timer);
  try {
    opened((await ask()).user);
    connection.trouble = false;
  } catch (error) {
    if (isTransient(error)) {
      session.state = 'retrying';
      connection.trouble = !isLimit(error);
      timer = setTimeout(() => void settleOn(ask, attempt + 1), pause(error, attempt));
    } else if (isNoSession(error)) session.state = 'lost';
    else if (error instanceof Problem) session.state = 'failed';
    else throw error;
  }
}

/** Any page that meets "no session" calls this: it explains instead of starting over. */
export function loseSession(): void {
  session.user = null;
  session.state = 'lost';
  forgetNotices();
}

export function isNoSession(error: unknown): boolean {
  return error instanceof Problem && error.status === 401;
}

export async function rename(name: string): Promise<void> {
  opened((await api.rename(name)).user);
}

/** Looks again who is playing here: a guest may have become part of an account elsewhere. */
export async function recheckSession(): Promise<void> {
  const before = session.user;
  try {
    opened((await api.me()).user);
  } catch (error) {
    if (isNoSession(error)) loseSession();
    // Otherwise whoever asks next finds out.
    else if (!isTransient(error) && !(error instanceof Problem)) throw error;
    return;
  }
  const now = session.user;
  if (before && now && now.id !== before.id) remark(() => m.notice.merged(now.display_name));
}
