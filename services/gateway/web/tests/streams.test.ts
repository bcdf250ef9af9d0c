/** Streams as a gateway sent them: each step makes sense, and where they lead the server is too. */
import { describe, expect, it } from 'vitest';

import { Intake } from '../src/lib/follow';
import { resultLine } from '../src/lib/log';
import { fromSnapshot, isKnown, reduce } from '../src/lib/reducer';
import type { View } from '../src/lib/reducer';
import type { TableEvent } from '../src/lib/types';
import type { Recording } from './streams';
import { RECORDINGS, events, steps } from './streams';

const RESTACKED = ['stack.topped_up', 'opponent.topped_up', 'opponent.rebought'];

const chipsOf = (view: View): number =>
  view.seats.reduce((total, seat) => total + seat.stack + seat.bet, 0) +
  view.pots.reduce((total, pot) => total + pot.chips, 0);

/** Cards anywhere in what was said. */
const cardsIn = (said: unknown): string[] =>
  JSON.stringify(said).match(/(?<=")[2-9TJQKA][cdhs](?=")/g) ?? [];

const laid = (view: View): string[] => [
  ...view.board,
  ...view.seats.flatMap((seat) => (seat.cards ?? []).filter((card) => card !== null)),
];

const named = (name: string): Recording => {
  const found = RECORDINGS.find((one) => one.name === name);
  if (!found) throw new Error(`no recording ${name}`);
  return found;
};

/**
 * Everything that events can tell: the rest comes with snapshots alone. Chips that are bought
 * belong to no hand, so a snapshot's log, which is its hand's, does not have them.
 */
function told(view: View): Partial<View> {
  const { legal, match, version, lastSeq, log, ...rest } = view;
  void [legal, match, version, lastSeq];
  return { ...rest, log: log.filter(({ type }) => !RESTACKED.includes(type)) };
}

describe.each(RECORDINGS)('$name, step by step', (recording) => {
  const all = steps(recording);

  it('keeps every chip, and takes more only when somebody buys some', () => {
    all.slice(1).forEach(({ event, view }, at) => {
      const before = chipsOf(all[at]?.view ?? view);
      if (RESTACKED.includes(event?.type ?? '')) expect(chipsOf(view)).toBeGreaterThan(before);
      else expect([event?.seq, chipsOf(view)]).toEqual([event?.seq, before]);
      expect(view.seats.filter((seat) => seat.stack < 0 || seat.bet < 0)).toEqual([]);
    });
  });

  it('has in the middle what lies in pots and bets, until the hand is over', () => {
    for (const { view } of all.filter((step) => !step.view.over)) {
      const bets = view.seats.reduce((total, seat) => total + seat.bet, 0);
      expect(view.potTotal).toBe(bets + view.pots.reduce((total, pot) => total + pot.chips, 0));
    }
  });

  it('shows no card that was not sent, and none twice', () => {
    const sent = new Set<string>();
    for (const { event, view } of all) {
      for (const card of cardsIn(event?.data ?? view.log)) sent.add(card);
      const cards = laid(view);
      expect(cards.filter((card) => !sent.has(card))).toEqual([]);
      expect(new Set(cards).size).toBe(cards.length);
    }
  });

  it('gives the turn to somebody who can act, and to nobody once it is over', () => {
    for (const { view } of all) {
      const acting = view.seats.filter((seat) => seat.no === view.turn);
      expect(acting.filter((seat) => seat.folded || seat.all_in || view.over)).toEqual([]);
    }
  });

  it('numbers without a gap, and changes nothing when told again', () => {
    const seqs = events(recording).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => (seqs[0] ?? 0) + at));
    const last = all.at(-1)?.view;
    const known = events(recording).filter((event): event is TableEvent => isKnown(event));
    expect(last && known.reduce(reduce, last)).toBe(last);
  });

  it('leads to the table as the server shows it', () => {
    for (const { seq, snapshot } of recording.moments) {
      const upTo = events(recording).filter((event) => event.seq <= seq);
      if (!upTo.every(isKnown)) continue;
      const here = all.filter(({ view }) => view.lastSeq <= seq).at(-1);
      expect(here && told(here.view)).toEqual(told(fromSnapshot(snapshot)));
    }
  });

  it('asks the server for the table wherever events alone do not tell it', () => {
    const intake = new Intake();
    intake.take(events(recording));
    const { snapshot } = recording.moments.at(-1) ?? {};
    expect(intake.unsure).toBe(snapshot?.match.state === 'settled');
  });
});

describe('what was recorded', () => {
  const last = (name: string): View | undefined => steps(named(name)).at(-1)?.view;
  const how = { unit: 'chips', bigBlind: 100 } as const;
  const types = (name: string): string[] => events(named(name)).map(({ type }) => type);

  it('is a fold, which shows no cards of River', () => {
    const view = last('fold');
    expect(view && resultLine(view, how)).toBe('River wins 600 — uncalled 600 back to River');
    expect(view?.seats.find((seat) => !seat.you)?.cards).toEqual([null, null]);
  });

  it('is a pot that two hands share', () => {
    const view = last('split');
    expect(view?.awards[0]?.winners).toHaveLength(2);
    expect(view && resultLine(view, how)).toMatch(/^Split pot: 700 each way/);
  });

  it('is an all-in that turns the hands up before the last streets', () => {
    const order = types('run_out').filter((type) => /reveal|street|showdown|rebought/.test(type));
    expect(order.slice(-5)).toEqual([
      ...['all_in.reveal', 'street.dealt', 'street.dealt', 'showdown', 'opponent.rebought'],
    ]);
  });

  it('is a line that broke, and told what was missed from where it had been', () => {
    const { messages } = named('reconnect');
    const synced = messages.filter(({ op }) => op === 'synced');
    expect([synced.length, messages.filter(({ op }) => op === 'snap').length]).toEqual([2, 1]);
  });

  it('is a stack that is filled up between two hands', () => {
    expect(types('top_up')).toContain('stack.topped_up');
  });

  it('are hands that somebody left: called off, and finished for them', () => {
    expect(types('superseded').slice(-2)).toEqual(['hand.voided', 'match.settled']);
    expect(types('decided').slice(-1)).toEqual(['match.settled']);
    const decided = named('decided').moments.at(-1)?.snapshot;
    expect(decided && fromSnapshot(decided).seats.find((seat) => !seat.you)?.cards).not.toBeNull();
  });
});
