/** Reading card text: "As" is the ace of spades. */
import { m } from './messages';
import type { Card } from './types';

export type Suit = 'c' | 'd' | 'h' | 's';
export type Rank = '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'T' | 'J' | 'Q' | 'K' | 'A';

const SUIT_SIGNS: Record<Suit, string> = { c: '♣', d: '♦', h: '♥', s: '♠' };

export function suitOf(card: Card): Suit {
  return card.charAt(1) as Suit;
}

/** The index printed on the card: "10" for a ten. */
export function rankLabel(card: Card): string {
  const rank = card.charAt(0);
  return rank === 'T' ? '10' : rank;
}

/** "ace of spades". */
export function cardName(card: Card): string {
  return m.card(card.charAt(0) as Rank, suitOf(card));
}

/** "A♠", for running text. */
export function cardSign(card: Card): string {
  return rankLabel(card) + SUIT_SIGNS[suitOf(card)];
}

/** Outlines on a 100 x 100 field. */
export const SUIT_PATHS: Record<Suit, string> = {
  s: 'M50 4C58 26 92 42 92 66c0 13-9 21-20 21-8 0-14-4-18-10 1 9 5 15 12 19H34c7-4 11-10 12-19-4 6-10 10-18 10C17 87 8 79 8 66 8 42 42 26 50 4z',
  h: 'M50 94C42 78 6 60 6 32 6 17 17 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c12 0 23 9 23 24 0 28-36 46-44 62z',
  d: 'M50 3c9 19 21 34 36 47-15 13-27 28-36 47-9-19-21-34-36-47C29 37 41 22 50 3z',
  c: 'M50 5c12 0 21 9 21 20 0 7-3 12-8 17 3-2 7-3 11-3 12 0 21 9 21 20s-9 21-21 21c-9 0-16-5-20-11 1 11 5 19 13 26H33c8-7 12-15 13-26-4 6-11 11-20 11C14 80 5 70 5 59s9-20 21-20c4 0 8 1 11 3-5-5-8-10-8-17C29 14 38 5 50 5z',
};
