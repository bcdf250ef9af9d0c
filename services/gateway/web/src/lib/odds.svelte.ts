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

export type Shares = ReadonlyMap<number, number>;

const NONE: Shares = new Map();

/** What is turned up, and the board: the same text for the same question. */
function aboutOf(view: View | null): string {
  const up = view && turnedUp(view);
  return up ? `${up.hands.flat().join('')} ${view.board.join('')}` : '';
}

/** The shares of the seats of one table. They are counted ahead, and told once it is time. */
export class Odds {
  private answers = $state.raw<ReadonlyMap<string, Shares>>(new Map());
  private readonly asked = new Map<number, { about: string; seats: readonly number[] }>();
  private counter: Counter | null = null;
  private about = '';
  private id = 0;

  constructor(private readonly make: CounterMaker = workerCounter) {}

  /** By seat, from 0 to 1; empty while nothing is turned up in `view`, or not counted yet. */
  of(view: View | null): Shares {
    return this.answers.get(aboutOf(view)) ?? NONE;
  }

  /** Counts what belongs to `view`; where nothing is turned up, or with null, all is forgotten. */
  ask(view: View | null): void {
    const about = aboutOf(view);
    if (about === this.about) return;
    this.about = about;
    const up = view && turnedUp(view);
    if (!up) return this.forget();
    this.id += 1;
    this.asked.set(this.id, { about, seats: up.seats });
    this.counter ??= this.make((reply) => this.told(reply));
    this.counter.ask({ id: this.id, hands: up.hands, board: [...view.board] });
  }

  close(): void {
    this.counter?.stop();
    this.counter = null;
    this.forget();
  }

  private forget(): void {
    this.asked.clear();
    this.answers = new Map();
  }

  private told({ id, shares }: Reply): void {
    const asked = this.asked.get(id);
    if (!asked) return;
    const told = new Map(asked.seats.map((seat, no) => [seat, shares[no] ?? 0]));
    this.answers = new Map([...this.answers, [asked.about, told]]);
  }
}
