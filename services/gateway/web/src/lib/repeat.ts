/** Press and hold: once now, again after 400 ms, then every 80 ms until let go. */
import type { Clock } from './pace';
import { realClock } from './pace';

export const FIRST_REPEAT_MS = 400;
export const NEXT_REPEAT_MS = 80;

export class Repeater {
  private timer: number | null = null;

  /** `step` returns false when there is nothing further to do. */
  constructor(
    private readonly step: () => boolean,
    private readonly clock: Clock = realClock,
  ) {}

  press(): void {
    this.release();
    if (this.step()) this.again(FIRST_REPEAT_MS);
  }

  release(): void {
    if (this.timer !== null) this.clock.clear(this.timer);
    this.timer = null;
  }

  private again(ms: number): void {
    this.timer = this.clock.set(() => {
      this.timer = null;
      if (this.step()) this.again(NEXT_REPEAT_MS);
    }, ms);
  }
}
