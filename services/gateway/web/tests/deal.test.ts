/** Checking a deal in the browser, and what is said of it. */
import { readFileSync } from 'node:fs';

import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import FairDeal from '../src/components/FairDeal.svelte';
import type { Verdict } from '../src/lib/deal';
import { checkDeal } from '../src/lib/deal';
import type { HandRecord } from '../src/lib/types';
import { PathServer, Refusal } from './paths';
import { Stage, record, soon } from './played';

interface Vectors {
  valid: { proof: { root: string; openings: unknown[] }; hand: HandRecord | null }[];
}
const VECTORS = '../../../tests/golden/data/fairness/vectors.json';
const { valid } = JSON.parse(readFileSync(VECTORS, 'utf8')) as Vectors;
const known = valid.find((one) => one.hand?.events.some(({ type }) => type === 'showdown'))!;
const hand = { ...known.hand!, hand_id: 'h_1' };

describe('a deal', () => {
  const server = new PathServer();
  beforeEach(() => server.install());
  afterEach(() => server.restore());

  it('holds when every card seen comes from the deck that was committed to', async () => {
    server.at('/hands/h_1/fairness', known.proof);
    const verdict = await checkDeal(hand, true);
    expect(verdict.is).toBe('holds');
    expect(verdict.is === 'holds' && verdict.cards.length).toBe(known.proof.openings.length);
  });

  it('is broken when the proof is of another root', async () => {
    server.at('/hands/h_1/fairness', { ...known.proof, root: '0'.repeat(64) });
    expect(await checkDeal(hand, true)).toMatchObject({ is: 'broken' });
  });

  it('may have no proof, or one that does not come', async () => {
    server.at('/hands/h_1/fairness', new Refusal(404, 'not-found'));
    expect(await checkDeal(hand, true)).toEqual({ is: 'none' });
    server.at('/hands/h_1/fairness', new Refusal(503, 'unavailable'));
    expect(await checkDeal(hand, true)).toEqual({ is: 'lost' });
  });

  it('is not checked where the browser lends no cryptography', async () => {
    expect(await checkDeal(hand, false)).toEqual({ is: 'unsupported' });
    expect(server.seen).toEqual([]);
  });
});

describe('the fair deal panel', () => {
  const page = new Stage();
  afterEach(() => page.clear());

  async function check(verdict: Verdict): Promise<HTMLElement> {
    page.show(FairDeal, { record: record(), check: () => Promise.resolve(verdict) });
    page.press('fair-deal-check');
    await soon(() => expect(page.find('fair-deal-verdict').dataset['verdict']).toBe(verdict.is));
    flushSync();
    return page.find('fair-deal-verdict');
  }

  it('names the cards that are proven', async () => {
    const proof = { scheme: 's', root: 'abcd', client_seed: '<b>', permutation: [], openings: [] };
    const said = await check({ is: 'holds', proof, cards: ['As', 'Kh'] });
    expect(said.textContent).toContain('2 cards proven');
    expect(page.text('fair-deal')).toContain('A♠ K♥');
    expect(page.text('fair-deal')).toContain('<b>');
  });

  it('says why a proof does not hold', async () => {
    const said = await check({ is: 'broken', why: 'a card is there twice' });
    expect(said.textContent).toContain('does not hold');
    expect(said.textContent).toContain('a card is there twice');
  });

  it.each([['none'], ['unsupported'], ['lost']] as const)('explains "%s"', async (is) => {
    expect((await check({ is })).textContent.trim()).not.toBe('');
  });
});
