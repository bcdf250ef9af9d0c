/**
 * Checks the proof of a deal in the browser, with WebCrypto: the scheme `riverboat-deal-1` of
 * docs/fairness.md, written independently of the server's own. Both are tested against the
 * vectors in tests/golden/data/fairness.
 */

export const SCHEME = 'riverboat-deal-1';
export const CARDS: readonly string[] = [...'23456789TJQKA'].flatMap((rank) =>
  [...'cdhs'].map((suit) => rank + suit),
);

const SALT_BYTES = 16;
const SEED_BYTES_MAX = 64;
const BOARD = { plain: [0, 1, 2, 3, 4], burning: [1, 2, 3, 5, 7] } as const;
const REVEALS = ['cards.dealt', 'all_in.reveal', 'showdown'];

/** What is wrong with a proof. */
export type Flaw =
  | 'scheme'
  | 'members'
  | 'list'
  | 'hash'
  | 'seed'
  | 'permutation'
  | 'opening'
  | 'path'
  | 'order'
  | 'twice'
  | 'root'
  | 'cards'
  | 'button'
  | 'record'
  | 'contradiction';

/** A card, and its position in the committed order. */
export interface Opened {
  readonly pos: number;
  readonly card: string;
}

/** The proof does not hold. */
export class ProofError extends Error {
  constructor(
    readonly flaw: Flaw,
    /** The opening that shows it, where one alone does. */
    readonly at: Opened | null = null,
    options?: ErrorOptions,
  ) {
    super(flaw, options);
  }
}

/** The proof is of something else than was noted. */
export class NotedError extends Error {
  constructor(
    readonly what: 'root' | 'seed',
    readonly noted: string,
    readonly told: string | null,
  ) {
    super(`the ${what} is not the one that was noted`);
  }
}

/** What somebody noted of a hand; null what was not noted. */
export interface Noted {
  /** The root that was announced before the client seed was sent. */
  readonly announced: string | null;
  readonly seed: string | null;
  /** The root that the hand named when it was dealt. */
  readonly dealt: string | null;
}

type Bytes = Uint8Array<ArrayBuffer>;
type Members = Record<string, unknown>;

/** Cards by their place in the deal, the first dealt card being 0. */
export type OpenedCards = ReadonlyMap<number, string>;

/**
 * Check a proof (`GET /v1/hands/{id}/fairness`), and where they are given that it is the proof of
 * this hand (`GET /v1/hands/{id}`) and of what was noted. Rejects with ProofError or NotedError.
 */
export async function verify(proof: unknown, hand?: unknown, noted?: Noted): Promise<OpenedCards> {
  const body = members(proof, ['scheme', 'root', 'client_seed', 'permutation', 'openings']);
  const opened = await checkProof(body);
  if (noted) checkNoted(body as unknown as Told, noted);
  if (hand !== undefined) await checkHand(body, opened, hand);
  return opened;
}

interface Told {
  root: string;
  client_seed: string | null;
}

function checkNoted({ root, client_seed: seed }: Told, noted: Noted): void {
  for (const one of [noted.announced, noted.dealt]) {
    if (one !== null && one !== root) throw new NotedError('root', one, root);
  }
  if (noted.seed !== null && noted.seed !== seed) throw new NotedError('seed', noted.seed, seed);
}

async function checkProof(body: Members): Promise<OpenedCards> {
  if (body['scheme'] !== SCHEME) throw new ProofError('scheme');
  const root = hashOf(body['root'], 32);
  const order = await permutationOf(root, seedOf(body['client_seed']));
  if (!same(body['permutation'], order)) {
    throw new ProofError('permutation');
  }
  const opened = new Map<number, string>();
  let before = -1;
  for (const item of list(body['openings'])) {
    const { pos, card } = await checkOpening(item, root);
    const place = order.indexOf(pos);
    if (place <= before) throw new ProofError('order', { pos, card });
    opened.set(place, card);
    before = place;
  }
  if (new Set(opened.values()).size < opened.size) throw new ProofError('twice');
  return opened;
}

async function checkOpening(item: unknown, root: Bytes): Promise<Opened> {
  const { pos, card, salt, path } = members(item, ['pos', 'card', 'salt', 'path']);
  if (!isPosition(pos) || typeof card !== 'string' || !CARDS.includes(card)) {
    throw new ProofError('opening');
  }
  const leaf = await leafHash(pos, CARDS.indexOf(card), hashOf(salt, SALT_BYTES));
  const siblings = list(path).map((text) => hashOf(text, 32));
  if (hex(await rootFrom(pos, leaf, siblings)) !== hex(root)) {
    throw new ProofError('path', { pos, card });
  }
  return { pos, card };
}

/** The leaf of a card (by its index) at a position. */
export function leafHash(pos: number, card: number, salt: Bytes): Promise<Bytes> {
  return sha256(Uint8Array.of(0, pos, card), salt);
}

/** The root that a leaf and its path lead to. */
export async function rootFrom(
  pos: number,
  leaf: Bytes,
  path: readonly Bytes[],
  size = CARDS.length,
): Promise<Bytes> {
  const sibling = path.at(-1);
  if (size === 1) {
    if (sibling) throw new ProofError('path');
    return leaf;
  }
  if (!sibling) throw new ProofError('path');
  const below = path.slice(0, -1);
  const left = 2 ** Math.floor(Math.log2(size - 1));
  return pos < left
    ? sha256(Uint8Array.of(1), await rootFrom(pos, leaf, below, left), sibling)
    : sha256(Uint8Array.of(1), sibling, await rootFrom(pos - left, leaf, below, size - left));
}

