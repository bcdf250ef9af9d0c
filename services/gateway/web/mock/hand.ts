/**
 * A stand-in table for working on the client's looks without the services. It keeps just enough
 * count of chips to tell a plausible story: River calls everything and bets every flop. The
 * rules of the game are the engine's; nothing here is used by the built client.
 */
import { beforeHand, reduce } from '../src/lib/reducer.ts';
import type { View } from '../src/lib/reducer.ts';
import type { EventType, Snapshot, Street, TableEvent } from '../src/lib/types.ts';
import { offer } from './offer.ts';

const BLIND = 100;
const AT = '2026-01-01T12:00:00Z';
const DEALS = [
  { you: ['As', 'Kh'], river: ['Kc', 'Jc'], board: ['Kd', '7h', '2c', '5s', '2d'], wins: 1 },
  { you: ['Jd', 'Jh'], river: ['Ac', 'Qs'], board: ['Td', '8d', '3s', 'Ah', '4c'], wins: 2 },
  { you: ['9s', '8s'], river: ['Qd', 'Qh'], board: ['Ts', '7c', '2s', '6h', 'Kd'], wins: 1 },
] as const;
const STREETS: readonly Street[] = ['preflop', 'flop', 'turn', 'river'];

type Data<T extends EventType> = Extract<TableEvent, { type: T }>['data'];

export class MockTable {
  private view: View;
  private seq = 0;
  private fresh: TableEvent[] = [];
  private token = 0;
  private boughtIn: number;
  private result = 0;
  private hands = 0;
  private topUps: { chips: number; at: string }[] = [];
  settled = false;

  constructor(buyIn: number) {
    this.boughtIn = buyIn;
    this.view = beforeHand(emptySnapshot(buyIn));
    this.deal(1);
  }

  take(): TableEvent[] {
    const events = this.fresh;
    this.fresh = [];
    return events;
  }

  act(body: { turn_token: string; type: string; to?: number }): boolean {
    if (body.turn_token !== `t${this.token}` || this.view.turn !== 1) return false;
    const you = this.seat(1);
    const river = this.seat(2);
    const to =
      body.to ?? (body.type === 'call' ? Math.min(river.bet, you.bet + you.stack) : you.bet);
    const added = to - you.bet;
    const type = body.type as Data<'action.taken'>['type'];
    const all_in = added > 0 && added === you.stack;
    this.say('action.taken', {
      seat: 1,
      type,
      to,
      added,
      all_in,
      auto: false,
    });
    if (type === 'fold') this.end(2);
    else if (to > river.bet) this.riverCalls(to);
    else if (type === 'call' || this.view.street !== 'preflop') this.close();
    return true;
  }

  nextHand(): void {
    const river = this.seat(2);
    if (river.stack < 10_000) {
      const type = river.stack === 0 ? 'opponent.rebought' : 'opponent.topped_up';
      this.say(type, { seat: 2, added: 10_000 - river.stack, stack: 10_000 });
    }
    this.deal(this.view.handNo + 1);
  }

  topUp(): number {
    const added = 10_000 - this.seat(1).stack;
    this.boughtIn += added;
    this.topUps.push({ chips: added, at: AT });
    this.say('stack.topped_up', { seat: 1, added, stack: 10_000 });
    return added;
  }

  summary(): unknown {
    return {
      match_id: 'm_1',
      hands: this.hands,
      net_chips: this.result,
      net_bb: (this.result / BLIND).toFixed(1),
      bb_per_100: ((this.result / BLIND / Math.max(1, this.hands)) * 100).toFixed(2),
      buy_in: 10_000,
      top_ups: { count: this.topUps.length, chips: this.boughtIn - 10_000 },
      final_stack: this.boughtIn + this.result,
      biggest_pot_won: 20_000,
      biggest_pot_lost: 650,
      ai_decided: 0,
      duration_seconds: 754,
      reason: 'settled',
    };
  }

