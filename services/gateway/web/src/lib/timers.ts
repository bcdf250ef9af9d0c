/** Timers by name: setting one again replaces it. */
import type { Clock } from './pace';

export class Timers<Name extends string> {
  private readonly ids = new Map<Name, number>();

  constructor(private readonly clock: Clock) {}

  set(name: Name, run: () => void, ms: number): void {
    this.clear(name);
    const ring = (): void => {
      this.ids.delete(name);
      run();
    };
    this.ids.set(name, this.clock.set(ring, ms));
  }

  clear(name: Name): void {
    const id = this.ids.get(name);
    if (id !== undefined) this.clock.clear(id);
    this.ids.delete(name);
  }

  clearAll(): void {
    for (const name of [...this.ids.keys()]) this.clear(name);
  }
}
