/** One section of the leaderboard, page by page. */
import { api } from './api';
import { Loader } from './load.svelte';
import type { BoardPage } from './types';

export class BoardSection {
  readonly loader: Loader<BoardPage>;

  constructor(readonly section: 'ranked' | 'qualifying') {
    this.loader = new Loader(() => api.board(section));
  }

  load(): Promise<void> {
    return this.loader.load();
  }

  /** Adds the next page below what is shown. */
  async more(): Promise<void> {
    const shown = this.loader.value;
    if (!shown?.next_cursor) return;
    const next = new Loader(() => api.board(this.section, shown.next_cursor));
    await next.load();
    next.close();
    if (next.value && this.loader.value === shown) {
      this.loader.value = { ...next.value, items: [...shown.items, ...next.value.items] };
    }
  }
}
