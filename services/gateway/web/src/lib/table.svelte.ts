/** One seat at one table: sends what the player wants, shows what the server answers. */
import { announce } from './announce.svelte';
import { Problem, api, intents } from './api';
import type { ActionResult, Intent, ToppedUp } from './api';
import { Auto, autoCommand } from './auto';
import type { AutoCommand, Due } from './auto';
import { arrivals } from './arrival';
import type { Money } from './labels';
import { money, turnAnnouncement } from './labels';
import { Intake, listenerFor } from './follow';
import type { LiveEvent } from './lines';
import type { Live } from './live';
import { resultLine } from './log';
import { m } from './messages';
import { connection, isLive, setLive } from './online.svelte';
import type { Clock } from './pace';
import { Pacer, realClock } from './pace';
import type { View } from './reducer';
import { beforeHand, fromSnapshot, reduce } from './reducer';
import type { Gone } from './refusals';
import { goneBy, refusalText } from './refusals';
import { isLimit, isTransient, persist } from './retry';
import type { BarState, Navigation, Onlooker, Sending } from './seat';
import { isNoSession, loseSession } from './session.svelte';
import { settings } from './settings.svelte';
import { skippedText } from './skipped';
import { Timers } from './timers';
import type { Question } from './turn.svelte';
import { Turn, questionOf } from './turn.svelte';
import type { ActionType, Legal, Played, Snapshot, Summary, TableEvent } from './types';

const POLL_MS = 1500;
const TROUBLE_POLL_MS = 3000;
/** With a live connection, in case that nobody drives the table after a crash. */
const LIVE_POLL_MS = 10_000;
/** What was committed together arrives almost together. */
export const TOGETHER_MS = 60;
/** Longer than the longest wait between two tries, so that "sending again" stays. */
const NOTICE_MS = 6000;

export class TableSession {
  view = $state.raw<View | null>(null);
  sending = $state.raw<Sending | null>(null);
  animating = $state(false);
  notice = $state('');
  gone = $state<Gone>(null);

  private readonly pacer: Pacer;
  private target: Snapshot | null = null;
  private readonly turn: Turn;
  /** The connection was lost: what comes until it is up to date is old. */
  private behind = false;
  /** The newest event that was shown before the rest was skipped. */
  private skippedFrom = 0;
  private readonly byItself: Auto;
  private readonly intake = new Intake();
  /** `look`: reads the table after events that came without a snapshot. */
  private readonly timers: Timers<'poll' | 'look' | 'guard' | 'hush' | 'auto'>;
  private open = true;

  constructor(
    private readonly tableId: string,
    private readonly navigation: Navigation,
    private readonly onlooker: Onlooker = () => undefined,
    clock: Clock = realClock,
    private readonly live: Live | null = null,
  ) {
    const stage = {
      view: () => this.shown(),
      show: (event: TableEvent, instant: boolean) => this.show(event, instant),
      done: (skipped: boolean) => this.settleDown(skipped),
    };
    this.timers = new Timers(clock);
    this.turn = new Turn(this.timers);
    const wanted = (): Due | null => this.wanted();
    const run = (command: AutoCommand): void =>
      void (command === 'top_up' ? this.topUp() : this.nextHand());
    this.byItself = new Auto({ wanted, run }, this.timers);
    this.pacer = new Pacer(stage, () => settings.speed, clock);
  }

  get bar(): BarState {
    if (this.sending) return 'sending';
    if (this.animating || !this.view) return 'animating';
    if (this.view.legal) return 'your_turn';
    return this.view.over ? 'hand_over' : 'waiting';
  }

  /** The total to bet or raise to. */
  get amount(): number {
    return this.turn.amount;
  }

  /** The bar has just lit up, and clicks are still meant for what was there before. */
  get guarded(): boolean {
    return this.turn.guarded;
  }

  /** What must be answered before an action is sent. */
  get question(): Question | null {
    return this.turn.question;
  }

