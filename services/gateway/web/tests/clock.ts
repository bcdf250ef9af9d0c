/** A clock that stands still until told. */
import type { Clock } from '../src/lib/pace';

export class FakeClock implements Clock {
  now = 0;
  private nextId = 1;
  private waiting = new Map<number, { at: number; run: () => void }>();

  set = (run: () => void, ms: number): number => {
    const id = (this.nextId += 1);
    this.waiting.set(id, { at: this.now + ms, run });
    return id;
  };

  clear = (id: number): void => {
    this.waiting.delete(id);
  };

  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const due = [...this.waiting].filter(([, timer]) => timer.at <= end);
      due.sort(([, a], [, b]) => a.at - b.at);
      const [first] = due;
      if (!first) break;
      this.waiting.delete(first[0]);
      this.now = first[1].at;
      first[1].run();
    }
    this.now = end;
  }

  get pending(): number {
    return this.waiting.size;
  }
}