  snapshot(): Snapshot {
    const { view } = this;
    const you = this.seat(1);
    const open = view.over && !this.settled;
    return {
      ...emptySnapshot(10_000),
      version: this.seq,
      hand: {
        id: view.handId,
        no: view.handNo,
        street: view.street,
        board: [...view.board],
        pots: [...view.pots],
        pot_total: view.potTotal,
        button: view.button,
        over: view.over,
        commit_root: null,
      },
      seats: view.seats.map(({ shown: _shown, won: _won, ...seat }) => seat),
      turn: view.turn === null ? null : { seat: view.turn },
      legal: view.turn === 1 ? offer(view, `t${this.token}`) : null,
      match: {
        id: 'm_1',
        state: this.settled
          ? 'settled'
          : !view.over
            ? 'in_hand'
            : you.stack > 0
              ? 'between_hands'
              : 'busted',
        stack: you.stack,
        total_buy_in: this.boughtIn,
        top_ups: this.topUps,
        result_chips: this.result,
        result_bb: `${this.result >= 0 ? '+' : ''}${(this.result / BLIND).toFixed(1)}`,
        hands: this.hands,
        kept_until: new Date(Date.now() + 83_520_000).toISOString(),
        can_next_hand: open && you.stack > 0,
        can_top_up: open && you.stack > 0 && you.stack < 10_000,
        top_up_to: 10_000,
        can_settle: open,
        next_commit_root: null,
      },
      log: [...view.log],
    };
  }

  private say<T extends EventType>(type: T, data: Data<T>): void {
    const event = { seq: (this.seq += 1), type, at: AT, data } as unknown as TableEvent;
    this.view = reduce(this.view, event);
    this.fresh.push(event);
  }

  private seat(no: number): View['seats'][number] {
    const seat = this.view.seats.find((other) => other.no === no);
    if (!seat) throw new Error(`no seat ${no}`);
    return seat;
  }

  private script(): (typeof DEALS)[number] {
    return DEALS[(this.view.handNo - 1) % DEALS.length] ?? DEALS[0];
  }

  private deal(no: number): void {
    const button = no % 2 === 1 ? 1 : 2;
    const stacks = [1, 2].map((seat) => ({ seat, chips: this.seat(seat).stack }));
    this.say('hand.started', {
      commit_root: null,
      hand_id: `h_${no}`,
      hand_no: no,
      button,
      small_blind_seat: button,
      big_blind_seat: 3 - button,
      stacks,
    });
    this.say('blinds.posted', {
      posts: [button, 3 - button].map((seat, at) => ({
        seat,
        chips: at ? 100 : 50,
        all_in: false,
      })),
    });
    this.say('cards.dealt', {
      hands: [
        { seat: 1, cards: this.script().you },
        { seat: 2, cards: [null, null] },
      ],
    });
    this.say('turn.started', { seat: button });
    if (button === 2) {
      this.say('action.taken', {
        seat: 2,
        type: 'raise',
        to: 250,
        added: 200,
        all_in: false,
        auto: false,
      });
      this.turn();
    }
  }

  private turn(): void {
    this.token += 1;
    this.say('turn.started', { seat: 1 });
  }

  private riverCalls(to: number): void {
    const river = this.seat(2);
    const added = Math.min(river.stack, to - river.bet);
    this.say('turn.started', { seat: 2 });
    this.say('action.taken', {
      seat: 2,
      type: 'call',
      to: river.bet + added,
      added,
      all_in: added === river.stack,
      auto: false,
    });
    const extra = to - this.seat(2).bet;
    if (extra > 0) this.say('bet.returned', { seat: 1, chips: extra });
    this.close();
  }

