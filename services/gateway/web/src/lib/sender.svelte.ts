/** Sends what the player wants, one thing at a time, until it is answered. */
import { connection } from './online.svelte';
import type { Ask } from './retry';
import type { Sending } from './seat';

interface Host {
  /** The page is still there. */
  open(): boolean;
  /** What was said before is over. */
  hush(): void;
  /** No answer came yet: it is sent again. */
  waiting(error: unknown): void;
  answered(): void;
  /** Refused, or given up. */
  lost(error: unknown): Promise<void>;
}

export class Sender {
  sending = $state.raw<Sending | null>(null);

  constructor(private readonly host: Host) {}

  /** Locks the bar at once; `answered` runs before it is unlocked. */
  async submit<T>(sending: Sending, ask: Ask<T>, answered: (result: T) => void): Promise<void> {
    const { host } = this;
    this.sending = sending;
    host.hush();
    let lost: unknown = null;
    try {
      const result = await ask({
        wanted: () => host.open(),
        onWait: (error) => host.waiting(error),
      });
      connection.trouble = false;
      host.hush();
      if (host.open()) answered(result);
    } catch (error) {
      lost = error;
    }
    this.sending = null;
    if (lost === null) host.answered();
    else if (host.open()) await host.lost(lost);
  }

  /** The player's own action is on the table: what is awaited is the answer, no longer the move. */
  told(): void {
    if (this.sending?.action) this.sending = { what: 'action', action: null };
  }
}
