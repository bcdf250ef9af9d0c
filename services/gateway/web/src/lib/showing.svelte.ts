/** What is on the table: events one at a time, then the snapshot that they lead to. */
import { announce } from './announce.svelte';
import { Intake } from './follow';
import type { Money } from './labels';
import type { LiveEvent } from './lines';
import { m } from './messages';
import type { Clock } from './pace';
import { Pacer } from './pace';
import type { View } from './reducer';
import { beforeHand, fromSnapshot, reduce } from './reducer';
import type { Onlooker } from './seat';
import { settings } from './settings.svelte';
import { skippedText } from './skipped';
import type { Played, Snapshot, TableEvent } from './types';

/** What was committed together arrives almost together. */
export const TOGETHER_MS = 60;

interface Host {
  /** Told of each event as it is shown. */
  readonly shown: Onlooker;
  /** An answer is awaited, which brings a snapshot. */
  answerComes(): boolean;
  /** Events have told that somebody else is to move. */
  waits(): void;
  /** Events have told all they can: the table must be read. */
  read(): void;
  /** A snapshot is on the table; `root` is that of its hand's deck. */
  stands(view: View, root: string | null): void;
}

interface Alarm {
  set(name: 'look', run: () => void, ms: number): void;
  clear(name: 'look'): void;
}

export class Showing {
  view = $state.raw<View | null>(null);
  animating = $state(false);
  /** The connection was lost: what comes until it is up to date is old. */
  behind = false;
  readonly intake = new Intake();

  private readonly pacer: Pacer;
  private target: Snapshot | null = null;
  /** The newest event that was shown before the rest was skipped. */
  private skippedFrom = 0;

  constructor(
    private readonly host: Host,
    private readonly alarm: Alarm,
    clock: Clock,
  ) {
    const stage = {
      view: () => this.now(),
      show: (event: TableEvent, instant: boolean) => this.show(event, instant),
      done: (skipped: boolean) => this.settleDown(skipped),
    };
    this.pacer = new Pacer(stage, () => settings.speed, clock);
  }

  /** Events are waiting for their turn to be shown. */
  get busy(): boolean {
    return this.pacer.busy;
  }

  /** The hand is decided, and its end is still being told, or what may be done after it read. */
  get ending(): boolean {
    return this.pacer.ending || (this.animating && this.view?.over === true);
  }

  get money(): Money {
    return { unit: settings.unit, bigBlind: this.view?.rules.big_blind ?? 1 };
  }

  /** It is somebody else's move, or not known whose. */
  get theirs(): boolean {
    const { view } = this;
    return !view || (!view.over && !view.legal);
  }

  now(): View {
    if (!this.view) throw new Error('nothing is on the table yet');
    return this.view;
  }

  /** Shows what an answer brought. */
  play({ snapshot, events }: Played): void {
    this.view ??= beforeHand(snapshot);
    this.take(events, snapshot);
  }

  /**
   * Takes a snapshot over: news of the hand on the table is shown one by one, or all at once
   * when it is old, because the connection was away.
   */
  adopt(snapshot: Snapshot, late = false): void {
    const sameHand = this.view?.handId === snapshot.hand.id;
    // What is left of another hand leads nowhere.
    if (!sameHand) this.pacer.stop();
    this.take(sameHand ? snapshot.log : [], snapshot, late);
    this.intake.reach(snapshot.log.at(-1)?.seq ?? 0);
  }

  /** Shows what was not taken in before; at the end `snapshot`, or a fresh one, is adopted. */
  take(
    events: readonly LiveEvent[],
    snapshot: Snapshot | null = null,
    late: boolean = this.behind,
  ): void {
    const news = this.intake.take(events);
    this.target = snapshot;
    this.alarm.clear('look');
    if (snapshot && news.length === 0 && !this.pacer.busy) return this.settleDown(false);
    this.animating = true;
    this.pacer.add(news, late);
  }

  /** Shows at once what is still to be shown, and says in short what it was. */
  skip(): void {
    this.skippedFrom = this.view?.lastSeq ?? 0;
    this.pacer.skip();
  }

  /** The connection is up to date again: what came before that is old. */
  caughtUp(): void {
    if (this.behind) this.pacer.catchUp();
    this.behind = false;
  }

  /** Nothing came of reading the table: what can be done stands as it did. */
  unlock(): void {
    if (!this.pacer.busy) this.animating = false;
  }

  close(): void {
    this.pacer.stop();
  }

  private show(event: TableEvent, instant: boolean): void {
    const before = this.now();
    this.view = reduce(before, event);
    if (this.view !== before) this.host.shown(event, before, this.view, instant);
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
    const { seats, turn, over, match } = this.now();
    const waiting = seats.some((seat) => seat.no === turn && !seat.you);
    if (this.host.answerComes() || (waiting && !this.intake.unsure)) {
      this.animating = false;
      this.host.waits();
      return;
    }
    // Between hands the buttons stay: chips were added, which changes no turn.
    if (over && match.can_settle) this.animating = false;
    this.alarm.set('look', () => this.host.read(), TOGETHER_MS);
  }

  private finish(snapshot: Snapshot): void {
    this.animating = false;
    this.intake.unsure = false;
    const view = fromSnapshot(snapshot);
    // Between hands the log may be shorter than what was shown; never go back in time.
    this.view = { ...view, lastSeq: Math.max(view.lastSeq, this.view?.lastSeq ?? 0) };
    this.host.stands(view, snapshot.hand.commit_root);
  }
}
