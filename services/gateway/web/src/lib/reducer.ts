/**
 * The one place where what the server said becomes what the table shows.
 *
 * Pure bookkeeping: chips move where an event says they move. No rule of the game is decided
 * here, and whenever a snapshot arrives its numbers replace everything that was added up.
 *
 * The felt, the text table and the replayer all draw a `View` and nothing else:
 *
 * - `beforeHand(opening)`: the seats with no card dealt and no chip in, where a hand's events start;
 * - `reduce(view, event)`: the view after one event. Events that are known already, or of a type
 *   that is not, change nothing (the same object comes back), so a stream may repeat itself;
 * - `fromSnapshot(snapshot)`: the view of a table as it stands, with its log as the events tell it;
 * - `isKnown(event)`: whether `reduce` does anything with an event of this type.
 *
 * A view is never changed, so any of them can be kept: one after each event is a replay. What a
 * view says on the way: `log` all events of the hand up to now; `seats[].last_action` until that
 * seat acts again; `runOut` from the moment an all-in turns the hands up; `awards` pot by pot;
 * `seats[].shown` with the winning five at the showdown; `over` with the results. `legal` comes
 * from snapshots alone and goes with the next action: an event says whose turn it is, not what
 * may be done.
 */
import type {
  Card,
  EventType,
  Legal,
  Match,
  Pot,
  Ruleset,
  Seat,
  SeatResult,
  ShownHand,
  Snapshot,
  Street,
  TableEvent,
} from './types';

export interface SeatView extends Seat {
  /** Its hand at showdown, with the winning five; null until shown. */
  shown: ShownHand | null;
  /** Chips pushed to this seat from the pots of this hand. */
  won: number;
}

export interface Award {
  potNo: number;
  chips: number;
  winners: readonly { seat: number; chips: number }[];
}

export interface View {
  tableId: string;
  version: number;
  /** The newest event that is part of this view; older ones are duplicates. */
  lastSeq: number;
  rules: Ruleset;
  handId: string;
  handNo: number;
  street: Street;
  board: readonly Card[];
  pots: readonly Pot[];
  /** Closed pots and the bets of this round together. */
  potTotal: number;
  button: number;
  over: boolean;
  /** True once an all-in has turned the hands up: streets then come one at a time. */
  runOut: boolean;
  seats: readonly SeatView[];
  turn: number | null;
  legal: Legal | null;
  match: Match;
  awards: readonly Award[];
  returned: readonly { seat: number; chips: number }[];
  results: readonly SeatResult[];
  log: readonly TableEvent[];
}

type Of<T extends EventType> = Extract<TableEvent, { type: T }>['data'];
type Handlers = { [T in EventType]: (view: View, data: Of<T>) => Partial<View> };

const seated = (seat: Seat): SeatView => ({ ...seat, shown: null, won: 0 });

/** What of a snapshot a hand begins with. */
export type Opening = Pick<Snapshot, 'table_id' | 'version' | 'ruleset' | 'seats' | 'match'> & {
  readonly hand: Pick<Snapshot['hand'], 'id' | 'no' | 'button'>;
};

/** The view with no card dealt and no chip in: what the events of the current hand start from. */
function blank(snapshot: Opening): View {
  return {
    tableId: snapshot.table_id,
    version: snapshot.version,
    lastSeq: 0,
    rules: snapshot.ruleset,
    handId: snapshot.hand.id,
    handNo: snapshot.hand.no,
    street: 'preflop',
    board: [],
    pots: [],
    potTotal: 0,
    button: snapshot.hand.button,
    over: false,
    runOut: false,
    seats: snapshot.seats.map((seat) => seated(cleared(seat))),
    turn: null,
    legal: null,
    match: snapshot.match,
    awards: [],
    returned: [],
    results: [],
    log: [],
  };
}

function cleared<S extends Seat>(seat: S): S {
  return { ...seat, bet: 0, folded: false, all_in: false, cards: null, last_action: null };
}

function patch(
  view: View,
  no: number,
  change: (seat: SeatView) => Partial<SeatView>,
): readonly SeatView[] {
  return view.seats.map((seat) => (seat.no === no ? { ...seat, ...change(seat) } : seat));
}

const sum = (pots: readonly Pot[]): number => pots.reduce((total, pot) => total + pot.chips, 0);

function withPot(view: View, seats: readonly SeatView[], pots = view.pots): Partial<View> {
  const bets = seats.reduce((total, seat) => total + seat.bet, 0);
  return { seats, pots, potTotal: sum(pots) + bets };
}

function restack(view: View, data: { seat: number; stack: number }): Partial<View> {
  return { seats: patch(view, data.seat, () => ({ stack: data.stack })) };
}

