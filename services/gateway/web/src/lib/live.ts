/**
 * Keeps a table's live connection: a socket where it works, else server-sent events, else none
 * and the table is asked from time to time. Here is decided when to try what again; what is told
 * goes to the listener as it comes.
 */
import { request } from './api';
import type { Ear, Ending, Line, LiveEvent, Message, Notice } from './lines';
import type { Clock } from './pace';
import { realClock } from './pace';
import { isTransient, pause } from './retry';
import { isNoSession } from './session.svelte';
import { SocketLine } from './socket';
import { StreamLine } from './stream';
import type { Snapshot } from './types';

/**
 * `connecting`: not there for the first time yet. `stream`, `polling`: how else. `elsewhere`: the
 * server let this page go for newer ones, and it comes back only when the player wants it to.
 */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'stream' | 'polling' | 'elsewhere';

/** Attempts that never got through, in a row, before the next means is tried. */
export const SOCKET_TRIES = 3;
export const STREAM_TRIES = 2;
/** With neither, how often everything is tried again. */
export const START_OVER_MS = 60_000;
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 20_000;

export interface Listener {
  /** Number of the newest event that has been dealt with; null before any. */
  since(): number | null;
  snapshot(seq: number, snapshot: Snapshot): void;
  event(event: LiveEvent): void;
  /** All there was has been told. */
  synced(): void;
  notices(notices: readonly Notice[]): void;
  state(state: LiveState, reason: string): void;
  /** The channel is refused; reading the table says why. */
  refused(): void;
  /** Nobody is signed in any more. */
  lost(): void;
  /** The session ended, and this browser has another one. */
  replaced(): void;
}

/** What a table needs of its connection. */
export interface Live {
  start(listener: Listener): void;
  stop(): void;
  /** Asks for the whole table: something is missing. */
  resync(): void;
  /** Takes the connection back that was given to newer pages. */
  playHere(): void;
}

/** Milliseconds before attempt number `tries` (0 is the first repeat), half of it by chance. */
export function backoff(tries: number, chance: number): number {
  const longest = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** tries);
  return longest * (0.5 + chance / 2);
}

const newTicket = async (): Promise<string> =>
  (await request<{ ticket: string }>('POST', '/ws-tickets', { body: {} })).ticket;

const hidden = (): boolean => document.visibilityState === 'hidden';

export class LiveConnection implements Live {
  private readonly channel: string;
  private listener: Listener | null = null;
  private state: LiveState = 'connecting';
  private means: 'socket' | 'stream' = 'socket';
  private line: Line | null = null;
  private timer: number | null = null;
  /** Answers to attempts before this one come too late. */
  private attempt = 0;
  private failures = 0;
  private tries = 0;
  private through = false;
  /** A stream has worked here; when it fails, it may be the server that is away. */
  private streams = false;
  private wantsSnapshot = false;
  private sessionEnded = false;

  constructor(
    private readonly tableId: string,
    private readonly clock: Clock = realClock,
    private readonly chance: () => number = Math.random,
  ) {
    this.channel = `table:${tableId}`;
  }

  start(listener: Listener): void {
    this.listener = listener;
    addEventListener('online', this.online);
    addEventListener('offline', this.offline);
    document.addEventListener('visibilitychange', this.looked);
    this.enter('connecting');
    this.dial();
  }

  stop(): void {
    this.listener = null;
    removeEventListener('online', this.online);
    removeEventListener('offline', this.offline);
    document.removeEventListener('visibilitychange', this.looked);
    this.hangUp();
  }

  resync(): void {
    if (this.wantsSnapshot) return;
    this.wantsSnapshot = true;
    if (this.means === 'stream') this.dial();
    else this.subscribe();
  }

  playHere(): void {
    if (this.state !== 'elsewhere') return;
    this.enter('reconnecting');
    this.dial();
  }

  // What the browser says about the network and the page.

  /** Another network may allow what the last one did not. */
  private readonly online = (): void => {
    if (this.state === 'elsewhere') return;
    this.means = 'socket';
    this.failures = 0;
    this.tries = 0;
    this.dial();
  };

  private readonly offline = (): void => {
    if (this.state === 'elsewhere') return;
    this.hangUp();
    this.enter('reconnecting', 'offline');
    this.later(BACKOFF_MAX_MS);
  };

  private readonly looked = (): void => {
    this.line?.say({ op: 'presence', away: hidden() });
    if (hidden()) return;
    this.line?.probe();
    if (this.timer !== null) this.dial();
  };

  // Getting through.

  private dial(): void {
    this.hangUp();
    this.through = false;
    if (this.means === 'stream') this.openStream();
    else void this.openSocket(this.attempt);
  }

