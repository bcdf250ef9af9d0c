/**
 * What this device notes of the hands that it asks for, so that a deal can be checked by more
 * than the server's own word: see docs/fairness.md.
 */
import { randomHex } from './api';
import type { Intent } from './api';
import type { Noted } from './fairness';
import { m } from './messages';
import { remark } from './notices.svelte';
import type { Ask } from './retry';
import { persist } from './retry';
import { paths } from './router.svelte';
import { remember, remembered } from './settings.svelte';
import type { FairnessProof, Played } from './types';

interface Note extends Noted {
  /** The hand that was dealt; null until its answer is here. */
  readonly hand: string | null;
  readonly seed: string;
}

const STORE = 'riverboat.deals';
export const NOTES_MAX = 200;

/** This visit's notes, where the browser's storage is full or blocked. */
let unsaved: readonly Note[] | null = null;

/**
 * Asks for a hand with this device's part in its shuffle: `announced` is the root that the
 * server told for it. What the check will need is noted before the seed is sent, and again
 * when the hand is there.
 */
export function askForHand<T extends Played>(
  announced: string | null,
  wish: (seed: string) => Intent,
): Ask<T> {
  return async (how) => {
    const note = begun(announced);
    const played = await persist<T>(wish(note.seed), how);
    const { id, commit_root: dealt } = played.snapshot.hand;
    const others = notes().filter(({ seed }) => seed !== note.seed);
    keep([...others, { ...note, hand: id, dealt }]);
    return played;
  };
}

/**
 * The note of a hand that is to be asked for. Until it is known to be dealt, a root keeps its
 * seed, so that a server gains nothing by failing; no seed is sent for another root.
 */
function begun(announced: string | null): Note {
  const open =
    announced !== null && notes().find((one) => one.hand === null && one.announced === announced);
  if (open) return open;
  const note = { hand: null, announced, seed: randomHex(), dealt: null };
  keep([...notes(), note]);
  return note;
}

const NOTHING: Noted = { announced: null, seed: null, dealt: null };

/**
 * What was noted of a hand. A hand whose answer never came is known by root and seed together:
 * without both, it may just as well have been asked for elsewhere.
 */
export function notedOf(handId: string, { root, client_seed }: FairnessProof): Noted {
  const unanswered = (one: Note): boolean =>
    one.hand === null && one.announced === root && one.seed === client_seed;
  const all = notes();
  return all.find(({ hand }) => hand === handId) ?? all.find(unanswered) ?? NOTHING;
}

/** Hands whose player was warned; a table tells the same hand again and again. */
const warned = new Set<string>();

/** Warns where a hand comes from another deck than was announced to this device for it. */
export function warnOfDeck(hand: { handId: string; handNo: number }, root: string | null): void {
  const { handId, handNo } = hand;
  const note = notes().find((one) => one.hand === handId);
  const known = [note?.announced ?? root, note?.dealt ?? root];
  if (warned.has(handId) || known.every((one) => one === root)) return;
  warned.add(handId);
  const link = { href: paths.hand(handId), label: (): string => m.notice.check };
  remark(() => m.notice.otherDeck(handNo), { link, urgent: true });
}

function notes(): readonly Note[] {
  return unsaved ?? parsed(remembered(STORE));
}

/** Keeps the newest notes; other tabs read what was stored last. */
function keep(all: readonly Note[]): void {
  const newest = all.slice(-NOTES_MAX);
  unsaved = remember(STORE, JSON.stringify(newest)) ? null : newest;
}

/** What of a stored text can be used. */
function parsed(text: string | null): readonly Note[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter(isNote) : [];
  } catch {
    return [];
  }
}

function isNote(value: unknown): value is Note {
  const note = (value ?? {}) as Partial<Record<keyof Note, unknown>>;
  const told = [note.hand, note.announced, note.dealt];
  return (
    typeof note.seed === 'string' && told.every((one) => one === null || typeof one === 'string')
  );
}
