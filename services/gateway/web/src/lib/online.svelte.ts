import type { LiveState } from './live';

interface Connection {
  offline: boolean;
  trouble: boolean;
  live: LiveState | null;
  reason: string;
  playHere: (() => void) | null;
}

/** Whether the server can be reached, as far as this page knows. */
export const connection = $state<Connection>({
  /** The browser says there is no network. */
  offline: typeof navigator !== 'undefined' && navigator.onLine === false,
  /** A request is being repeated because no usable answer came. */
  trouble: false,
  /** How news of the table come in; null while no table is open. */
  live: null,
  /** Why the live connection was lost, in the server's word. */
  reason: '',
  /** Takes the live connection back from newer pages. */
  playHere: null,
});

export function setLive(live: LiveState | null, reason = ''): void {
  connection.live = live;
  connection.reason = reason;
}

/** News come by themselves. */
export function isLive(): boolean {
  return connection.live === 'live' || connection.live === 'stream';
}

export function watchConnection(): () => void {
  const update = (): void => {
    connection.offline = !navigator.onLine;
  };
  addEventListener('online', update);
  addEventListener('offline', update);
  return () => {
    removeEventListener('online', update);
    removeEventListener('offline', update);
  };
}