  private hangUp(): void {
    this.attempt += 1;
    if (this.timer !== null) this.clock.clear(this.timer);
    this.timer = null;
    this.line?.close();
    this.line = null;
  }

  private later(ms: number): void {
    this.timer = this.clock.set(() => this.dial(), ms);
  }

  private openStream(): void {
    const since = this.wantsSnapshot ? null : (this.listener?.since() ?? null);
    this.line = new StreamLine(this.tableId, since, this.ear(this.attempt), this.clock);
  }

  /** The ticket comes first: without it, it is not the socket that fails. */
  private async openSocket(attempt: number): Promise<void> {
    try {
      const ticket = await newTicket();
      if (attempt !== this.attempt) return;
      this.line = new SocketLine(ticket, this.ear(attempt), this.clock);
    } catch (error) {
      if (attempt !== this.attempt) return;
      if (isNoSession(error)) this.listener?.lost();
      else if (isTransient(error)) this.again(pause(error, 0));
      // Another refusal, or a browser that forbids sockets: there are other means.
      else this.failed(SOCKET_TRIES);
    }
  }

  private ear(attempt: number): Ear {
    return {
      heard: (message) => {
        if (attempt === this.attempt) this.hear(message);
      },
      ended: (why) => {
        if (attempt === this.attempt) this.ended(why);
      },
    };
  }

  private subscribe(): void {
    const since = this.wantsSnapshot ? null : (this.listener?.since() ?? null);
    this.line?.say({ op: 'sub', ch: this.channel, ...(since === null ? {} : { since }) });
  }

  private hear(message: Message): void {
    if (message.op === 'hello') this.greeted();
    else if ('ch' in message && message.ch === this.channel) this.hearTable(message);
    else if (message.op === 'snap' && 'notices' in message.data)
      this.listener?.notices(message.data.notices);
    else if (message.op === 'ev') this.listener?.notices([{ ...message, read: false } as Notice]);
  }

  private greeted(): void {
    if (this.means === 'stream') return;
    this.subscribe();
    this.line?.say({ op: 'sub', ch: 'user:me' });
    if (hidden()) this.line?.say({ op: 'presence', away: true });
    if (this.sessionEnded) this.listener?.replaced();
    this.sessionEnded = false;
  }

  private hearTable(message: Message): void {
    switch (message.op) {
      case 'snap':
        this.wantsSnapshot = false;
        this.listener?.snapshot(message.seq, message.data as Snapshot);
        break;
      case 'ev':
        // Behind a gap nothing helps until the snapshot is here.
        if (!this.wantsSnapshot) this.listener?.event(message);
        break;
      case 'synced':
        if (!this.wantsSnapshot) this.synced();
        break;
      case 'err':
        this.listener?.refused();
    }
  }

  private synced(): void {
    this.through = true;
    this.failures = 0;
    this.tries = 0;
    this.streams = this.means === 'stream';
    this.enter(this.means === 'socket' ? 'live' : 'stream');
    this.listener?.synced();
  }

  // When it does not work, or no longer.

  private ended(why: Ending): void {
    this.line = null;
    if (why.reason === 'replaced') {
      this.enter('elsewhere');
      return;
    }
    if (why.reason === 'no-session') this.sessionEnded = true;
    else if (why.retryMs === null) return this.failed(SOCKET_TRIES);
    else if (!this.through && why.retryMs === 0) return this.failed(1);
    this.again(why.retryMs ?? 0, why.reason);
  }

  private failed(weight: number): void {
    this.failures += weight;
    // What the server no longer has would be refused for ever.
    if (this.means === 'stream') this.wantsSnapshot = true;
    if (this.means === 'socket' && this.failures >= SOCKET_TRIES) {
      this.means = 'stream';
      this.failures = 0;
      this.dial();
    } else if (this.means === 'stream' && this.failures >= STREAM_TRIES) {
      this.startOver();
    } else this.again(0);
  }

  private startOver(): void {
    this.means = 'socket';
    this.failures = SOCKET_TRIES - 1;
    if (this.streams) this.again(0);
    else {
      this.enter('polling');
      this.later(START_OVER_MS);
    }
    this.streams = false;
  }

  private again(atLeastMs: number, reason = ''): void {
    if (this.state === 'live' || this.state === 'stream') this.enter('reconnecting', reason);
    this.later(Math.max(atLeastMs, backoff(this.tries, this.chance())));
    this.tries += 1;
  }

  private enter(state: LiveState, reason = ''): void {
    this.state = state;
    this.listener?.state(state, reason);
  }
}
