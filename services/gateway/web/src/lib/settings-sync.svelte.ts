/** Keeps preferences in the account: the same on another device, and none of two changes lost. */
import type { Tagged } from './api';
import { Problem, api } from './api';
import type { Clock } from './pace';
import { realClock } from './pace';
import { isTransient, pause } from './retry';
import { fromAccount, merge, parseUnsaved, toAccount } from './settings-account';
import type { Preference } from './settings.svelte';
import {
  DEFAULTS,
  PREFERENCES,
  adopt,
  onChange,
  remember,
  remembered,
  sameChoice,
  settings,
} from './settings.svelte';
import type { SavedSettings } from './types';

const UNSAVED = 'riverboat.settings.unsaved';
/** The version of an account that never saved any. */
const NEVER = '"0"';
/** Other devices that save at the same moment; more often than this is something else. */
const CONFLICTS = 5;

export type SyncState =
  /** Nobody is signed in: kept in this browser. */
  | 'local'
  | 'saving'
  | 'saved'
  /** The account cannot be reached: kept in this browser, tried again. */
  | 'waiting'
  /** The account does not take them: kept in this browser. */
  | 'refused';

export class SettingsSync {
  state = $state<SyncState>('local');
  /** Another device had changed preferences meanwhile; they are here now. */
  merged = $state(false);

  private readonly unsaved = parseUnsaved(remembered(UNSAVED));
  private account: Tagged<SavedSettings> | null = null;
  private user: string | null = null;
  private running = false;
  private timer: number | null = null;

  constructor(private readonly clock: Clock = realClock) {
    onChange((names) => this.noted(names));
  }

  /** Somebody is known now (or nobody, null): what this browser has meets what the account has. */
  async signedIn(user: string | null): Promise<void> {
    if (user === this.user) return;
    this.user = user;
    this.account = null;
    this.merged = false;
    if (user === null) this.state = 'local';
    else await this.run();
  }

  /** Tries again now, instead of after the pause. */
  async retry(): Promise<void> {
    if (this.state === 'waiting') await this.run();
  }

  private noted(names: readonly Preference[]): void {
    for (const name of names) this.unsaved.add(name);
    this.store();
    this.merged = false;
    void this.run();
  }

  private store(): void {
    remember(UNSAVED, [...this.unsaved].join(' '));
  }

  /** One run at a time; a change during it is met before it ends. */
  private async run(attempt = 1): Promise<void> {
    const { user } = this;
    if (this.running || user === null) return;
    if (this.timer !== null) this.clock.clear(this.timer);
    this.timer = null;
    this.running = true;
    this.state = 'saving';
    try {
      await this.meet(user);
      this.state = 'saved';
    } catch (error) {
      this.failed(error, attempt);
    } finally {
      this.running = false;
    }
    if (this.user !== user) {
      this.state = 'local';
      await this.run();
    }
  }

  private async meet(user: string): Promise<void> {
    for (let conflicts = 0; this.user === user;) {
      this.account ??= await this.read(user);
      if (this.unsaved.size === 0 || this.account === null) return;
      const sent = { ...settings };
      try {
        const body = toAccount(this.account.value, sent);
        this.account = await api.saveSettings(body, this.account.etag);
        this.settle(sent);
      } catch (error) {
        if (!isConflict(error) || (conflicts += 1) > CONFLICTS) throw error;
        this.account = null;
        this.merged = true;
      }
    }
  }

  /** What the account has is taken over; null when somebody else has signed in meanwhile. */
  private async read(user: string): Promise<Tagged<SavedSettings> | null> {
    const account = await api.settings();
    if (this.user !== user) return null;
    if (account.etag === NEVER) {
      // This browser's choices are the first that the account has.
      const chosen = PREFERENCES.filter((name) => !sameChoice(settings[name], DEFAULTS[name]));
      for (const name of chosen) this.unsaved.add(name);
    } else {
      const theirs = fromAccount(account.value, settings);
      adopt(merge({ ...settings }, this.unsaved, theirs));
    }
    return account;
  }

  /** What was sent is saved, unless it was changed again meanwhile. */
  private settle(sent: Readonly<typeof settings>): void {
    for (const name of this.unsaved) {
      if (sameChoice(settings[name], sent[name])) this.unsaved.delete(name);
    }
    this.store();
  }

  private failed(error: unknown, attempt: number): void {
    if (isTransient(error)) {
      this.state = 'waiting';
      this.timer = this.clock.set(() => void this.run(attempt + 1), pause(error, attempt));
    } else if (error instanceof Problem) {
      this.account = null;
      this.state = error.status === 401 ? 'local' : 'refused';
    } else throw error;
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Problem && [409, 412].includes(error.status);
}

export const settingsSync = new SettingsSync();
