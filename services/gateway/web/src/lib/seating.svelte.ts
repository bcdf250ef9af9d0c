/** Sitting down: asks first when that would end another match, and goes to the table. */
import { Problem, api, intents } from './api';
import type { Intent, SatDown, SeatWish } from './api';
import { arrivals } from './arrival';
import { Loader } from './load.svelte';
import type { Kept } from './messages';
import { NOTHING, m } from './messages';
import { askForHand } from './noted';
import { tell } from './notices.svelte';
import { connection } from './online.svelte';
import { otherText } from './refusals';
import type { Ask } from './retry';
import { asking, insist, isLimit, isTransient } from './retry';
import { go, paths } from './router.svelte';
import { isNoSession, loseSession } from './session.svelte';
import type { Consequence, Lobby, LobbyPreset, Resume, Summary } from './types';

export class Seating {
  readonly lobby = new Loader<Lobby>(async () => {
    const page = await api.lobby();
    tell(page.notices ?? []);
    return page;
  });
  busy = $state(false);
  /** What ending the open match would mean, while the question is asked. */
  asking = $state<Consequence | null>(null);
  private wrong = $state.raw<Kept>(NOTHING);
  private here = true;

  /** `ruleset`: the kind of table that is sat down at. */
  constructor(private readonly ruleset: string) {}

  /** Why nobody is seated yet; '' when nothing is in the way. */
  get trouble(): string {
    return this.wrong();
  }

  /** The table on offer; null while it is not known, or not open. */
  get preset(): LobbyPreset | null {
    return this.lobby.value?.presets.find((one) => one.id === this.ruleset) ?? null;
  }

  /** The match that was left. */
  get resume(): Resume | null {
    return this.lobby.value?.resume ?? null;
  }

  /** That match is over and only waits to be settled. */
  get finished(): boolean {
    return this.resume?.state === 'busted';
  }

  close(): void {
    this.here = false;
    if (this.busy) connection.trouble = false;
    this.lobby.close();
  }

  async sitDown(buyIn: number, supersede = false): Promise<void> {
    if (this.busy || !this.preset) return;
    if (!supersede && this.resume) return this.ask(this.resume.consequence);
    const told = supersede ? this.asking : null;
    this.asking = null;
    const wish = { ruleset: this.ruleset, buyIn, supersede, told };
    await this.insistently(seatedBy(wish), (sat) => {
      arrivals.leaveTable(sat.table_id, sat);
      go(paths.table(sat.table_id));
    });
  }

  /** Settles the match that is over and goes to its result. */
  async settle(matchId: string): Promise<void> {
    if (this.busy) return;
    this.asking = null;
    const wish = asking<{ summary: Summary }>(intents.settle(matchId));
    await this.insistently(wish, ({ summary }) => {
      arrivals.leaveSummary(summary);
      go(paths.summary(summary.match_id));
    });
  }

  /**
   * Asks at once, by what is known here, and corrects itself: the match may have gone on in
   * another window, and ending it may mean something else by now, or nothing any more.
   */
  private async ask(known: Consequence): Promise<void> {
    this.asking = known;
    const before = this.lobby.value;
    await this.lobby.load();
    if (this.asking === null || this.lobby.value === before) return;
    this.asking = this.resume?.consequence ?? null;
  }

  private async insistently<T>(ask: Ask<T>, answered: (answer: T) => void): Promise<void> {
    this.busy = true;
    this.wrong = NOTHING;
    try {
      const answer = await ask({
        wanted: () => this.here,
        onWait: (error) => {
          const limited = isLimit(error);
          connection.trouble = !limited;
          this.wrong = () => (limited ? m.problem.rateLimited : m.connection.sendingAgain);
        },
      });
      connection.trouble = false;
      if (this.here) answered(answer);
    } catch (error) {
      // A screen that was left asks for nothing any more.
      if (this.here) this.refused(error);
    } finally {
      this.busy = false;
    }
  }

  private refused(error: unknown): void {
    this.wrong = NOTHING;
    if (isNoSession(error)) loseSession();
    else if (error instanceof Problem && error.type === 'active-match') {
      void this.ask(error.extras['consequence'] as Consequence);
    } else if (error instanceof Problem && error.type === 'invalid-buy-in') {
      this.wrong = () => m.lobby.invalidBuyIn;
    } else if (error instanceof Problem) {
      this.wrong = () => otherText(error);
      void this.lobby.load();
    } else if (!isTransient(error)) throw error;
  }
}

/** Takes a seat, with the root as it is announced now: the one read before may be dealt by now. */
function seatedBy(wish: SeatWish): Ask<SatDown> {
  return async (how) => {
    const { next_commit_root: announced } = await insist(api.lobby, how);
    return askForHand<SatDown>(announced, (seed): Intent => intents.sitDown(wish, seed))(how);
  };
}
