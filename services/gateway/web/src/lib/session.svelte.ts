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

/** Finds the guest of the cookie, or becomes a new one if this browser never had one. */
export async function openSession(): Promise<void> {
  session.state = 'opening';
  try {
    opened((await api.me()).user);
  } catch (error) {
    if (!isNoSession(error)) {
      session.state = 'failed';
      if (!isTransient(error) && !(error instanceof Problem)) throw error;
    } else if (remembered(KNOWN)) session.state = 'lost';
    else await becomeGuest();
  }
}

export async function becomeGuest(): Promise<void> {
  try {
    opened((await api.newGuest()).user);
  } catch (error) {
    session.state = 'failed';
    if (!isTransient(error) && !(error instanceof Problem)) throw error;
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
