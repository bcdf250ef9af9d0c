/** Reading something for a screen: loading, there, or failed and worth another try. */
import { Problem } from './api';
import { isTransient } from './retry';
import { isNoSession, loseSession } from './session.svelte';

export type LoadState = 'loading' | 'ready' | 'missing' | 'failed';

export class Loader<T> {
  value = $state.raw<T | null>(null);
  state = $state<LoadState>('loading');

  constructor(private readonly read: () => Promise<T>) {}

  /** Reads again; what is shown stays until the new answer is here. */
  async load(): Promise<void> {
    if (!this.value) this.state = 'loading';
    try {
      this.value = await this.read();
      this.state = 'ready';
    } catch (error) {
      if (isNoSession(error)) return loseSession();
      if (isTransient(error)) this.state = this.value ? 'ready' : 'failed';
      else if (error instanceof Problem) this.state = error.status === 404 ? 'missing' : 'failed';
      else throw error;
    }
  }
}
