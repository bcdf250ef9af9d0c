/** One seat at one table: sends what the player wants, shows what the server answers. */
import { announce } from './announce.svelte';
import { Problem, intents } from './api';
import type { ActionResult, Intent, ToppedUp } from './api';
import { arrivals } from './arrival';
import { Auto, autoCommand } from './auto';
import type { AutoCommand, Due } from './auto';
import { listenerFor } from './follow';
import type { Money } from './labels';
import { money, turnAnnouncement } from './labels';
import type { Live } from './live';
import { resultLine } from './log';
import type { Kept } from './messages';
import { NOTHING, m } from './messages';
import { askForHand, warnOfDeck } from './noted';
import { connection, isLive, setLive } from './online.svelte';
import type { Clock } from './pace';
import { realClock } from './pace';
import { Reading } from './reading.svelte';
import type { View } from './reducer';
import type { Gone } from './refusals';
import { refusalText } from './refusals';
import { asking, isLimit, isTransient } from './retry';
import type { BarState, Navigation, Onlooker, Sending } from './seat';
import { Sender } from './sender.svelte';
import { isNoSession, loseSession } from './session.svelte';
import { settings } from './settings.svelte';
import { Showing } from './showing.svelte';
import { Timers } from './timers';
import type { Question } from './turn.svelte';
import { Turn, questionOf } from './turn.svelte';
import type { ActionType, Legal, Played, Summary, TableEvent } from './types';

/** Longer than the longest wait between two tries, so that "sending again" stays. */
const NOTICE_MS = 6000;

export class TableSession {
  private told = $state.raw<Kept>(NOTHING);

  private readonly turn: Turn;
  private readonly showing: Showing;
  private readonly reading: Reading;
  private readonly sender: Sender;
  private readonly byItself: Auto;
  /** `look`: reads the table after events that came without a snapshot. */
  private readonly timers: Timers<'poll' | 'look' | 'guard' | 'hush' | 'auto'>;
  private open = true;
  /** The next hand was asked for when this one, by its id, had not been told to its end. */
  private hurriedPast = '';

  constructor(
    private readonly tableId: string,
    private readonly navigation: Navigation,
    private readonly onlooker: Onlooker = () => undefined,
    clock: Clock = realClock,
    private readonly live: Live | null = null,
  ) {
    const page = { open: () => this.open, sending: () => this.sending !== null };
    this.timers = new Timers(clock);
    this.turn = new Turn(this.timers);
    this.showing = new Showing(
      {
        shown: (...seen) => this.seenOnTable(...seen),
        answerComes: page.sending,
        waits: () => this.reading.later(),
        read: () => void this.reading.read(),
        stands: (view, root) => this.stands(view, root),
      },
      this.timers,
      clock,
    );
    this.reading = new Reading(tableId, this.showing, page, this.timers);
    this.sender = new Sender({
      ...page,
      hush: () => this.hush(),
      waiting: (error) => this.waiting(error),
      answered: () => this.goOn(),
      lost: (error) => this.recover(error),
    });
    const wanted = (): Due | null => this.wanted();
    const run = (command: AutoCommand): void =>
      void (command === 'top_up' ? this.topUp() : this.nextHand());
    this.byItself = new Auto({ wanted, run }, this.timers);
  }

  get view(): View | null {
    return this.showing.view;
  }

  /** What was said in passing; '' when that is over. */
  get notice(): string {
    return this.told();
  }

  /** What happened is still being shown. */
  get animating(): boolean {
    return this.showing.animating;
  }

  get speed(): number {
    return settings.speed;
  }

  get sending(): Sending | null {
    return this.sender.sending;
  }

  /** Why there is nothing to sit at any more. */
  get gone(): Gone {
    return this.reading.gone;
  }

