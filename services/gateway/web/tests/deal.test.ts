/** Checking a deal in the browser, and what is said of it. */
import { readFileSync } from 'node:fs';

import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import FairDeal from '../src/components/FairDeal.svelte';
import type { Verdict } from '../src/lib/deal';
import { checkDeal } from '../src/lib/deal';
import { speak } from '../src/lib/language.svelte';
import { r } from '../src/lib/messages/review';
import type { FairnessProof, HandRecord } from '../src/lib/types';
import { PathServer, Refusal } from './paths';
import { Stage, record, soon } from './played';

interface Vectors {
  valid: { proof: FairnessProof; hand: HandRecord | null }[];
}
const VECTORS = '../../../tests/golden/data/fairness/vectors.json';
const { valid } = JSON.parse(readFileSync(VECTORS, 'utf8')) as Vectors;
const known = valid.find(
  ({ hand, proof }) =>
    proof.client_seed !== null && hand?.events.some(({ type }) => type === 'showdown'),
)!;
const hand = { ...known.hand!, hand_id: 'h_1' };

const { root, client_seed: seed } = known.proof;
const OTHER = '0'.repeat(64);

/** This device asked for the hand, and noted so. */
function note(over: object = {}): void {
  const asked = { hand: 'h_1', announced: root, seed, dealt: root, ...over };
  localStorage.setItem('riverboat.deals', JSON.stringify([asked]));
}

describe('a deal', () => {
  const server = new PathServer();
  beforeEach(() => server.install());
  afterEach(() => {
    server.restore();
    localStorage.clear();
  });

  it('holds when every card seen comes from the deck that was committed to', async () => {
    server.at('/hands/h_1/fairness', known.proof);
    const verdict = await checkDeal(hand, true);
    expect(verdict.is).toBe('holds');
    expect(verdict.is === 'holds' && verdict.cards.length).toBe(known.proof.openings.length);
  });

  it('is broken when the proof is of another root', async () => {
    const proof = { ...known.proof, root: '0'.repeat(64) };
    server.at('/hands/h_1/fairness', proof);
    expect(await checkDeal(hand, true)).toEqual({ is: 'broken', flaw: 'permutation', at: null });
  });

  it('is compared with what this device noted', async () => {
    note();
    server.at('/hands/h_1/fairness', known.proof);
    expect(await checkDeal(hand, true)).toMatchObject({ is: 'holds', root: true, seed: true });
  });

  it('says when this device noted nothing, or not all', async () => {
    server.at('/hands/h_1/fairness', known.proof);
    expect(await checkDeal(hand, true)).toMatchObject({ is: 'holds', root: false, seed: false });
    note({ announced: null });
    expect(await checkDeal(hand, true)).toMatchObject({ is: 'holds', root: false, seed: true });
  });

  it.each([
    ['announced', 'root'],
    ['dealt', 'root'],
    ['seed', 'seed'],
  ] as const)('fails when the server tells of another than was noted: %s', async (name, what) => {
    note({ [name]: OTHER });
    server.at('/hands/h_1/fairness', known.proof);
    const told = what === 'root' ? root : seed;
    expect(await checkDeal(hand, true)).toEqual({ is: 'exchanged', what, noted: OTHER, told });
  });

  it('fails when a server with a sound proof has dealt without the seed', async () => {
    const unseeded = valid.find(({ proof }) => proof.client_seed === null)!;
    const dealt = { ...unseeded.hand!, hand_id: 'h_1' };
    server.at('/hands/h_1/fairness', unseeded.proof);
    expect(await checkDeal(dealt, true)).toMatchObject({ is: 'holds' });
    note({ announced: unseeded.proof.root, dealt: unseeded.proof.root });
    expect(await checkDeal(dealt, true)).toMatchObject({ is: 'exchanged', what: 'seed' });
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
  afterEach(async () => {
    await page.clear();
    await speak('en');
  });

  async function check(verdict: Verdict): Promise<HTMLElement> {
    page.show(FairDeal, { record: record(), check: () => Promise.resolve(verdict) });
    page.press('fair-deal-check');
    await soon(() => expect(page.find('fair-deal-verdict').dataset['verdict']).toBe(verdict.is));
    flushSync();
    return page.find('fair-deal-verdict');
  }

  it('names the cards that are proven', async () => {
    const proof = { scheme: 's', root: 'abcd', client_seed: '<b>', permutation: [], openings: [] };
    const cards = ['As', 'Kh'];
    const said = await check({ is: 'holds', proof, cards, root: true, seed: true });
    expect(said.textContent).toContain('2 cards proven');
    expect(page.text('fair-deal-root')).toContain('fixed before your part');
    expect(page.text('fair-deal-seed')).toContain('Your part is in the shuffle');
    expect(said.textContent).not.toContain('another device');
    expect(page.text('fair-deal')).toContain('A♠ K♥');
    expect(page.text('fair-deal')).toContain('<b>');
  });

  it.each([
    [true, 'No root had reached this device'],
    [false, 'on another device'],
  ])('says what could not be checked, and why (seed %s)', async (seed, why) => {
    const said = await check({ is: 'holds', proof: known.proof, cards: [], root: false, seed });
    const checked = (name: string): string | undefined => page.find(name).dataset['checked'];
    expect([checked('fair-deal-root'), checked('fair-deal-seed')]).toEqual(['false', String(seed)]);
    expect(page.text('fair-deal-root')).toContain('Not checked');
    expect(said.textContent).toContain(why);
  });

  it.each([
    ['root', 'the deck is not the one'],
    ['seed', 'your part in the shuffle is not the one'],
  ] as const)('is loud about another %s', async (what, words) => {
    const said = await check({ is: 'exchanged', what, noted: 'mine', told: 'theirs' });
    expect(said.textContent).toContain('The check failed');
    expect(said.textContent).toContain(words);
    expect(said.classList.contains('failed')).toBe(true);
    expect(page.text('fair-deal')).toMatch(/mine.*theirs/);
    expect(page.all('fair-deal-root')).toEqual([]);
  });

  it('says why a proof does not hold', async () => {
    const at = { card: 'As', pos: 17 };
    const said = await check({ is: 'broken', flaw: 'path', at });
    expect(said.textContent).toContain('does not hold');
    expect(page.text('fair-deal-verdict')).toContain(
      'Reason: a card does not lead to the root. It is about the ace of spades at position 17.',
    );
    await speak('de');
    flushSync();
    expect(page.text('fair-deal-verdict')).toContain(
      'Grund: Eine Karte führt nicht zur Wurzel. Es geht um Pik-Ass auf Position 17.',
    );
  });

  it.each(['en', 'de'] as const)('has a sentence for every flaw, in %s', async (language) => {
    await speak(language);
    const reasons = Object.values(r.deal.flaws);
    expect(new Set(reasons).size).toBe(reasons.length);
    expect(reasons.filter((reason) => !/\p{L}{3}/u.test(reason) || /\.$/.test(reason))).toEqual([]);
  });

  it.each([['none'], ['unsupported'], ['lost']] as const)('explains "%s"', async (is) => {
    expect((await check({ is })).textContent.trim()).not.toBe('');
  });
});
