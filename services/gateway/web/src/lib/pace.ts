/**
 * How long the table waits before it shows each event, and the queue that does the waiting.
 *
 * The server sends everything up to the player's next decision at once; people want to see it
 * one thing at a time. Skip shows the rest immediately.
 */
import type { View } from './reducer';
import type { TableEvent } from './types';

export const OPPONENT_ACTION_MS = 600;
export const RUN_OUT_STREET_MS = 900;
/** From the deck to its place, or turned over in it. */
export const LAND_MS = 400;
/** Between two cards that are dealt together. */
export const DEAL_STEP_MS = 50;

/** Milliseconds at speed 1 until all cards that `event` brings can be seen. */
export function landing(event: TableEvent | undefined): number {
  switch (event?.type) {
    case 'cards.dealt':
      return LAND_MS + DEAL_STEP_MS * (2 * event.data.hands.length - 1);
    case 'street.dealt':
      return LAND_MS + DEAL_STEP_MS * (event.data.cards.length - 1);
    case 'all_in.reveal':
    case 'showdown':
      return LAND_MS;
    default:
      return 0;
  }
}

/** Milliseconds at speed 1 between the state `view` and showing `event` on it. */
export function pauseBefore(event: TableEvent, view: View): number {
  const folded = view.seats.filter((seat) => !seat.folded).length === 1;
  switch (event.type) {
    case 'action.taken':
      return isYou(view, event.data.seat) ? 0 : OPPONENT_ACTION_MS;
    case 'street.dealt':
      return view.runOut ? RUN_OUT_STREET_MS : 300;
    case 'all_in.reveal':
      return OPPONENT_ACTION_MS;
    case 'showdown':
      return view.runOut ? RUN_OUT_STREET_MS : 500;
    // Where everybody else folded nothing is left to see: the next hand need not wait.
    case 'pots.updated':
      return folded ? 100 : 450;
    case 'bet.returned':
      return folded ? 100 : 350;
    case 'pot.awarded':
      return folded ? 200 : 800;
    case 'cards.dealt':
    case 'opponent.topped_up':
    case 'opponent.rebought':
      return 250;
    case 'turn.started':
      // Let cards that were just dealt land before the bar lights up.
      return Math.max(200, landing(view.log.at(-1)));
    default:
      return 0;
  }
}

function isYou(view: View, seat: number): boolean {
  return view.seats.some((other) => other.no === seat && other.you);
}

export interface Clock {
  set(run: () => void, ms: number): number;
  clear(id: number): void;
}

export const realClock: Clock = {
  set: (run, ms) => window.setTimeout(run, ms),
  clear: (id) => window.clearTimeout(id),
};

export interface Stage {
  view(): View;
  /** Shows one event. `instant` asks for no motion. */
  show(event: TableEvent, instant: boolean): void;
  /** Nothing is left to show. */
  done(skipped: boolean): void;
}

/** Plays events onto a stage in order, each after its pause; one run at a time. */
export class Pacer {
  private queue: TableEvent[] = [];
  private timer: number | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly speed: () => number,
    private readonly clock: Clock = realClock,
  ) {}

  get busy(): boolean {
    return this.timer !== null;
  }

  /** What is still to be shown goes to the end of the hand. */
  get ending(): boolean {
    return this.queue.some((event) => event.type === 'hand.ended');
  }

  /** Starts showing `events`; the stage is told when the last one is on the table. */
  play(events: readonly TableEvent[]): void {
    if (this.busy) this.skip();
    this.add(events);
  }

  /** The same, behind what is still being shown; `late` news is shown at once, without motion. */
  add(events: readonly TableEvent[], late = false): void {
    this.queue.push(...events);
    if (late || this.speed() === 0) this.flush(false);
    else if (!this.busy) this.next();
  }

  /** Shows everything that is left at once, because it is old by now. */
  catchUp(): void {
    if (this.busy) this.flush(false);
  }

  /** Shows everything that is left at once. */
  skip(): void {
    if (this.busy) this.flush(true);
  }

  /** Forgets what is left, showing nothing. */
  stop(): void {
    if (this.timer !== null) this.clock.clear(this.timer);
    this.timer = null;
    this.queue = [];
  }

  private flush(skipped: boolean): void {
    const rest = this.queue;
    this.stop();
    for (const event of rest) this.stage.show(event, true);
    this.stage.done(skipped);
  }

  /** Shows what needs no wait right away, then sets the timer for the next event that does. */
  private next(): void {
    for (let event = this.queue[0]; event; event = this.queue[0]) {
      const wait = pauseBefore(event, this.stage.view()) / this.speed();
      if (wait > 0) {
        this.timer = this.clock.set(() => this.showFirst(), wait);
        return;
      }
      this.queue.shift();
      this.stage.show(event, false);
    }
    this.timer = null;
    this.stage.done(false);
  }

  private showFirst(): void {
    const event = this.queue.shift();
    if (event) this.stage.show(event, false);
    this.next();
  }
}
