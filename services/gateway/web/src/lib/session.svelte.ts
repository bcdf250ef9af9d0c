/** Who is playing in this browser. */
import { Problem, api } from './api';
import { isTransient } from './retry';
import { remember, remembered } from './settings.svelte';
import type { User } from './types';

const KNOWN = 'riverboat.guest';

export const session = $state<{
  user: User | null;
  /** `lost`: this browser had a guest whom the server no longer knows. */
  state: 'opening' | 'open' | 'lost' | 'failed';
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
  await settleOn(remembered(KNOWN) ? api.me : api.newGuest);
}

export async function becomeGuest(): Promise<void> {
  await settleOn(api.newGuest);
}

async function settleOn(ask: () => Promise<{ user: User }>): Promise<void> {
  try {
    opened((await ask()).user);
  } catch (error) {
    if (isNoSession(error)) session.state = 'lost';
    else if (error instanceof Problem || isTransient(error)) session.state = 'failed';
    else throw error;
  }
}

/** Any page that meets "no session" calls this: it explains instead of starting over. */
export function loseSession(): void {
  session.user = null;
  session.state = 'lost';
}

export function isNoSession(error: unknown): boolean {
  return error instanceof Problem && error.status === 401;
}

export async function rename(name: string): Promise<void> {
  opened((await api.rename(name)).user);
}
