// @vitest-environment node
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import {
  CARDS,
  NotedError,
  ProofError,
  SCHEME,
  firstButton,
  hashOf,
  hex,
  leafHash,
  permutationOf,
  verify,
} from '../src/lib/fairness';

interface Case {
  name: string;
  proof: { root: string; client_seed: string | null; openings: unknown[] };
  hand: unknown;
}

interface Vectors {
  scheme: string;
  leaves: { pos: number; card: string; salt: string; leaf: string }[];
  permutations: {
    root: string;
    client_seed: string | null;
    permutation: number[];
    first_button: number | null;
  }[];
  valid: Case[];
  changed: number;
  invalid: { why: string; at: (string | number)[]; to?: unknown }[];
}

const VECTORS = new URL('../../../../tests/golden/data/fairness/vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(VECTORS, 'utf8')) as Vectors;

/** A valid case with what is at a path set to something, or taken away. */
function changed(valid: Case, change: Vectors['invalid'][number]): Case {
  const copy = structuredClone(valid);
  let spot = copy as unknown as Record<string | number, unknown>;
  for (const step of change.at.slice(0, -1)) spot = spot[step] as Record<string | number, unknown>;
  const last = change.at.at(-1)!;
  if ('to' in change) spot[last] = change.to;
  else delete spot[last];
  return copy;
}

describe('the scheme', () => {
  it('is the one of the vectors', () => expect(SCHEME).toBe(vectors.scheme));

  it.each(vectors.leaves)('hashes $card at $pos', async ({ pos, card, salt, leaf }) => {
    expect(hex(await leafHash(pos, CARDS.indexOf(card), hashOf(salt, 16)))).toBe(leaf);
  });

  it.each(vectors.permutations)('permutes $root by $client_seed', async (item) => {
    const root = hashOf(item.root, 32);
    expect(await permutationOf(root, item.client_seed)).toEqual(item.permutation);
    if (item.client_seed === null) return;
    expect(await firstButton(root, item.client_seed, [2, 1])).toBe(item.first_button);
  });
});

describe('a proof', () => {
  it.each(vectors.valid)('holds: $name', async ({ proof, hand }) => {
    const opened = await verify(proof);
    expect(opened.size).toBe(proof.openings.length);
    const { root, client_seed: seed } = proof;
    expect(await verify(proof, hand, { announced: root, dealt: root, seed })).toEqual(opened);
  });

  it.each(vectors.invalid)('does not hold with $why', async (change) => {
    const { proof, hand } = changed(vectors.valid[vectors.changed]!, change);
    await expect(verify(proof, hand)).rejects.toThrow(ProofError);
  });

  it('does not hold for a hand that nobody sat at', async () => {
    const { proof } = vectors.valid.find((valid) => valid.proof.client_seed !== null)!;
    const started = { type: 'hand.started', data: { commit_root: proof.root } };
    const hand = { hand_no: 1, button: 1, ruleset: {}, seats: [], events: [started] };
    await expect(verify({ ...proof, openings: [] }, hand)).rejects.toThrow(
      expect.objectContaining({ flaw: 'record' }),
    );
  });

  it('is of the roots and the seed that were noted', async () => {
    const { proof } = vectors.valid[0]!;
    const other = '00'.repeat(32);
    const nothing = { announced: null, dealt: null, seed: null };
    await expect(verify(proof, undefined, nothing)).resolves.toBeDefined();
    for (const noted of [{ announced: other }, { dealt: other }, { seed: 'mine' }]) {
      const found = verify(proof, undefined, { ...nothing, ...noted });
      await expect(found).rejects.toThrow(NotedError);
    }
  });

  it.each([[null], [1], ['text'], [[]], [{}]])('is not %j', async (thing) => {
    await expect(verify(thing)).rejects.toThrow(ProofError);
  });

  it('does not hold with any bit of it flipped (ENG-009)', { timeout: 120_000 }, async () => {
    const text = new TextEncoder().encode(JSON.stringify(vectors.valid[0]!.proof));
    const held: number[] = [];
    for (let bit = 0; bit < 8 * text.length; bit += 1) {
      const other = text.slice();
      other[bit >> 3]! ^= 1 << (bit & 7);
      if (await holds(other)) held.push(bit);
    }
    expect(held).toEqual([]);
  });
});

async function holds(bytes: Uint8Array): Promise<boolean> {
  let proof: unknown;
  try {
    proof = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
  return verify(proof).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ProofError) return false;
      throw error;
    },
  );
}
