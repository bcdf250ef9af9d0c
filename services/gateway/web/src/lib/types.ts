/** The JSON that the gateway speaks. Chips are whole numbers; cards are text such as "As". */

export type Card = string;
export type HoleCards = readonly [Card, Card] | readonly [null, null];
export type Street = 'preflop' | 'flop' | 'turn' | 'river';
export type ActionType = 'fold' | 'check' | 'call' | 'bet' | 'raise';
export type MatchState = 'in_hand' | 'between_hands' | 'busted' | 'settled' | 'void';

export interface Preset {
  id: string;
  label: string;
  kind: string;
  amount: number | null;
  enabled: boolean;
  reason: string | null;
}

export interface RaiseRange {
  kind: 'bet' | 'raise';
  min_to: number;
  full_min_to: number;
  max_to: number;
  step: number;
  presets: Preset[];
}

export interface Legal {
  turn_token: string;
  can_fold: boolean;
  can_check: boolean;
  to_call: number;
  call_all_in: boolean;
  raise: RaiseRange | null;
  no_raise_reason: string | null;
  presets: Preset[];
}

export interface Pot {
  chips: number;
  eligible: number[];
}

export interface LastAction {
  type: ActionType;
  to: number | null;
  added: number;
  all_in: boolean;
}

export interface Seat {
  no: number;
  name: string;
  kind: 'human' | 'computer';
  tag: string;
  pos: string;
  stack: number;
  bet: number;
  folded: boolean;
  all_in: boolean;
  cards: HoleCards | null;
  last_action: LastAction | null;
  you: boolean;
}

export interface Match {
  id: string;
  state: MatchState;
  stack: number;
  total_buy_in: number;
  top_ups: { chips: number; at: string }[];
  result_chips: number;
  result_bb: string;
  hands: number;
  kept_until: string;
  can_next_hand: boolean;
  can_top_up: boolean;
  top_up_to: number;
  can_settle: boolean;
}

export interface SeatResult {
  seat: number;
  put_in: number;
  won: number;
  net: number;
  stack: number;
}

export interface ShownHand {
  seat: number;
  cards: readonly [Card, Card];
  category: string;
  name: string;
  best_five: Card[];
}

interface EventData {
  'hand.started': {
    hand_id: string;
    hand_no: number;
    button: number;
    small_blind_seat: number;
    big_blind_seat: number;
    stacks: { seat: number; chips: number }[];
  };
  'blinds.posted': { posts: { seat: number; chips: number; all_in: boolean }[] };
  'cards.dealt': { hands: { seat: number; cards: HoleCards | null }[] };
  'turn.started': { seat: number };
  'action.taken': {
    seat: number;
    type: ActionType;
    to: number | null;
    added: number;
    all_in: boolean;
    auto?: boolean;
  };
  'bet.returned': { seat: number; chips: number };
  'street.dealt': { street: Street; cards: Card[] };
  'pots.updated': { pots: Pot[] };
  'all_in.reveal': { hands: { seat: number; cards: readonly [Card, Card] }[] };
  showdown: { hands: ShownHand[] };
  'pot.awarded': { pot_no: number; chips: number; winners: { seat: number; chips: number }[] };
  'hand.ended': { results: SeatResult[] };
  'stack.topped_up': { seat: number; added: number; stack: number };
  'opponent.topped_up': { seat: number; added: number; stack: number };
  'opponent.rebought': { seat: number; added: number; stack: number };
  'match.started': { match_id: string };
  'match.settled': { match_id: string; reason: string };
}

export type EventType = keyof EventData;

/** An event of a type this client knows; unknown types are skipped by `isKnown`. */
export type TableEvent = {
  [T in EventType]: { seq: number; type: T; at: string; data: EventData[T] };
}[EventType];

export interface Ruleset {
  id: string;
  small_blind: number;
  big_blind: number;
}

export interface Snapshot {
  version: number;
  server_time: string;
  table_id: string;
  ruleset: Ruleset;
  hand: {
    id: string;
    no: number;
    street: Street;
    board: Card[];
    pots: Pot[];
    pot_total: number;
    button: number;
    over: boolean;
  };
  seats: Seat[];
  turn: { seat: number } | null;
  legal: Legal | null;
  match: Match;
  log: TableEvent[];
}

export type Consequence = 'ai_decides' | 'void_hand' | 'void_match' | 'settle';

export interface User {
  id: string;
  display_name: string;
  kind: string;
}

export interface BuyIn {
  min: number;
  max: number;
  step: number;
  default: number;
}

export interface LobbyPreset extends Ruleset {
  buy_in: BuyIn;
}

export interface Resume {
  match_id: string;
  table_id: string;
  /** `busted`: its player is out of chips, so it is over and can only be settled. */
  state: 'in_hand' | 'between_hands' | 'busted';
  hand_no: number;
  your_turn: boolean;
  kept_until: string;
  consequence: Consequence;
}

export interface Lobby {
  user: User;
  resume: Resume | null;
  presets: LobbyPreset[];
  standing: { hands: number; hands_to_rank: number; bb_per_100: string } | null;
}

export interface Summary {
  match_id: string;
  hands: number;
  net_chips: number;
  net_bb: string;
  bb_per_100: string;
  buy_in: number;
  top_ups: { count: number; chips: number };
  final_stack: number;
  biggest_pot_won: number;
  biggest_pot_lost: number;
  ai_decided: number;
  duration_seconds: number;
  /** Null while the match is open. */
  reason: string | null;
}

export interface BoardRow {
  rank: number | null;
  name: string;
  kind: string;
  bb_per_100: string;
  hands: number;
  net_chips: number;
  net_bb: string;
  ai_decided_hands: number;
  void_hands: number;
  last_played: string | null;
  you: boolean;
}

export interface BoardPage {
  board: string;
  section: 'ranked' | 'qualifying';
  /** Null when nothing has been counted yet. */
  as_of: string | null;
  ranked_hands: number;
  items: BoardRow[];
  next_cursor: string | null;
}

export interface MyStanding {
  row: BoardRow | null;
  hands_to_rank: number;
  ranked_hands: number;
}

export interface Played {
  snapshot: Snapshot;
  events: TableEvent[];
}
