/** Reading something for a screen, again and again until it is there or the screen is left. */
import { Problem } from './api';
import { connection } from './online.svelte';
import type { Clock } from './pace';
import { realClock } from './pace';
import { isLimit, isTransient, pause } from './retry';
import { isNoSession, loseSession } from './session.svelte';

/** `retrying`: no usable answer came, the next try is on its way. `failed`: nothing is tried. */
export type LoadState = 'loading' | 'ready' | 'missing' | 'retrying' | 'failed';

export class Loader<T> {
  value = $state.raw<T | null>(null);
  state = $state<LoadState>('loading');
  /** While retrying: we were asked to be slower. */
  limited = $state(false);

  private latest = 0;
  private timer: number | null = null;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly clock: Clock = realClock,
  ) {}

  /** Reads again, at once; what is shown stays until the new answer is here. */
  load(): Promise<void> {
    return this.attempt(1);
  }

  /** Stops trying: the screen is left. */
  close(): void {
    this.latest += 1;
    if (this.timer !== null) connection.trouble = false;
    this.cancel();
  }

  private async attempt(count: number): Promise<void> {
    const turn = (this.latest += 1);
    this.cancel();
    if (this.value === null && this.state !== 'retrying') this.state = 'loading';
    try {
      const value = await this.read();
      if (turn === this.latest) this.arrived(value);
    } catch (error) {
      if (turn === this.latest) this.refused(error, count);
    }
  }

  private arrived(value: T): void {
    this.value = value;
    this.state = 'ready';
    connection.trouble = false;
  }

  private refused(error: unknown, count: number): void {
    if (isNoSession(error)) return loseSession();
    if (isTransient(error)) return this.again(error, count);
    if (!(error instanceof Problem)) throw error;
    this.state = error.status === 404 ? 'missing' : 'failed';
  }

  private again(error: unknown, count: number): void {
    this.state = 'retrying';
    this.limited = isLimit(error);
    connection.trouble = !this.limited;
    this.timer = this.clock.set(() => void this.attempt(count + 1), pause(error, count));
  }

  private cancel(): void {
    if (this.timer !== null) this.clock.clear(this.timer);
    this.timer = null;
  }
}