  get money(): Money {
    return this.showing.money;
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

  /** Begins with what the lobby brought along, or asks the server. */
  async start(): Promise<void> {
    const arrival = arrivals.takeTable(this.tableId);
    if (arrival) this.showing.play(arrival);
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
    this.showing.close();
    this.timers.clearAll();
  }

  /** Has the live connection tell this table. */
  private follow(): void {
    const { live, showing } = this;
    if (!live) return;
    connection.playHere = () => live.playHere();
    live.start(
      listenerFor({
        intake: showing.intake,
        take: (events) => showing.take(events),
        adopt: (snapshot) => showing.adopt(snapshot, true),
        resync: () => live.resync(),
        refresh: () => void this.refresh(),
        caughtUp: () => {
          showing.caughtUp();
          if (showing.theirs) void this.refresh();
        },
        turned: () => {
          showing.behind ||= connection.live === 'reconnecting';
          if (this.view && !this.animating) this.reading.later();
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
    await this.sender.submit(
      { what: 'action', action: { type, to, added } },
      asking<ActionResult>(intents.act(this.tableId, body)),
      (result) => this.showing.play(result),
    );
  }

  /**
   * While the end of a hand is still being told, it is told at once first. Told by events alone,
   * it is known only a moment later what may be done: then the wish waits for that.
   */
  async nextHand(): Promise<void> {
    // Pressed twice: the hand that is being dealt may be over as soon as it is here.
    if (this.guarded || this.sending?.what === 'next_hand') return;
    const hurried = this.showing.ending;
    if (hurried) this.skip();
    if (hurried && this.bar !== 'hand_over') this.hurriedPast = this.showing.now().handId;
    else await this.deal(hurried);
  }

  /** `hurried`: nobody meant anything else by it, so that it needs no guard. */
  private async deal(hurried: boolean): Promise<void> {
    if (!this.mayCommand('can_next_hand', hurried)) return;
    const { match, handNo } = this.showing.now();
    const wish = (seed: string): Intent => intents.nextHand(match.id, handNo, seed);
    await this.sender.submit(
      { what: 'next_hand', action: null },
      askForHand<Played>(match.next_commit_root, wish),
      (played) => {
        this.turn.guard();
        this.showing.play(played);
      },
    );
  }

  /** What may be done is known by now: what was wished before is done, or waits its time. */
  private goOn(): void {
    if (this.bar !== 'hand_over') return;
    const hurried = this.hurriedPast === this.showing.now().handId;
    this.hurriedPast = '';
    if (hurried) void this.deal(true);
    this.byItself.schedule();
  }

  async topUp(): Promise<void> {
    if (!this.mayCommand('can_top_up')) return;
    await this.sender.submit(
      { what: 'top_up', action: null },
      asking<ToppedUp>(intents.topUp(this.matchId())),
      ({ snapshot, added }) => {
        this.showing.adopt(snapshot);
        this.say(() => m.bar.toppedUp(money(added, this.money)));
      },
    );
  }

  async settle(): Promise<void> {
    if (!this.mayCommand('can_settle')) return;
    await this.sender.submit(
      { what: 'settle', action: null },
      asking<{ summary: Summary }>(intents.settle(this.matchId())),
      ({ summary }) => {
        arrivals.leaveSummary(summary);
        this.navigation.summary(summary.match_id);
      },
    );
  }

  /** Shows at once what is still to be shown, and says in short what it was. */
  skip(): void {
    this.showing.skip();
  }

  /** Sets the amount to bet, held between the server's bounds; what was said before is over. */
  size(amount: number): void {
    this.hush();
    this.turn.size(amount, this.view?.legal?.raise);
  }

  /** Reads the table as it stands, unless something is on its way or being shown. */
  async refresh(): Promise<void> {
    await this.reading.refresh();
  }

  /** The page is looked at again: another tab or device may have played. */
  seen(): void {
    if (!isLive() && this.bar !== 'sending') void this.refresh();
  }

  /** Says something in passing: shown for a while, and read out. */
  say(text: Kept): void {
    this.told = text;
    announce(text());
    this.timers.set('hush', () => this.hush(), NOTICE_MS);
  }

  private hush(): void {
    this.told = NOTHING;
  }

  private matchId(): string {
    return this.showing.now().match.id;
  }

  private mayCommand(what: 'can_next_hand' | 'can_top_up' | 'can_settle', meant = false): boolean {
    return this.bar === 'hand_over' && (meant || !this.guarded) && this.showing.now().match[what];
  }

  private wanted(): Due | null {
    if (this.bar !== 'hand_over' || !this.open) return null;
    const { match, handId } = this.showing.now();
    const command = autoCommand(match, settings);
    return command && { command, handId };
  }

  private waiting(error: unknown): void {
    const limited = isLimit(error);
    connection.trouble = !limited;
    this.say(() => (limited ? m.problem.rateLimited : m.connection.sendingAgain));
  }

  /** After a refusal: say what it means, then show the table as the server has it. */
  private async recover(error: unknown): Promise<void> {
    if (isTransient(error)) return this.reading.troubled();
    if (!(error instanceof Problem)) throw error;
    if (isNoSession(error)) return loseSession();
    switch (error.type) {
      case 'match-expired':
        this.reading.gone = 'expired';
        return;
      case 'match-closed':
        this.navigation.summary(this.matchId());
        return;
      case 'not-found':
      case 'not-seated':
        this.reading.gone = 'missing';
        return;
      default:
        await this.reading.read();
        this.say(() => refusalText(error));
    }
  }

  private seenOnTable(event: TableEvent, before: View, after: View, instant: boolean): void {
    const own = event.type === 'action.taken' && this.isYou(event.data.seat);
    if (own) this.sender.told();
    this.onlooker(event, before, after, instant);
  }

  private isYou(no: number): boolean {
    return this.showing.now().seats.some((seat) => seat.no === no && seat.you);
  }

  /** The server has said all: what can be done is offered, or the match is over. */
  private stands(view: View, root: string | null): void {
    warnOfDeck(view, root);
    if (view.match.state === 'settled' || view.match.state === 'void') {
      this.navigation.summary(view.match.id);
      return;
    }
    this.lightUp(view);
    this.goOn();
    this.reading.later();
  }

  private lightUp(view: View): void {
    const token = view.legal?.turn_token ?? (view.over ? `over ${view.handId}` : null);
    if (!this.turn.begin(token, view.legal?.raise ?? null)) return;
    if (view.legal) announce(turnAnnouncement(view.legal, this.money));
    else if (view.over) announce(resultLine(view, this.money));
  }
}
