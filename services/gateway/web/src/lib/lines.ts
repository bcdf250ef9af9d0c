/** What a live connection says and hears, whatever carries it (the gateway's `holdem.v1`). */
import type { components } from './schema';
import type { Snapshot } from './types';

export type Notice = components['schemas']['Notice'];

/** One event of a channel. The server may add types; `isKnown` tells those that are played. */
export interface LiveEvent {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
}

export type Message =
  | { op: 'hello'; ping_s: number }
  | { op: 'snap'; ch: string; seq: number; data: Snapshot | { notices: readonly Notice[] } }
  | ({ op: 'ev'; ch: string } & LiveEvent)
  | { op: 'synced'; ch: string; seq: number }
  | { op: 'pong' }
  | { op: 'err'; ch: string | null; problem: { type: string; status: number } }
  | { op: 'bye'; reason: string; retry_ms: number | null };

export type Order =
  { op: 'sub'; ch: string; since?: number } | { op: 'ping' } | { op: 'presence'; away: boolean };

/** Why a line ended. `retryMs`: when the server wants us back, null: not by ourselves. */
export interface Ending {
  reason: string;
  retryMs: number | null;
}

/** A line that broke without a word. */
export const BROKEN: Ending = { reason: 'broken', retryMs: 0 };

/** Told what comes in, and once when the line ends by itself. */
export interface Ear {
  heard(message: Message): void;
  ended(why: Ending): void;
}

export interface Line {
  /** Nothing happens on lines that only listen. */
  say(order: Order): void;
  /** Makes sure that somebody is there: a line found dead ends. */
  probe(): void;
  /** Ends it without a word to the ear. */
  close(): void;
}

/** The message in a text, null for what is none: a proxy may say anything. */
export function parse(text: unknown): Message | null {
  if (typeof text !== 'string') return null;
  try {
    const message = JSON.parse(text) as Message | null;
    return typeof message?.op === 'string' ? message : null;
  } catch {
    return null;
  }
}
