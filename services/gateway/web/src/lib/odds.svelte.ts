/** Percentages beside hands that are turned up while cards are still to come. */
import { m } from './messages';
import type { View } from './reducer';
import type { Card } from './types';

export interface Question {
  readonly id: number;
  readonly hands: readonly (readonly Card[])[];
  readonly board: readonly Card[];
}

export interface Reply {
  readonly id: number;
  readonly shares: readonly number[];
}

/** Answers questions one after the other; `stop` ends it. */
export interface Counter {
  ask(question: Question): void;
  stop(): void;
}

export type CounterMaker = (told: (reply: Reply) => void) => Counter;

/** A worker of its own, fetched with the first all-in. */
export const workerCounter: CounterMaker = (told) => {
  const worker = new Worker(new URL('./equity.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<Reply>) => told(data);
  return {
    ask: (question) => worker.postMessage(question),
    stop: () => worker.terminate(),
  };
};

/** The hands that are turned up and still in, while the board is being dealt; else null. */
export function turnedUp(view: View): { seats: number[]; hands: Card[][] } | null {
  if (!view.runOut || view.over || view.awards.length > 0) return null;
  const live = view.seats.filter((seat) => seat.cards !== null && !seat.folded);
  const hands = live.map((seat) => (seat.cards ?? []).filter((card) => card !== null));
  const known = hands.every((hand) => hand.length === 2);
  return known && live.length > 1 ? { seats: live.map((seat) => seat.no), hands } : null;
}

/** "82%". Only what is certain is 0% or 100%. */
export function percentText(share: number): string {
  const percent = Math.round(share * 100);
  const say = m.size.percent;
  if (percent === 0 && share > 0) return `<${say('1')}`;
  if (percent === 100 && share < 1) return `>${say('99')}`;
  return say(String(percent));
}

const NONE: ReadonlyMap<number, number> = new Map();

/** The shares of the seats of one table, a moment after the hands lie there. */
export class Odds {
  /** By seat, from 0 to 1; empty while nothing is turned up or counted. */
  shares = $state.raw(NONE);
  private counter: Counter | null = null;
  private asked: { id: number; about: string; seats: readonly number[] } = {
    id: 0,
    about: '',
    seats: [],
  };

  constructor(private readonly make: CounterMaker = workerCounter) {}

  /** Shows what belongs to `view`, or nothing when null. What was counted for another board goes. */
  show(view: View | null): void {
    const up = view && turnedUp(view);
    const about = up && view ? `${up.hands.flat().join('')} ${view.board.join('')}` : '';
    if (about === this.asked.about) return;
    const id = this.asked.id + 1;
    this.asked = { id, about, seats: up?.seats ?? [] };
    if (!up || !view) {
      this.shares = NONE;
      return;
    }
    this.counter ??= this.make((reply) => this.told(reply));
    this.counter.ask({ id, hands: up.hands, board: [...view.board] });
  }

  close(): void {
    this.counter?.stop();
    this.counter = null;
    this.shares = NONE;
  }

  private told({ id, shares }: Reply): void {
    if (id !== this.asked.id) return;
    this.shares = new Map(this.asked.seats.map((seat, no) => [seat, shares[no] ?? 0]));
  }
}