  /** What is being sent has been seen on the table already: the action, or the new cards. */
  get isTold(): boolean {
    const { sending, view } = this;
    if (sending?.what === 'next_hand') return view !== null && !view.over;
    return sending?.what === 'action' && sending.action === null;
  }

  /** What is about to be done without being asked: see `auto.ts`. */
  get auto(): AutoCommand | null {
    return this.byItself.due()?.command ?? null;
  }

  /** What is to be done without being asked is another thing: its time begins now. */
  rewind(): void {
    this.byItself.schedule();
  }

  private wanted(): Due | null {
    if (this.bar !== 'hand_over' || !this.open) return null;
    const { match, handId } = this.shown();
    const command = autoCommand(match, settings);
    return command && { command, handId };
  }

  get money(): Money {
    return { unit: settings.unit, bigBlind: this.view?.rules.big_blind ?? 1 };
  }

  /** Begins with what the lobby brought along, or asks the server. */
  async start(): Promise<void> {
    const arrival = arrivals.takeTable(this.tableId);
    if (arrival) this.play(arrival);
    this.follow();
    // River may take its time to answer; the live connection shows the table meanwhile.
    if (!arrival) await this.refresh();
  }

  close(): void {
    this.open = false;
    this.live?.stop();
    connection.trouble = false;
    connection.playHere = null;
    setLive(null);
    this.pacer.stop();
    this.timers.clearAll();
  }

  /** Has the live connection tell this table. */
  private follow(): void {
    const { live, intake } = this;
    if (!live) return;
    connection.playHere = () => live.playHere();
    live.start(
      listenerFor({
        intake,
        take: (events) => this.take(events),
        adopt: (snapshot) => this.adopt(snapshot, true),
        resync: () => live.resync(),
        refresh: () => void this.refresh(),
        caughtUp: () => {
          if (this.behind) this.pacer.catchUp();
          this.behind = false;
          if (this.theirs) void this.refresh();
        },
        turned: () => {
          this.behind ||= connection.live === 'reconnecting';
          if (this.view && !this.animating) this.schedulePoll(POLL_MS);
        },
      }),
    );
  }

  // What the player does. Each locks the bar at once, so a second click finds it locked.

  /** Sends an action, or asks first where that is wanted: `question` then waits for `answer`. */
  async act(type: ActionType): Promise<void> {
    const legal = this.view?.legal;
    if (this.bar !== 'your_turn' || this.guarded || !legal) return;
    const sized = type === 'bet' || type === 'raise';
    const to = sized ? this.amount : null;
    this.turn.question = questionOf(type, to, legal, settings);
    if (!this.turn.question) await this.sendAction(legal, type, to);
  }

  /** Yes or no to `question`; the turn it was about may be over. */
  async answer(yes: boolean): Promise<void> {
    const { question } = this.turn;
    const legal = this.view?.legal;
    this.turn.question = null;
    if (!yes || !question || !legal || this.bar !== 'your_turn') return;
    await this.sendAction(legal, question.type, question.to);
  }

  private async sendAction(legal: Legal, type: ActionType, to: number | null): Promise<void> {
    const added = type === 'call' ? legal.to_call : 0;
    const body = { turn_token: legal.turn_token, type, ...(to === null ? {} : { to }) };
    await this.submit<ActionResult>(
      { what: 'action', action: { type, to, added } },
      intents.act(this.tableId, body),
      (result) => this.play(result),
    );
  }

  async nextHand(): Promise<void> {
    if (!this.mayCommand('can_next_hand')) return;
    await this.submit<Played>(
      { what: 'next_hand', action: null },
      intents.nextHand(this.matchId(), this.shown().handNo),
      (played) => this.play(played),
    );
  }

  async topUp(): Promise<void> {
    if (!this.mayCommand('can_top_up')) return;
    await this.submit<ToppedUp>(
      { what: 'top_up', action: null },
      intents.topUp(this.matchId()),
      ({ snapshot, added }) => {
        this.adopt(snapshot);
        this.say(m.bar.toppedUp(money(added, this.money)));
      },
    );
  }