  /** The round is over: chips to the pot, then the next street, or the end. */
  private close(): void {
    this.say('pots.updated', { pots: [{ chips: this.view.potTotal, eligible: [1, 2] }] });
    const { you, river, board } = this.script();
    if (this.seat(1).stack === 0 || this.seat(2).stack === 0) {
      this.say('all_in.reveal', {
        hands: [
          { seat: 1, cards: you },
          { seat: 2, cards: river },
        ],
      });
      while (this.view.board.length < 5) this.street(board);
    }
    if (this.view.board.length === 5) return this.showdown();
    this.street(board);
    this.say('turn.started', { seat: 2 });
    const bets = this.view.street === 'flop';
    this.say('action.taken', {
      seat: 2,
      type: bets ? 'bet' : 'check',
      to: bets ? 300 : 0,
      added: bets ? 300 : 0,
      all_in: false,
      auto: false,
    });
    this.turn();
  }

  private street(board: readonly string[]): void {
    const had = this.view.board.length;
    const now = had === 0 ? 3 : had + 1;
    this.say('street.dealt', { street: STREETS[now - 2] ?? 'river', cards: board.slice(had, now) });
  }

  private showdown(): void {
    const { you, river, board, wins } = this.script();
    const five = (hole: readonly string[]): string[] => [...hole, ...board.slice(0, 3)];
    this.say('showdown', {
      hands: [
        {
          seat: 1,
          cards: you,
          category: 'two_pair',
          name: 'Two pair, kings and twos',
          best_five: five(you),
        },
        {
          seat: 2,
          cards: river,
          category: 'two_pair',
          name: 'Two pair, kings and twos',
          best_five: five(river),
        },
      ],
    });
    this.end(wins);
  }

  private end(winner: number): void {
    const put = this.view.match.stack;
    const pot = this.view.potTotal;
    if (this.view.seats.some((seat) => seat.bet > 0)) {
      this.say('pots.updated', { pots: [{ chips: pot, eligible: [winner] }] });
    }
    this.say('pot.awarded', { pot_no: 0, chips: pot, winners: [{ seat: winner, chips: pot }] });
    const started = this.view.log.find((event) => event.type === 'hand.started');
    const before = (no: number): number =>
      (started?.data as Data<'hand.started'>).stacks.find((one) => one.seat === no)?.chips ?? put;
    const results = [1, 2].map((no) => {
      const stack = this.seat(no).stack;
      const won = no === winner ? pot : 0;
      return { seat: no, put_in: before(no) + won - stack, won, net: stack - before(no), stack };
    });
    this.say('hand.ended', { results });
    this.result += results[0]?.net ?? 0;
    this.hands += 1;
  }
}

export function emptySnapshot(buyIn: number): Snapshot {
  const seat = {
    bet: 0,
    folded: false,
    all_in: false,
    cards: null,
    last_action: null,
  };
  return {
    version: 0,
    server_time: AT,
    table_id: 't_1',
    ruleset: { id: 'hu_river', small_blind: 50, big_blind: BLIND },
    hand: {
      id: 'h_1',
      no: 1,
      street: 'preflop',
      board: [],
      pots: [],
      pot_total: 0,
      button: 1,
      over: false,
      commit_root: null,
    },
    seats: [
      {
        ...seat,
        no: 1,
        name: 'Otter-41',
        kind: 'human',
        tag: 'guest',
        pos: 'BTN/SB',
        stack: buyIn,
        you: true,
      },
      {
        ...seat,
        no: 2,
        name: 'River',
        kind: 'computer',
        tag: 'computer',
        pos: 'BB',
        stack: 10_000,
        you: false,
      },
    ],
    turn: null,
    legal: null,
    match: {
      id: 'm_1',
      state: 'in_hand',
      stack: buyIn,
      total_buy_in: buyIn,
      top_ups: [],
      result_chips: 0,
      result_bb: '0.0',
      hands: 0,
      kept_until: AT,
      can_next_hand: false,
      can_top_up: false,
      top_up_to: 10_000,
      can_settle: false,
      next_commit_root: null,
    },
    log: [],
  };
}
