/** What the rules pages say in numbers: all of it from a table's ruleset, written for the reader. */
import type { components } from '../schema';
import { chips } from '../format';

type Schemas = components['schemas'];
export type RulesetInfo = Schemas['RulesetInfo'];
export type Options = Schemas['RulesetOptions'];

/** Chips that one may bring, and the same in big blinds. */
export interface BuyInFacts {
  min: string;
  max: string;
  step: string;
  minBb: string;
  maxBb: string;
  stepBb: string;
}

export interface Facts {
  headsUp: boolean;
  seats: { min: number; max: number };
  small: string;
  big: string;
  /** So many big blinds, in chips. */
  bb: (blinds: number) => string;
  ante: string | null;
  buyIn: BuyInFacts | null;
  /** What everybody starts with, where all start alike. */
  equal: string | null;
  /** The computer fills its stack up to this before a hand. */
  floor: string | null;
  floorBb: string | null;
  /** How long a seat is kept. */
  hours: string;
  turnSeconds: string;
  handLimit: string;
  blindsUpEvery: string;
  /** Hands that a rank takes; null when the board cannot be asked. */
  ranked: string | null;
  /** Buttons that a row of bet sizes may have. */
  sizes: string;
  /** An example of counting a result, in big blinds; null where nobody buys in. */
  example: ResultExample | null;
}

/** Somebody brings the least, loses some, fills up to the most, and leaves with more than that. */
export interface ResultExample {
  bought: string;
  left: string;
  added: string;
  leave: string;
  result: string;
}

export function factsOf(options: Options, rankedHands: number | null, sizesMost: number): Facts {
  const { blinds, start, seats } = options;
  const inBlinds = (amount: number): string => chips(amount, 'bb', blinds.big);
  const floor = options.opponent_topup_floor;
  return {
    headsUp: seats.max === 2,
    seats,
    small: chips(blinds.small),
    big: chips(blinds.big),
    bb: (count) => chips(count * blinds.big),
    ante: options.ante > 0 ? chips(options.ante) : null,
    buyIn: 'buy_in' in start ? buyInFacts(start.buy_in, inBlinds) : null,
    equal: 'equal' in start ? chips(start.equal.chips) : null,
    floor: floor === null ? null : chips(floor),
    floorBb: floor === null ? null : inBlinds(floor),
    hours: chips(hoursOf(options.idle_expiry)),
    turnSeconds: chips(options.turn_seconds),
    handLimit: chips(options.hand_limit),
    blindsUpEvery: chips(options.blinds_up_every),
    ranked: rankedHands === null ? null : chips(rankedHands),
    sizes: chips(sizesMost),
    example: 'buy_in' in start ? exampleOf(start.buy_in, blinds.big, inBlinds) : null,
  };
}

type Bounds = Schemas['BuyInBounds'];

function buyInFacts({ min, max, step }: Bounds, bb: (amount: number) => string): BuyInFacts {
  return {
    min: chips(min),
    max: chips(max),
    step: chips(step),
    minBb: bb(min),
    maxBb: bb(max),
    stepBb: bb(step),
  };
}

function exampleOf({ min, max }: Bounds, big: number, bb: (n: number) => string): ResultExample {
  const left = min - Math.min(10 * big, Math.floor(min / 2));
  const added = max - left;
  const leave = max + 25 * big;
  const result = leave - added - min;
  return {
    bought: bb(min),
    left: bb(left),
    added: bb(added),
    leave: bb(leave),
    result: `+${bb(result)}`,
  };
}

/** Hours of an ISO 8601 duration of hours or days, such as PT24H. */
export function hoursOf(duration: string): number {
  const [, days = '0', hours = '0'] = /^P(?:(\d+)D)?(?:T(\d+)H)?$/.exec(duration) ?? [];
  return Number(days) * 24 + Number(hours);
}