  async settle(): Promise<void> {
    if (!this.mayCommand('can_settle')) return;
    await this.submit<{ summary: Summary }>(
      { what: 'settle', action: null },
      intents.settle(this.matchId()),
      ({ summary }) => {
        arrivals.leaveSummary(summary);
        this.navigation.summary(summary.match_id);
      },
    );
  }

  /** Shows at once what is still to be shown, and says in short what it was. */
  skip(): void {
    this.skippedFrom = this.view?.lastSeq ?? 0;
    this.pacer.skip();
  }

  /** Sets the amount to bet, held between the server's bounds; what was said before is over. */
  size(amount: number): void {
    this.notice = '';
    this.turn.size(amount, this.view?.legal?.raise);
  }

  /** Fetches the table as it stands, unless something is on its way or being shown. */
  async refresh(): Promise<void> {
    if (this.sending || this.animating) return;
    await this.fetchSnapshot();
  }

  /** The page is looked at again: another tab or device may have played. */
  seen(): void {
    if (!isLive() && this.bar !== 'sending') void this.refresh();
  }

  /** It is somebody else's move, or not known whose. */
  private get theirs(): boolean {
    const { view } = this;
    return !view || (!view.over && !view.legal);
  }

  private shown(): View {
    if (!this.view) throw new Error('nothing is on the table yet');
    return this.view;
  }

  private matchId(): string {
    return this.shown().match.id;
  }

  private mayCommand(what: 'can_next_hand' | 'can_top_up' | 'can_settle'): boolean {
    return this.bar === 'hand_over' && !this.guarded && this.shown().match[what];
  }

  /** Says something in passing: shown for a while, and read out. */
  say(text: string): void {
    this.notice = text;
    announce(text);
    this.timers.set('hush', () => (this.notice = ''), NOTICE_MS);
  }

  private async submit<T>(
    sending: Sending,
    intent: Intent,
    answered: (result: T) => void,
  ): Promise<void> {
    this.sending = sending;
    this.notice = '';
    let lost: unknown = null;
    try {
      const result = await persist<T>(intent, {
        wanted: () => this.open,
        onWait: (error) => this.waiting(error),
      });
      connection.trouble = false;
      this.notice = '';
      if (this.open) answered(result);
    } catch (error) {
      lost = error;
    }
    this.sending = null;
    if (lost === null) this.byItself.schedule();
    else if (this.open) await this.recover(lost);
  }

  private waiting(error: unknown): void {
    const limited = isLimit(error);
    connection.trouble = !limited;
    this.say(limited ? m.problem.rateLimited : m.connection.sendingAgain);
  }

  /** After a refusal: say what it means, then show the table as the server has it. */
  private async recover(error: unknown): Promise<void> {
    if (isTransient(error)) return this.troubled();
    if (!(error instanceof Problem)) throw error;
    if (isNoSession(error)) return loseSession();
    switch (error.type) {
      case 'match-expired':
        this.gone = 'expired';
        return;
      case 'match-closed':
        this.navigation.summary(this.matchId());
        return;
      case 'not-found':
      case 'not-seated':
        this.gone = 'missing';
        return;
      default:
        await this.fetchSnapshot();
        this.say(refusalText(error));
    }
  }

  /** The table was not told: it is gone, or another time will do. */
  private unread(problem: Problem): void {
    const gone = isTransient(problem) ? null : goneBy(problem);
    if (gone) this.gone = gone;
    else this.troubled();
  }

  private troubled(): void {
    connection.trouble = true;
    this.schedulePoll(TROUBLE_POLL_MS);
  }

  private async fetchSnapshot(): Promise<void> {
    const before = this.intake.newest;
    const late = connection.trouble;
    try {
      const snapshot = await api.table(this.tableId);
      connection.trouble = false;
      // What was told meanwhile may be newer; it is followed by a snapshot of its own.
      if (this.open && !this.sending && !this.pacer.busy && this.intake.newest === before)
        this.adopt(snapshot, late);
    } catch (error) {
      if (!this.open) return;
      if (!this.pacer.busy) this.animating = false;
      if (isNoSession(error)) loseSession();
      else if (error instanceof Problem) this.unread(error);
      else if (isTransient(error)) this.troubled();
      else throw error;
    }
  }

