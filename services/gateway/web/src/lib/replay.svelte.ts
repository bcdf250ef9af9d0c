/** A stored hand being shown: which picture, and what moves it on. */
import type { Frame, Jump } from './frames';
import { framesOf, jumpsOf } from './frames';
import type { Money } from './labels';
import type { Clock } from './pace';
import { pauseBefore, realClock } from './pace';
import type { View } from './reducer';
import type { Onlooker, Staged } from './seat';
import { settings } from './settings.svelte';
import type { HandRecord, Match } from './types';

export const SPEEDS = [0.5, 1, 2, 4] as const;
export type ReplaySpeed = (typeof SPEEDS)[number];

/** Milliseconds that each picture is shown at speed 1, at least. */
export const LEAST_MS = 900;

export class Replay implements Staged {
  at = $state(0);
  playing = $state(false);
  animating = $state(false);
  speed = $state<ReplaySpeed>(1);

  readonly sending = null;
  readonly frames: readonly Frame[];
  readonly jumps: readonly Jump[];
  private timer: number | null = null;

  constructor(
    readonly record: HandRecord,
    match: Match,
    private readonly onlooker: Onlooker = () => undefined,
    private readonly clock: Clock = realClock,
  ) {
    this.frames = framesOf(record, match);
    this.jumps = jumpsOf(this.frames);
  }

  get last(): number {
    return this.frames.length - 1;
  }

  get frame(): Frame {
    const frame = this.frames[this.at];
    if (!frame) throw new Error(`no picture ${this.at} of ${this.frames.length}`);
    return frame;
  }

  get view(): View {
    return this.frame.view;
  }

  get money(): Money {
    return { unit: settings.unit, bigBlind: this.record.ruleset.big_blind };
  }

  /** Shows a picture, the nearest there is; one who looks around is not driven on. */
  seek(to: number): void {
    this.pause();
    this.animating = false;
    this.at = Math.max(0, Math.min(this.last, Math.trunc(to)));
  }

  /** One picture on, with its motion. */
  forward(): void {
    this.pause();
    this.step();
  }

  back(): void {
    this.seek(this.at - 1);
  }

  /** Plays on by itself, from the start when the end was reached; or stops doing so. */
  toggle(): void {
    if (this.playing) return this.pause();
    if (this.at === this.last) this.seek(0);
    this.playing = true;
    this.schedule();
  }

  setSpeed(speed: ReplaySpeed): void {
    this.speed = speed;
    if (this.playing) this.schedule();
  }

  pause(): void {
    this.playing = false;
    this.cancel();
  }

  private step(): void {
    const before = this.frame.view;
    const next = this.frames[this.at + 1];
    if (!next) return;
    this.animating = true;
    this.at += 1;
    for (const event of next.events) this.onlooker(event, before, next.view, false);
  }

  private schedule(): void {
    this.cancel();
    const next = this.frames[this.at + 1];
    if (!next) {
      this.playing = false;
      return;
    }
    const { view } = this.frame;
    const paced = next.events.reduce((total, event) => total + pauseBefore(event, view), 0);
    this.timer = this.clock.set(
      () => {
        this.step();
        this.schedule();
      },
      Math.max(LEAST_MS, paced) / this.speed,
    );
  }

  private cancel(): void {
    if (this.timer !== null) this.clock.clear(this.timer);
    this.timer = null;
  }
}
