/** What a player wants done after a hand without being asked each time. */
import { isAsked } from './keys';
import type { Match } from './types';

/** How long a result is left to be read before anything is done by itself. */
export const AUTO_MS = 2500;

export type AutoCommand = 'top_up' | 'next_hand';

export interface Wishes {
  readonly autoNextHand: boolean;
  readonly autoTopUp: boolean;
}

/** Chips first, then the next hand; null when nothing is wanted, or nothing possible. */
export function autoCommand(
  match: Pick<Match, 'can_top_up' | 'can_next_hand'>,
  wishes: Wishes,
): AutoCommand | null {
  if (wishes.autoTopUp && match.can_top_up) return 'top_up';
  return wishes.autoNextHand && match.can_next_hand ? 'next_hand' : null;
}

/** A command, and the hand that it follows. */
export interface Due {
  readonly command: AutoCommand;
  readonly handId: string;
}

interface Host {
  /** What is wanted now, if anything. */
  wanted(): Due | null;
  run(command: AutoCommand): void;
}

interface Alarm {
  set(name: 'auto', run: () => void, ms: number): void;
}

/** Does it once a hand, after a while; not while the page is hidden or a dialog is being read. */
export class Auto {
  private tried = '';

  constructor(
    private readonly host: Host,
    private readonly alarm: Alarm,
  ) {}

  /** What is about to be done. What was refused is not asked for again and again. */
  due(): Due | null {
    const due = this.host.wanted();
    return due && nameOf(due) !== this.tried ? due : null;
  }

  /** Between two hands, or once something is wanted: begins to wait. */
  schedule(): void {
    if (this.due()) this.alarm.set('auto', () => this.ring(), AUTO_MS);
  }

  private ring(): void {
    const due = this.due();
    if (!due) return;
    if (document.visibilityState === 'hidden' || isAsked()) return this.schedule();
    this.tried = nameOf(due);
    this.host.run(due.command);
  }
}

const nameOf = ({ command, handId }: Due): string => `${command} ${handId}`;
