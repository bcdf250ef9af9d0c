/** One turn, or one pause between two hands: what is being considered, and what is asked first. */
import { clamp } from './sizing';
import type { ActionType, Legal, RaiseRange } from './types';

/** Clicks this soon after the bar lit up were meant for what was there before. */
export const GUARD_MS = 250;

/** What is asked before an action is sent. */
export interface Question {
  /** Everything goes in, or folding where checking is free. */
  readonly why: 'all_in' | 'free_fold';
  readonly type: ActionType;
  /** The total that a bet or raise is sent with. */
  readonly to: number | null;
  /** What the answer commits: the total of a bet or raise, what a call adds; 0 for a fold. */
  readonly chips: number;
}

/** What to ask before `type`, with the total `to` for a bet or raise; null to send it at once. */
export function questionOf(
  type: ActionType,
  to: number | null,
  legal: Legal,
  wishes: { readonly confirmAllIn: boolean },
): Question | null {
  if (type === 'fold') return legal.can_check ? { why: 'free_fold', type, to, chips: 0 } : null;
  if (!wishes.confirmAllIn) return null;
  if (type === 'call' && legal.call_all_in)
    return { why: 'all_in', type, to, chips: legal.to_call };
  const all = to !== null && to === legal.raise?.max_to;
  return all ? { why: 'all_in', type, to, chips: to } : null;
}

interface Alarm {
  set(name: 'guard', run: () => void, ms: number): void;
}

export class Turn {
  /** The total to bet or raise to, between the server's bounds. */
  amount = $state(0);
  /** Just lit up: clicks still mean what was there before. */
  guarded = $state(false);
  question = $state.raw<Question | null>(null);
  private token: string | null = null;

  constructor(private readonly alarm: Alarm) {}

  /** Whether this is another turn, or another end of a hand, than before; null is neither. */
  begin(token: string | null, range: RaiseRange | null): boolean {
    if (token === this.token) return false;
    this.token = token;
    this.question = null;
    if (range) this.amount = range.min_to;
    if (token !== null) this.guard();
    return true;
  }

  size(amount: number, range: RaiseRange | null | undefined): void {
    if (range) this.amount = clamp(amount, range);
  }

  /** What is clicked or pressed now was meant for what was there before. */
  guard(): void {
    this.guarded = true;
    this.alarm.set('guard', () => (this.guarded = false), GUARD_MS);
  }
}