/** Which position is dealt i-th. */
export async function permutationOf(root: Bytes, seed: string | null): Promise<number[]> {
  const order = CARDS.map((_, index) => index);
  if (seed === null) return order;
  const stream = new Stream(root, 'permutation', seed);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = await stream.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** The seat that has the first button of a match. */
export async function firstButton(root: Bytes, seed: string, seats: number[]): Promise<number> {
  const place = await new Stream(root, 'button', seed).below(seats.length);
  return [...seats].sort((one, other) => one - other)[place]!;
}

/** Bytes drawn from a root and a client seed. */
class Stream {
  private readonly key: Promise<CryptoKey>;
  private bytes: number[] = [];
  private counter = 0;

  constructor(
    root: Bytes,
    private readonly label: string,
    private readonly seed: string,
  ) {
    const kind = { name: 'HMAC', hash: 'SHA-256' };
    this.key = crypto.subtle.importKey('raw', root, kind, false, ['sign']);
  }

  /** A number below `bound`, each equally likely: bytes that would favour some are skipped. */
  async below(bound: number): Promise<number> {
    for (;;) {
      const byte = await this.next();
      if (byte < 256 - (256 % bound)) return byte % bound;
    }
  }

  private async next(): Promise<number> {
    if (!this.bytes.length) this.bytes = [...(await this.block())];
    return this.bytes.shift()!;
  }

  private async block(): Promise<Bytes> {
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, this.counter);
    this.counter += 1;
    const text = joined(utf8(`${SCHEME}/${this.label}`), counter, utf8(this.seed));
    return new Uint8Array(await crypto.subtle.sign('HMAC', await this.key, text));
  }
}

async function checkHand(proof: Members, opened: OpenedCards, hand: unknown): Promise<void> {
  const record = readable(hand);
  if (record.root !== proof['root']) throw new ProofError('root');
  const matches = [...record.seen].every(([place, card]) => opened.get(place) === card);
  if (!matches || record.seen.size !== opened.size) {
    throw new ProofError('cards');
  }
  const seed = proof['client_seed'] as string | null;
  if (record.handNo !== 1 || seed === null) return;
  const button = await firstButton(hashOf(proof['root'], 32), seed, record.seats);
  if (button !== record.button) {
    throw new ProofError('button');
  }
}

/** What the check needs of a hand's record. */
interface HandRecord {
  hand_no: number;
  button: number;
  ruleset: { burn_cards: boolean };
  seats: { no: number }[];
  events: { type: string; data: Members }[];
}

interface SeenHand {
  handNo: number;
  button: number;
  seats: number[];
  root: unknown;
  seen: OpenedCards;
}

function readable(hand: unknown): SeenHand {
  try {
    const record = hand as HandRecord;
    const seats = record.seats.map((seat) => seat.no).sort((one, other) => one - other);
    // Drawing a button among no seats would never end.
    if (seats.length === 0) throw new ProofError('record');
    const started = record.events.find((event) => event.type === 'hand.started')!;
    const root = started.data['commit_root'];
    const { hand_no: handNo, button } = record;
    return { handNo, button, seats, root, seen: seenCards(record, seats) };
  } catch (error) {
    if (error instanceof ProofError) throw error;
    throw new ProofError('record', null, { cause: error });
  }
}

/** The cards of a hand's record by their place in the deal. */
function seenCards(record: HandRecord, seats: number[]): Map<number, string> {
  const later = seats.filter((seat) => seat > record.button);
  const order = [...later, ...seats.filter((seat) => seat <= record.button)];
  const board = [...(record.ruleset.burn_cards ? BOARD.burning : BOARD.plain)];
  const seen = new Map<number, string>();
  const see = (place: number, card: string | null): void => {
    if (card === null) return;
    if (!(place >= 0) || (seen.get(place) ?? card) !== card) {
      throw new ProofError('contradiction');
    }
    seen.set(place, card);
  };
  for (const { type, data } of record.events) {
    if (type === 'street.dealt') {
      const cards = data['cards'] as string[];
      cards.forEach((card) => see(2 * seats.length + board.shift()!, card));
    } else if (REVEALS.includes(type)) {
      const hands = data['hands'] as { seat: number; cards: (string | null)[] }[];
      for (const { seat, cards } of hands) {
        const at = order.indexOf(seat);
        cards.forEach((card, number) => see(at < 0 ? at : number * seats.length + at, card));
      }
    }
  }
  return seen;
}

/** Exactly these members, no more and no fewer. */
function members(value: unknown, names: readonly string[]): Members {
  const found = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (found.length !== names.length || !names.every((name) => found.includes(name))) {
    throw new ProofError('members');
  }
  return value as Members;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ProofError('list');
  return value as unknown[];
}

function same(value: unknown, numbers: readonly number[]): boolean {
  const items = list(value);
  return (
    items.length === numbers.length && numbers.every((item, index) => Object.is(items[index], item))
  );
}

function isPosition(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < CARDS.length;
}

/** Bytes in lower-case hexadecimal, which is the only spelling. */
export function hashOf(value: unknown, size: number): Bytes {
  if (typeof value !== 'string' || !new RegExp(`^[0-9a-f]{${2 * size}}$`).test(value)) {
    throw new ProofError('hash');
  }
  return Uint8Array.from(value.match(/../g)!, (pair) => parseInt(pair, 16));
}

function seedOf(value: unknown): string | null {
  if (value === null) return null;
  const size = typeof value === 'string' && isWellFormed(value) ? utf8(value).length : 0;
  if (size < 1 || size > SEED_BYTES_MAX) {
    throw new ProofError('seed');
  }
  return value as string;
}

/** Whether a text has no half of a surrogate pair, which UTF-8 cannot write. */
function isWellFormed(text: string): boolean {
  return new TextDecoder().decode(utf8(text)) === text;
}

/** How bytes are written in proofs. */
export function hex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text) as Bytes;
}

function joined(...parts: readonly Bytes[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));
}
