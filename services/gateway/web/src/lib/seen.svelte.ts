/** The table as far as its cards lie there: nothing is told of a card before it can be seen. */
import type { Clock } from './pace';
import { landing, realClock } from './pace';
import type { View } from './reducer';

export class Seen {
  view = $state.raw<View | null>(null);
  private newest: View | null = null;
  private timer: number | null = null;

  constructor(private readonly clock: Clock = realClock) {}

  /** Follows what is on the table, `speed` times as fast as usual; at 0 nothing moves. */
  follow(view: View | null, speed: number): void {
    const before = this.newest;
    this.newest = view;
    const same = before !== null && before.handId === view?.handId;
    const fresh = same ? view.log.filter(({ seq }) => seq > before.lastSeq) : [];
    const wait = speed > 0 ? Math.max(0, ...fresh.map(landing)) / speed : 0;
    if (wait > 0) this.wait(wait);
    else if (this.timer === null || speed === 0 || !same) this.catchUp();
  }

  close(): void {
    if (this.timer !== null) this.clock.clear(this.timer);
    this.timer = null;
  }

  private wait(ms: number): void {
    this.close();
    this.timer = this.clock.set(() => this.catchUp(), ms);
  }

  private catchUp(): void {
    this.close();
    this.view = this.newest;
  }
}
