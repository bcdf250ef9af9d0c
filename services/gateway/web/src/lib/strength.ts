/**
 * How strong five to seven cards are, for percentages and for the name of one's own hand while it
 * is still being played. Nothing is decided by it: who wins and what a button may do is the
 * server's to say.
 *
 * Cards are bits. A hand is two numbers of two suits each, 13 bits a suit from the two up, clubs
 * and hearts below diamonds and spades, so that a board and hole cards are joined by "or".
 */
import type { Card } from './types';

export interface Bits {
  /** Clubs, and diamonds 16 bits above them. */
  readonly cd: number;
  /** Hearts, and spades 16 bits above them. */
  readonly hs: number;
}

export const RANKS = '23456789TJQKA';
const SUITS = 'cdhs';
const ALL = 0x1fff;
const ACE = 12;

/** Worst first; a strength starts with it. */
export const CATEGORIES = [
  'high_card',
  'pair',
  'two_pair',
  'three_of_a_kind',
  'straight',
  'flush',
  'full_house',
  'four_of_a_kind',
  'straight_flush',
] as const;

export type Category = (typeof CATEGORIES)[number];

export function bitsOf(cards: readonly Card[]): Bits {
  let cd = 0;
  let hs = 0;
  for (const card of cards) {
    const suit = SUITS.indexOf(card.charAt(1));
    const bit = 1 << (RANKS.indexOf(card.charAt(0)) + (suit % 2 === 0 ? 0 : 16));
    if (suit < 2) cd |= bit;
    else hs |= bit;
  }
  return { cd, hs };
}

const COUNT = new Uint8Array(ALL + 1);
/** The upper card of the best straight in these ranks, counted from 1; 0 without one. */
const STRAIGHT = new Uint8Array(ALL + 1);

for (let ranks = 1; ranks <= ALL; ranks += 1) {
  COUNT[ranks] = (COUNT[ranks >> 1] ?? 0) + (ranks & 1);
  // An ace below the two makes the lowest straight.
  const low = (ranks << 1) | (ranks >> ACE);
  const runs = low & (low >> 1) & (low >> 2) & (low >> 3) & (low >> 4);
  STRAIGHT[ranks] = runs === 0 ? 0 : 31 - Math.clz32(runs) + 4;
}

const top = (ranks: number): number => 31 - Math.clz32(ranks);

/** The highest `count` of the ranks. */
function best(ranks: number, count: number): number {
  let left = ranks;
  for (let over = (COUNT[ranks] as number) - count; over > 0; over -= 1) left &= left - 1;
  return left;
}

const CATEGORY_SHIFT = 20;
const GROUP_SHIFT = 13;

/**
 * The strength of the best five: a higher number wins, equal numbers share. Above bit 20 is the
 * category, below it the ranks that decide between two of the same category.
 */
export function strengthOf(cd: number, hs: number): number {
  const c = cd & ALL;
  const d = cd >>> 16;
  const h = hs & ALL;
  const s = hs >>> 16;
  const any = c | d | h | s;
  const suited = flushIn(c, d, h, s);
  if (suited !== 0) {
    const run = STRAIGHT[suited] as number;
    if (run > 0) return (8 << CATEGORY_SHIFT) | run;
  }
  const even = any ^ c ^ d ^ h ^ s;
  const three = ((c & d) | (h & s)) & ((c & h) | (d & s));
  if ((even | three) !== 0) {
    const great = greatGroups(c & d & h & s, three, even, any);
    if (great !== 0) return great;
  }
  if (suited !== 0) return (5 << CATEGORY_SHIFT) | best(suited, 5);
  const run = STRAIGHT[any] as number;
  if (run > 0) return (4 << CATEGORY_SHIFT) | run;
  return smallGroups(three, even, any);
}

function flushIn(c: number, d: number, h: number, s: number): number {
  if ((COUNT[c] as number) > 4) return c;
  if ((COUNT[d] as number) > 4) return d;
  if ((COUNT[h] as number) > 4) return h;
  return (COUNT[s] as number) > 4 ? s : 0;
}

/** Four of a kind and full houses, which beat a flush; 0 for less. */
function greatGroups(four: number, three: number, even: number, any: number): number {
  if (four !== 0) {
    const rank = top(four);
    return (7 << CATEGORY_SHIFT) | (rank << 4) | top(any & ~(1 << rank));
  }
  if (three === 0) return 0;
  const rank = top(three);
  const pairs = (three | even) & ~(1 << rank);
  return pairs === 0 ? 0 : (6 << CATEGORY_SHIFT) | (rank << 4) | top(pairs);
}

function smallGroups(three: number, even: number, any: number): number {
  if (three !== 0) {
    const rank = top(three);
    return (3 << CATEGORY_SHIFT) | (rank << GROUP_SHIFT) | best(any & ~(1 << rank), 2);
  }
  const pairs = COUNT[even] as number;
  if (pairs === 0) return best(any, 5);
  if (pairs > 1) {
    const two = best(even, 2);
    return (2 << CATEGORY_SHIFT) | (two << 4) | top(any & ~two);
  }
  const rank = top(even);
  return (1 << CATEGORY_SHIFT) | (rank << GROUP_SHIFT) | best(any & ~(1 << rank), 3);
}

export function categoryOf(strength: number): Category {
  return CATEGORIES[strength >> CATEGORY_SHIFT] as Category;
}

/** The ranks that name the hand: of a full house the three, then the two; of a straight its top. */
export function namingRanks(strength: number): string[] {
  const rest = strength & ((1 << CATEGORY_SHIFT) - 1);
  const rank = (place: number): string => RANKS.charAt(place);
  switch (categoryOf(strength)) {
    case 'straight_flush':
    case 'straight':
      return [rank(rest - 1)];
    case 'four_of_a_kind':
      return [rank(rest >> 4)];
    case 'full_house':
      return [rank(rest >> 4), rank(rest & 15)];
    case 'two_pair': {
      const two = rest >> 4;
      return [rank(top(two)), rank(top(two & ~(1 << top(two))))];
    }
    case 'three_of_a_kind':
    case 'pair':
      return [rank(rest >> GROUP_SHIFT)];
    default:
      return [rank(top(rest))];
  }
}
