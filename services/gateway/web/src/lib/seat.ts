/** What one's own seat at a table is doing, and whom it tells. */
import type { Money } from './labels';
import type { View } from './reducer';
import type { ActionType, TableEvent } from './types';

export type BarState = 'waiting' | 'animating' | 'your_turn' | 'sending' | 'hand_over';

export interface Sending {
  what: 'action' | 'next_hand' | 'top_up' | 'settle';
  action: { type: ActionType; to: number | null; added: number } | null;
}

/** What the felt asks of whoever shows a hand on it: a live table, or a replayer. */
export interface Staged {
  readonly money: Money;
  /** Cards come in with motion. */
  readonly animating: boolean;
  /** How many times as fast as the usual motion. */
  readonly speed: number;
  readonly sending: Sending | null;
}

export interface Navigation {
  summary(matchId: string): void;
}

/** Told of each event as it is shown, for motion that is decoration only. */
export type Onlooker = (event: TableEvent, before: View, after: View, instant: boolean) => void;
