/** Which cards are lifted at showdown: the winning five; every other card shown is dimmed. */
import type { View } from './reducer';
import type { Card } from './types';

export interface Highlight {
  /** True once a pot went to a hand that was shown. */
  active: boolean;
  lifted: ReadonlySet<Card>;
}

export function highlight(view: View): Highlight {
  const winners = view.seats.filter((seat) => seat.won > 0 && seat.shown);
  return {
    active: winners.length > 0,
    lifted: new Set(winners.flatMap((seat) => seat.shown?.best_five ?? [])),
  };
}
