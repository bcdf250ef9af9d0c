/** Sending one intent until the server has answered it, always with the same key. */
import { Problem, Unreachable, send } from './api';
import type { Intent } from './api';

/** Refusals that say "not now": the same request may pass a moment later. */
const TRANSIENT = new Set([
  'engine-unavailable',
  'unavailable',
  'draining',
  'rate-limited',
  'idempotency-in-progress',
]);

export function isTransient(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (!(error instanceof Problem)) return false;
  return TRANSIENT.has(error.type) || [502, 503, 504].includes(error.status);
}

/** Milliseconds before try number `attempt` (1 is the first repeat): 0.5 s doubling to 5 s. */
export function backoff(attempt: number): number {
  return Math.min(5000, 250 * 2 ** attempt);
}

/** Whether we were asked to be slower, which is no trouble with the connection. */
export function isLimit(error: unknown): boolean {
  return error instanceof Problem && error.type === 'rate-limited';
}

/** How long a rate limit asks us to wait, if it says so. */
function asked(error: unknown): number {
  if (!(error instanceof Problem)) return 0;
  const limit = error.extras['ratelimit'];
  const seconds = (limit as { seconds?: unknown } | undefined)?.seconds;
  return typeof seconds === 'number' ? Math.min(60, seconds) * 1000 : 0;
}

/** Milliseconds to wait after `error`, before try number `attempt`. */
export function pause(error: unknown, attempt: number): number {
  return Math.max(backoff(attempt), asked(error));
}

/** Waits; shorter when the browser says meanwhile that there is a network again. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      removeEventListener('online', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    addEventListener('online', wake);
  });
}

export interface Persistence {
  /** Called before each repeat, so that the page can show the state. */
  onWait: (error: unknown, attempt: number) => void;
  /** False ends the repeats: the page was left. */
  wanted: () => boolean;
  wait?: (ms: number) => Promise<void>;
}

/** Something that is asked until it is answered. */
export type Ask<T> = (how: Persistence) => Promise<T>;

export function asking<T>(intent: Intent): Ask<T> {
  return (how) => persist<T>(intent, how);
}

/** The answer to the intent; throws only what repeating cannot cure. */
export function persist<T>(intent: Intent, how: Persistence): Promise<T> {
  return insist(() => send<T>(intent), how);
}

/** The same for any request that may be sent twice without harm. */
export async function insist<T>(ask: () => Promise<T>, how: Persistence): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isTransient(error) || !how.wanted()) throw error;
      how.onWait(error, attempt);
      await (how.wait ?? sleep)(pause(error, attempt));
      if (!how.wanted()) throw error;
    }
  }
}
