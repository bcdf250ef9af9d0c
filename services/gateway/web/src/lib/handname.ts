/** What one's own hand is called while it is being played, by the names the server gives hands. */
import type { Rank } from './cards';
import { bitsOf, categoryOf, namingRanks, strengthOf } from './strength';
import type { Card } from './types';

const ONE: Readonly<Record<Rank, string>> = {
  '2': 'deuce',
  '3': 'three',
  '4': 'four',
  '5': 'five',
  '6': 'six',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
  T: 'ten',
  J: 'jack',
  Q: 'queen',
  K: 'king',
  A: 'ace',
};

const many = (rank: Rank): string => (rank === '6' ? 'sixes' : `${ONE[rank]}s`);

/** "Two pair, aces and eights", for two to seven cards; in English, as the server says it. */
export function handNameOf(cards: readonly Card[]): string {
  const { cd, hs } = bitsOf(cards);
  const strength = strengthOf(cd, hs);
  const [first, second] = namingRanks(strength) as [Rank, Rank];
  switch (categoryOf(strength)) {
    case 'high_card':
      return `High card, ${ONE[first]}`;
    case 'pair':
      return `Pair of ${many(first)}`;
    case 'two_pair':
      return `Two pair, ${many(first)} and ${many(second)}`;
    case 'three_of_a_kind':
      return `Three of a kind, ${many(first)}`;
    case 'straight':
      return `Straight, ${ONE[first]} high`;
    case 'flush':
      return `Flush, ${ONE[first]} high`;
    case 'full_house':
      return `Full house, ${many(first)} full of ${many(second)}`;
    case 'four_of_a_kind':
      return `Four of a kind, ${many(first)}`;
    case 'straight_flush':
      return first === 'A' ? 'Royal flush' : `Straight flush, ${ONE[first]} high`;
  }
}