  /**
   * Takes a snapshot over: news of the hand on the table is shown one by one, or all at once
   * when it is old, because the connection was away.
   */
  private adopt(snapshot: Snapshot, late = false): void {
    const sameHand = this.view?.handId === snapshot.hand.id;
    // What is left of another hand leads nowhere.
    if (!sameHand) this.pacer.stop();
    this.take(sameHand ? snapshot.log : [], snapshot, late);
    this.intake.reach(snapshot.log.at(-1)?.seq ?? 0);
  }

  private play({ snapshot, events }: Played): void {
    this.view ??= beforeHand(snapshot);
    this.take(events, snapshot);
  }

  /** Shows what was not taken in before; at the end `snapshot`, or a fresh one, is adopted. */
  private take(
    events: readonly LiveEvent[],
    snapshot: Snapshot | null = null,
    late = this.behind,
  ): void {
    const news = this.intake.take(events);
    this.target = snapshot;
    this.timers.clear('look');
    if (snapshot && news.length === 0 && !this.pacer.busy) return this.settleDown(false);
    this.animating = true;
    this.pacer.add(news, late);
  }

  private show(event: TableEvent, instant: boolean): void {
    const before = this.shown();
    this.view = reduce(before, event);
    if (event.type === 'action.taken' && this.sending?.action) this.told(event.data.seat);
    if (this.view !== before) this.onlooker(event, before, this.view, instant);
  }

  /** The player's own action is on the table: what is awaited is the answer, no longer the move. */
  private told(seat: number): void {
    const own = this.shown().seats.some((other) => other.no === seat && other.you);
    if (own) this.sending = { what: 'action', action: null };
  }

  private settleDown(skipped: boolean): void {
    const { target } = this;
    this.target = null;
    if (target) this.finish(target);
    else this.standOnEvents();
    if (!skipped || !this.view) return;
    announce(m.bar.skipped(skippedText(this.view, this.skippedFrom, this.money)));
  }

  /** Events say whose turn it is; what may be done then only a snapshot or an answer says. */
  private standOnEvents(): void {
    const { seats, turn, over, match } = this.shown();
    const waiting = seats.some((seat) => seat.no === turn && !seat.you);
    if (this.sending || (waiting && !this.intake.unsure)) {
      this.animating = false;
      this.schedulePoll(POLL_MS);
      return;
    }
    // Between hands the buttons stay: chips were added, which changes no turn.
    if (over && match.can_settle) this.animating = false;
    this.timers.set('look', () => void this.fetchSnapshot(), TOGETHER_MS);
  }

  private finish(snapshot: Snapshot): void {
    this.animating = false;
    this.intake.unsure = false;
    const view = fromSnapshot(snapshot);
    // Between hands the log may be shorter than what was shown; never go back in time.
    this.view = { ...view, lastSeq: Math.max(view.lastSeq, this.view?.lastSeq ?? 0) };
    if (view.match.state === 'settled' || view.match.state === 'void') {
      this.navigation.summary(view.match.id);
      return;
    }
    this.lightUp(view);
    this.byItself.schedule();
    this.schedulePoll(POLL_MS);
  }

  private lightUp(view: View): void {
    const token = view.legal?.turn_token ?? (view.over ? `over ${view.handId}` : null);
    if (!this.turn.begin(token, view.legal?.raise ?? null)) return;
    if (view.legal) announce(turnAnnouncement(view.legal, this.money));
    else if (view.over) announce(resultLine(view, this.money));
  }

  /** Asks again in a while, but only when it is somebody else's move and this page is seen. */
  private schedulePoll(ms: number): void {
    this.timers.clear('poll');
    if (!this.open || (!this.theirs && !connection.trouble)) return;
    const again = (): void => {
      if (document.visibilityState === 'hidden') this.schedulePoll(ms);
      else void this.refresh();
    };
    this.timers.set('poll', again, isLive() && !connection.trouble ? LIVE_POLL_MS : ms);
  }
}
