/**
 * How much of a pot each of the hands turned up will win on average: every board that can still
 * come is dealt. Two hands before the flop are 1,712,304 boards, so this belongs into a worker.
 */
import { RANKS, bitsOf, strengthOf } from './strength';
import type { Card } from './types';

export interface Equity {
  /** Shares of the pot, between 0 and 1, in the order of the hands; they add up to 1. */
  readonly shares: readonly number[];
  /** The part of the boards on which the hand shares the best place. */
  readonly ties: readonly number[];
  readonly boards: number;
}

const DECK: readonly Card[] = [...RANKS].flatMap((rank) => [...'cdhs'].map((suit) => rank + suit));
const BOARD = 5;

/** Counts of one hand: alone in front, and how often the first place is shared among how many. */
interface Tally {
  alone: number;
  shared: number;
  parts: number;
}

/** Exact; 2 to 9 hands of two cards, a board of 0 to 5, and cards that nobody can hold any more. */
export function equityOf(
  hands: readonly (readonly Card[])[],
  board: readonly Card[],
  dead: readonly Card[] = [],
): Equity {
  const gone = new Set([...hands.flat(), ...board, ...dead]);
  const left = DECK.filter((card) => !gone.has(card)).map((card) => bitsOf([card]));
  const cd = Int32Array.from(left, (bits) => bits.cd);
  const hs = Int32Array.from(left, (bits) => bits.hs);
  const held = hands.map(bitsOf);
  const tallies = hands.map((): Tally => ({ alone: 0, shared: 0, parts: 0 }));
  const strengths = new Int32Array(hands.length);
  let boards = 0;

  function showdown(onBoardCd: number, onBoardHs: number): void {
    boards += 1;
    let front = -1;
    let sharing = 0;
    for (let no = 0; no < held.length; no += 1) {
      const hand = held[no] as (typeof held)[number];
      const strength = strengthOf(onBoardCd | hand.cd, onBoardHs | hand.hs);
      strengths[no] = strength;
      if (strength > front) [front, sharing] = [strength, 1];
      else if (strength === front) sharing += 1;
    }
    for (let no = 0; no < held.length; no += 1) {
      if (strengths[no] !== front) continue;
      const tally = tallies[no] as Tally;
      if (sharing === 1) tally.alone += 1;
      else {
        tally.shared += 1;
        tally.parts += 1 / sharing;
      }
    }
  }

  function deal(missing: number, from: number, onBoardCd: number, onBoardHs: number): void {
    if (missing === 0) return showdown(onBoardCd, onBoardHs);
    for (let at = from; at <= cd.length - missing; at += 1)
      deal(missing - 1, at + 1, onBoardCd | (cd[at] as number), onBoardHs | (hs[at] as number));
  }

  const known = bitsOf(board);
  deal(BOARD - board.length, 0, known.cd, known.hs);
  return {
    shares: tallies.map(({ alone, parts }) => (alone + parts) / boards),
    ties: tallies.map(({ shared }) => shared / boards),
    boards,
  };
}
