/** A list that the server gives page by page: the first is shown, the others are added below. */
import { Loader } from './load.svelte';

export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

export class Pages<P extends Page<unknown>> {
  readonly loader: Loader<P>;
  /** The next page is on its way. */
  adding = $state(false);
  /** The next page did not come; asking again may help. */
  stuck = $state(false);

  constructor(private readonly read: (cursor: string | null) => Promise<P>) {
    this.loader = new Loader(() => this.read(null));
  }

  /** Reads the first page again; what is shown stays until it is here. */
  load(): Promise<void> {
    this.stuck = false;
    return this.loader.load();
  }

  /** Adds the next page below what is shown, unless that has been read again meanwhile. */
  async more(): Promise<void> {
    const shown = this.loader.value;
    if (!shown?.next_cursor || this.adding) return;
    this.adding = true;
    const next = new Loader(() => this.read(shown.next_cursor));
    await next.load();
    next.close();
    this.adding = false;
    if (this.loader.value !== shown) return;
    this.stuck = next.value === null;
    if (next.value) {
      this.loader.value = { ...next.value, items: [...shown.items, ...next.value.items] };
    }
  }

  close(): void {
    this.loader.close();
  }
}
