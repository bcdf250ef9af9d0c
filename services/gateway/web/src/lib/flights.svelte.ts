/** Chips that travel: short-lived decoration between two marked spots of the felt. */
import type { View } from './reducer';
import { stillness } from './settings.svelte';
import type { TableEvent } from './types';

export interface Flight {
  id: number;
  amount: number;
  from: string;
  to: string;
}

export const betSpot = (seat: number): string => `bet-${seat}`;
export const seatSpot = (seat: number): string => `seat-${seat}`;
export const POT_SPOT = 'pot';

type Leg = Omit<Flight, 'id'>;

/** The chips that an event moves, and between which spots. */
export function legsOf(event: TableEvent, before: View): Leg[] {
  switch (event.type) {
    case 'blinds.posted':
      return event.data.posts.map(({ seat, chips }) => toBet(seat, chips));
    case 'action.taken':
      return event.data.added > 0 ? [toBet(event.data.seat, event.data.added)] : [];
    case 'pots.updated':
      return before.seats
        .filter((seat) => seat.bet > 0)
        .map((seat) => ({ amount: seat.bet, from: betSpot(seat.no), to: POT_SPOT }));
    case 'bet.returned':
      return [
        { amount: event.data.chips, from: betSpot(event.data.seat), to: seatSpot(event.data.seat) },
      ];
    case 'pot.awarded':
      return event.data.winners.map(({ seat, chips }) => ({
        amount: chips,
        from: POT_SPOT,
        to: seatSpot(seat),
      }));
    default:
      return [];
  }
}

function toBet(seat: number, amount: number): Leg {
  return { amount, from: seatSpot(seat), to: betSpot(seat) };
}

let nextId = 0;

/** The chips in the air over one table. */
export class Flights {
  now = $state.raw<readonly Flight[]>([]);

  launch(event: TableEvent, before: View): void {
    if (stillness()) return;
    const legs = legsOf(event, before);
    if (legs.length === 0) return;
    this.now = [...this.now, ...legs.map((leg) => ({ ...leg, id: (nextId += 1) }))];
  }

  land(id: number): void {
    this.now = this.now.filter((flight) => flight.id !== id);
  }
}
