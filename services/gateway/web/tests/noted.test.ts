/** What this device notes of the hands that it asks for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { intents } from '../src/lib/api';
import { NOTES_MAX, askForHand, notedOf } from '../src/lib/noted';
import type { FairnessProof, Played, Snapshot } from '../src/lib/types';
import { answers, problem } from './server';
import { snapshot } from './support';

const STORE = 'riverboat.deals';
const ROOT = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const NOTHING = { announced: null, seed: null, dealt: null };
const server = answers();

const dealt = (id: string, root: string | null = ROOT): { snapshot: Snapshot; events: [] } => {
  const base = snapshot();
  return { snapshot: { ...base, hand: { ...base.hand, id, commit_root: root } }, events: [] };
};
const proof = (root: string, seed: string | null): FairnessProof => ({
  scheme: 'riverboat-deal-1',
  root,
  client_seed: seed,
  permutation: [],
  openings: [],
});
const kept = (): unknown[] => JSON.parse(localStorage.getItem(STORE) ?? '[]') as unknown[];
const seeds = (): unknown[] =>
  server.seen.map(({ body }) => (body as { client_seed: unknown }).client_seed);

/** Asks once, and again as often as `repeats` allows. */
function ask(announced: string | null = ROOT, repeats = 0): Promise<Played> {
  return askForHand<Played>(announced, (seed) => intents.nextHand('m_1', 1, seed))({
    wanted: () => server.seen.length <= repeats,
    onWait: () => undefined,
    wait: () => Promise.resolve(),
  });
}

beforeEach(() => server.install());
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  // What was not saved is given up once something can be saved again.
  server.next(200, dealt('h_last'));
  await ask(null);
  localStorage.clear();
  server.restore();
});

describe('a hand that is asked for', () => {
  it('carries a fresh seed in the form that the server takes', async () => {
    for (const id of ['h_1', 'h_2', 'h_3']) {
      server.next(200, dealt(id));
      await ask();
    }
    expect(new Set(seeds()).size).toBe(3);
    for (const seed of seeds()) expect(seed).toMatch(/^[0-9a-f]{32}$/);
  });

  it('has a seed that follows from chance alone', async () => {
    const chance = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      (array as unknown as Uint8Array).fill(7);
      return array;
    });
    server.next(200, dealt('h_1')).next(200, dealt('h_2', OTHER));
    await ask(ROOT);
    await ask(OTHER);
    expect(chance).toHaveBeenCalled();
    expect(seeds()).toEqual(['07'.repeat(16), '07'.repeat(16)]);
  });

  it('is noted before the seed is sent', async () => {
    const real = globalThis.fetch;
    let before: unknown[] = [];
    globalThis.fetch = (input, init) => {
      before = kept();
      return real(input, init);
    };
    server.next(200, dealt('h_1'));
    await ask();
    expect(before).toEqual([{ hand: null, announced: ROOT, seed: seeds()[0], dealt: null }]);
  });

  it('is noted by its name once it is dealt', async () => {
    server.next(200, dealt('h_1'));
    await ask();
    const [seed] = seeds();
    expect(notedOf('h_1', proof(OTHER, 'theirs'))).toMatchObject({
      announced: ROOT,
      seed,
      dealt: ROOT,
    });
    expect(notedOf('h_2', proof(ROOT, seed as string))).toEqual(NOTHING);
  });

  it('keeps what was noted when another root is dealt', async () => {
    server.next(200, dealt('h_1', OTHER));
    await ask();
    expect(notedOf('h_1', proof(OTHER, null))).toMatchObject({ announced: ROOT, dealt: OTHER });
  });

  it('is asked for again with the same key and the same seed', async () => {
    server
      .next('lost')
      .next(...problem(503, 'engine-unavailable'))
      .next(200, dealt('h_1'));
    await ask(ROOT, 2);
    expect(server.seen).toHaveLength(3);
    expect(new Set(server.seen.map(({ key, body }) => JSON.stringify([key, body]))).size).toBe(1);
  });
});

describe('a hand that was not answered', () => {
  const unanswered = async (root: string | null = ROOT): Promise<void> => {
    server.next('lost');
    await expect(ask(root)).rejects.toThrow();
  };

  it('keeps its seed for as long as its root is announced', async () => {
    await unanswered();
    server.next(200, dealt('h_1'));
    await ask();
    expect(seeds()[1]).toBe(seeds()[0]);
    server.next(200, dealt('h_2'));
    await ask();
    expect(seeds()[2]).not.toBe(seeds()[0]);
  });

  it('has its seed sent for no other root, and for none twice', async () => {
    await unanswered();
    await unanswered(OTHER);
    await unanswered(null);
    await unanswered(null);
    expect(new Set(seeds()).size).toBe(4);
  });

  it('is known again by root and seed together', async () => {
    await unanswered();
    const seed = seeds()[0] as string;
    expect(notedOf('h_1', proof(ROOT, seed))).toMatchObject({ announced: ROOT, seed });
    // It may have been asked for on another device.
    expect(notedOf('h_1', proof(ROOT, 'theirs'))).toEqual(NOTHING);
    expect(notedOf('h_1', proof(OTHER, seed))).toEqual(NOTHING);
  });
});

describe('the notes', () => {
  it('are as many as were said, the oldest going first', async () => {
    const old = Array.from({ length: NOTES_MAX }, (_, no) => ({
      hand: `h_${no}`,
      announced: ROOT,
      seed: `seed ${no}`,
      dealt: ROOT,
    }));
    localStorage.setItem(STORE, JSON.stringify(old));
    server.next(200, dealt('h_new'));
    await ask();
    expect(kept()).toHaveLength(NOTES_MAX);
    expect(notedOf('h_0', proof(ROOT, null))).toEqual(NOTHING);
    expect(notedOf('h_1', proof(ROOT, null))).toMatchObject({ seed: 'seed 1' });
    expect(notedOf('h_new', proof(ROOT, null))).toMatchObject({ seed: seeds()[0] });
  });

  it.each([['{'], ['null'], ['7'], ['{"hand":"h_1"}'], ['[null, 1, "x", {"hand": "h_1"}]']])(
    'survive that %s was stored',
    async (text) => {
      localStorage.setItem(STORE, text);
      expect(notedOf('h_1', proof(ROOT, null))).toEqual(NOTHING);
      server.next(200, dealt('h_1'));
      await ask();
      expect(kept()).toHaveLength(1);
      expect(notedOf('h_1', proof(ROOT, null))).toMatchObject({ announced: ROOT });
    },
  );

  it('are those of this visit when the storage is full or blocked', async () => {
    const full = (): never => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: full });
    server.next(200, dealt('h_1')).next(200, dealt('h_2'));
    await ask();
    await ask();
    expect(notedOf('h_1', proof(ROOT, null))).toMatchObject({ seed: seeds()[0] });
    expect(notedOf('h_2', proof(ROOT, null))).toMatchObject({ seed: seeds()[1] });
    vi.unstubAllGlobals();
    expect(kept()).toEqual([]);
    server.next(200, dealt('h_3'));
    await ask();
    expect(kept()).toHaveLength(3);
  });
});