const handlers: Handlers = {
  'hand.started': (view, data) => ({
    handId: data.hand_id,
    handNo: data.hand_no,
    button: data.button,
    street: 'preflop',
    board: [],
    pots: [],
    potTotal: 0,
    over: false,
    runOut: false,
    turn: null,
    legal: null,
    awards: [],
    returned: [],
    results: [],
    log: [],
    // This hand has used up the deck that was announced; only a snapshot tells of another.
    match: { ...view.match, next_commit_root: null },
    seats: view.seats.map((seat) => ({
      ...cleared(seat),
      shown: null,
      won: 0,
      pos: positionIn(data, seat),
      stack: data.stacks.find((entry) => entry.seat === seat.no)?.chips ?? seat.stack,
    })),
  }),
  'blinds.posted': (view, data) => {
    const seats = view.seats.map((seat) => {
      const post = data.posts.find((entry) => entry.seat === seat.no);
      if (!post) return seat;
      return { ...seat, bet: post.chips, stack: seat.stack - post.chips, all_in: post.all_in };
    });
    return withPot(view, seats);
  },
  'cards.dealt': (view, data) => ({
    seats: view.seats.map((seat) => {
      const hand = data.hands.find((entry) => entry.seat === seat.no);
      return hand ? { ...seat, cards: hand.cards ?? ([null, null] as const) } : seat;
    }),
  }),
  'turn.started': (_view, data) => ({ turn: data.seat }),
  'action.taken': (view, data) => ({
    ...withPot(
      view,
      patch(view, data.seat, (seat) => ({
        bet: seat.bet + data.added,
        stack: seat.stack - data.added,
        folded: data.type === 'fold' || seat.folded,
        all_in: data.all_in || seat.all_in,
        last_action: { type: data.type, to: data.to, added: data.added, all_in: data.all_in },
      })),
    ),
    turn: null,
    legal: null,
  }),
  'bet.returned': (view, data) => ({
    ...withPot(
      view,
      patch(view, data.seat, (seat) => ({
        bet: seat.bet - Math.min(seat.bet, data.chips),
        stack: seat.stack + data.chips,
      })),
    ),
    returned: [...view.returned, data],
  }),
  'street.dealt': (view, data) => ({ street: data.street, board: [...view.board, ...data.cards] }),
  'pots.updated': (view, data) =>
    withPot(
      view,
      view.seats.map((seat) => ({ ...seat, bet: 0 })),
      data.pots,
    ),
  'all_in.reveal': (view, data) => ({
    runOut: true,
    turn: null,
    seats: view.seats.map((seat) => {
      const hand = data.hands.find((entry) => entry.seat === seat.no);
      return hand ? { ...seat, cards: hand.cards } : seat;
    }),
  }),
  showdown: (view, data) => ({
    seats: view.seats.map((seat) => {
      const shown = data.hands.find((entry) => entry.seat === seat.no);
      return shown ? { ...seat, shown, cards: shown.cards } : seat;
    }),
  }),
  'pot.awarded': (view, data) => {
    const seats = view.seats.map((seat) => {
      const share = data.winners.find((winner) => winner.seat === seat.no)?.chips ?? 0;
      return share ? { ...seat, stack: seat.stack + share, won: seat.won + share } : seat;
    });
    const pots = view.pots.map((pot, no) => (no === data.pot_no ? { ...pot, chips: 0 } : pot));
    const award = { potNo: data.pot_no, chips: data.chips, winners: data.winners };
    return { ...withPot(view, seats, pots), awards: [...view.awards, award] };
  },
  'hand.ended': (view, data) => ({
    over: true,
    turn: null,
    legal: null,
    potTotal: 0,
    results: data.results,
    seats: view.seats.map((seat) => {
      const result = data.results.find((entry) => entry.seat === seat.no);
      return { ...seat, bet: 0, stack: result?.stack ?? seat.stack };
    }),
  }),
  'stack.topped_up': restack,
  'opponent.topped_up': restack,
  'opponent.rebought': restack,
  'match.started': () => ({}),
  'match.settled': () => ({}),
};

/** Heads-up only: the button is the small blind. Other tables get labels with the snapshot. */
function positionIn(data: Of<'hand.started'>, seat: Seat): string {
  if (data.stacks.length > 2) return seat.pos;
  return seat.no === data.button ? 'BTN/SB' : 'BB';
}

/** Whether this client knows what to show for an event; the server may add types. */
export function isKnown(event: { type: string }): event is TableEvent {
  return Object.hasOwn(handlers, event.type);
}

/** The view after one event; an event already seen, or of an unknown type, changes nothing. */
export function reduce(view: View, event: TableEvent): View {
  if (event.seq <= view.lastSeq || !isKnown(event)) return view;
  const handle = handlers[event.type] as (view: View, data: TableEvent['data']) => Partial<View>;
  const next = { ...view, ...handle(view, event.data), lastSeq: event.seq };
  return { ...next, log: [...next.log, event] };
}

/**
 * The view of a snapshot. Its log is folded first for what only events tell (who showed what,
 * which pot went where); then every number the snapshot states takes over.
 */
export function fromSnapshot(snapshot: Snapshot): View {
  const told = snapshot.log.reduce(reduce, blank(snapshot));
  const { hand } = snapshot;
  return {
    ...told,
    handId: hand.id,
    handNo: hand.no,
    street: hand.street,
    board: hand.board,
    pots: hand.over ? told.pots : hand.pots,
    potTotal: hand.pot_total,
    button: hand.button,
    over: hand.over,
    seats: snapshot.seats.map((seat) => {
      const { shown, won } = told.seats.find((other) => other.no === seat.no) ?? seated(seat);
      return { ...seat, shown, won };
    }),
    turn: snapshot.turn?.seat ?? null,
    legal: snapshot.legal,
    match: snapshot.match,
  };
}

/** Where to begin when the events of a whole new hand are about to be shown. */
export function beforeHand(snapshot: Opening): View {
  return blank(snapshot);
}
