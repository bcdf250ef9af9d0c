import { describe, expect, it } from 'vitest';

import { equityOf } from '../src/lib/equity';
import { CATEGORIES, bitsOf, categoryOf, namingRanks, strengthOf } from '../src/lib/strength';
import known from './equities.json';

const cardsOf = (text: string): string[] => text.match(/../g) ?? [];

function strength(text: string): number {
  const { cd, hs } = bitsOf(cardsOf(text));
  return strengthOf(cd, hs);
}

const percent = (hands: string[], board: string): number[] =>
  equityOf(hands.map(cardsOf), cardsOf(board)).shares.map((share) => Math.round(share * 1e4) / 100);

describe('how strong hands are', () => {
  it.each(known.showdowns)('$hands', ({ hands, winners, category }) => {
    const found = hands.map(strength);
    const front = Math.max(...found);
    expect(found.flatMap((one, no) => (one === front ? [no] : []))).toEqual(winners);
    expect(found.map(categoryOf)).toEqual(category);
  });

  it('counts ten straight flushes in a suit', () => {
    const deck = [...'23456789TJQKA'].map((rank) => `${rank}h`);
    const kinds: Record<string, number> = {};
    const deal = (from: number, hand: string[]): void => {
      if (hand.length === 5) {
        const kind = categoryOf(strength(hand.join('')));
        kinds[kind] = (kinds[kind] ?? 0) + 1;
        return;
      }
      for (let at = from; at < deck.length; at += 1) deal(at + 1, [...hand, deck[at] as string]);
    };
    deal(0, []);
    expect(kinds).toEqual({ flush: 1277, straight_flush: 10 });
  });

  it.each([
    ['7c5d4h3s2c', 'high_card', ['7']],
    ['KcKd4h3s2c9d8s', 'pair', ['K']],
    ['KcKd4h4s2c2dAs', 'two_pair', ['K', '4']],
    ['6c6d6h3s2c', 'three_of_a_kind', ['6']],
    ['Ac2d3h4s5c9d9s', 'straight', ['5']],
    ['TcJdQhKsAc2d2s', 'straight', ['A']],
    ['2c5c7c9cKcAdAs', 'flush', ['K']],
    ['6c6d6h3s3c3d2s', 'full_house', ['6', '3']],
    ['6c6d6h6s3c3d3s', 'four_of_a_kind', ['6']],
    ['Ah2h3h4h5h6d7d', 'straight_flush', ['5']],
  ])('%s is named by what matters', (text, kind, ranks) => {
    expect([categoryOf(strength(text)), namingRanks(strength(text))]).toEqual([kind, ranks]);
    expect(CATEGORIES).toContain(kind);
  });
});

describe('percentages', () => {
  it.each(known.matchups)(
    '$name, over every board',
    ({ hand1, hand2, boards, win1, win2, tie }) => {
      const found = equityOf([cardsOf(hand1), cardsOf(hand2)], []);
      expect(found.boards).toBe(boards);
      expect(found.ties.map((part) => Math.round(part * boards))).toEqual([tie, tie]);
      expect(found.shares[0]).toBeCloseTo((win1 + tie / 2) / boards, 9);
      expect(found.shares[1]).toBeCloseTo((win2 + tie / 2) / boards, 9);
    },
  );

  it('follow the board: every one of the 44 last cards, then the result', () => {
    // A flush draw with two over cards: 9 spades, and no pair helps against three of a kind.
    expect(percent(['AsKs', 'QdQh'], 'Qs7s2d3h')).toEqual([15.91, 84.09]);
    expect(percent(['AsKs', 'QdQh'], 'Qs7s2d3h9s')).toEqual([100, 0]);
    expect(percent(['AsKs', 'AdKd'], 'AcKc2h2c7h')).toEqual([50, 50]);
  });

  it('share a pot among three', () => {
    const { shares, ties, boards } = equityOf(
      ['2c3d', '2d3h', '2h3s'].map(cardsOf),
      cardsOf('AsKsQsJsTs'),
    );
    expect([boards, ties]).toEqual([1, [1, 1, 1]]);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('leave out cards that somebody folded face up', () => {
    expect(equityOf(['AsKs', 'QdQh'].map(cardsOf), cardsOf('Qs7s2d3h'), ['4s', '5s']).boards).toBe(
      42,
    );
  });
});
