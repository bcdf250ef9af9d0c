/** What the stand-in table offers on your turn: plausible numbers, not the rules. */
import type { View } from '../src/lib/reducer.ts';
import type { Legal, Preset } from '../src/lib/types.ts';

interface Spot {
  min: number;
  max: number;
  bet: number;
  pot: number;
  canRaise: boolean;
  preflop: boolean;
}

type Row = readonly [id: string, label: string, amount: number];

export function offer(view: View, token: string): Legal {
  const you = view.seats.find((seat) => seat.you);
  const river = view.seats.find((seat) => !seat.you);
  if (!you || !river) throw new Error('both seats are taken');
  const call = Math.min(you.stack, river.bet - you.bet);
  const max = you.bet + you.stack;
  const min = Math.max(river.bet * 2 - Math.min(you.bet, river.bet), view.rules.big_blind);
  const canRaise = river.stack > 0 && max > river.bet;
  const presets = rows({
    min,
    max,
    bet: river.bet,
    pot: view.potTotal + call,
    canRaise,
    preflop: view.street === 'preflop',
  });
  const kind = river.bet > 0 ? 'raise' : 'bet';
  const range = { kind, min_to: Math.min(min, max), full_min_to: min, max_to: max } as const;
  return {
    turn_token: token,
    can_fold: call > 0,
    can_check: call === 0,
    to_call: call,
    call_all_in: call === you.stack && call > 0,
    raise: canRaise ? { ...range, step: 50, presets } : null,
    no_raise_reason: canRaise ? null : 'no_opponent_can_call',
    presets,
  };
}

function rows(spot: Spot): Preset[] {
  const share = (id: string, label: string, part: number): Row => [
    id,
    label,
    spot.bet + Math.round(spot.pot * part),
  ];
  const blinds: readonly Row[] = [
    ['bb_2', '2 BB', 200],
    ['bb_2_5', '2.5 BB', 250],
    ['bb_3', '3 BB', 300],
  ];
  const all: readonly Row[] = [
    ['min', 'Min', spot.min],
    ...(spot.preflop ? blinds : []),
    share('pot_30', '30%', 0.3),
    share('pot_50', '50%', 0.5),
    ...(spot.preflop ? [] : [share('pot_2_3', '⅔ pot', 2 / 3)]),
    share('pot_70', '70%', 0.7),
    share('pot', 'Pot', 1),
    ['all_in', 'All-in', spot.max],
  ];
  return all.map(([id, label, amount]) => {
    const reason = greyReason(id, amount, spot);
    const shown = spot.canRaise ? amount : null;
    return { id, label, kind: kindOf(id), amount: shown, enabled: reason === null, reason };
  });
}

function kindOf(id: string): Preset['kind'] {
  if (id === 'min') return 'min';
  if (id === 'all_in') return 'allin';
  if (id.startsWith('bb_')) return 'bb';
  return id === 'pot' || id.split('_').length > 2 ? 'pot_fraction' : 'pot_percent';
}

function greyReason(id: string, amount: number, spot: Spot): string | null {
  if (!spot.canRaise) return 'no raise';
  if (amount > spot.max) return 'more than your stack';
  return amount < spot.min && id !== 'all_in' ? `below the minimum raise to ${spot.min}` : null;
}
