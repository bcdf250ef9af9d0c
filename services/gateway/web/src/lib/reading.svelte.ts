/** Reading a table from the server: when asked, now and then while others move, after trouble. */
import { Problem, api } from './api';
import { connection, isLive } from './online.svelte';
import type { Gone } from './refusals';
import { goneBy } from './refusals';
import { isTransient } from './retry';
import { isNoSession, loseSession } from './session.svelte';
import type { Showing } from './showing.svelte';

const POLL_MS = 1500;
const TROUBLE_POLL_MS = 3000;
/** With a live connection, in case that nobody drives the table after a crash. */
const LIVE_POLL_MS = 10_000;

interface Host {
  /** The page is still there. */
  open(): boolean;
  /** Something of the player's is on its way, and its answer is newer. */
  sending(): boolean;
}

interface Alarm {
  set(name: 'poll', run: () => void, ms: number): void;
  clear(name: 'poll'): void;
}

export class Reading {
  gone = $state<Gone>(null);

  constructor(
    private readonly tableId: string,
    private readonly showing: Showing,
    private readonly host: Host,
    private readonly alarm: Alarm,
  ) {}

  /** Reads the table as it stands, unless something is on its way or being shown. */
  async refresh(): Promise<void> {
    if (this.host.sending() || this.showing.animating) return;
    await this.read();
  }

  async read(): Promise<void> {
    const { showing, host } = this;
    const before = showing.intake.newest;
    const late = connection.trouble;
    try {
      const snapshot = await api.table(this.tableId);
      connection.trouble = false;
      // What was told meanwhile may be newer; it is followed by a snapshot of its own.
      if (host.open() && !host.sending() && !showing.busy && showing.intake.newest === before)
        showing.adopt(snapshot, late);
    } catch (error) {
      if (!host.open()) return;
      showing.unlock();
      if (isNoSession(error)) loseSession();
      else if (error instanceof Problem) this.unread(error);
      else if (isTransient(error)) this.troubled();
      else throw error;
    }
  }

  /** The server cannot be reached: it is asked again in a while. */
  troubled(): void {
    connection.trouble = true;
    this.later(TROUBLE_POLL_MS);
  }

  /** Asks again in a while, but only when it is somebody else's move and this page is seen. */
  later(ms = POLL_MS): void {
    this.alarm.clear('poll');
    if (!this.host.open() || (!this.showing.theirs && !connection.trouble)) return;
    const again = (): void => {
      if (document.visibilityState === 'hidden') this.later(ms);
      else void this.refresh();
    };
    this.alarm.set('poll', again, isLive() && !connection.trouble ? LIVE_POLL_MS : ms);
  }

  /** The table was not told: it is gone, or another time will do. */
  private unread(problem: Problem): void {
    const gone = isTransient(problem) ? null : goneBy(problem);
    if (gone) this.gone = gone;
    else this.troubled();
  }
}
