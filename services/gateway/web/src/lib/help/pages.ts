/** Which lines a table's rules page has: decided by its ruleset, once for all languages. */
import { chips } from '../format';
import type { Card } from '../types';
import type { HelpWords } from './en';
import type { RankingName } from './en-game';
import type { OptionName } from './en-house';
import type { Facts, Options } from './facts';

type Rows = readonly (readonly [string, string])[];
export interface OptionRow {
  name: string;
  value: string;
  about: string;
  /** More to read, on demand; may be empty. */
  more: string;
}

export type Block =
  | { kind: 'text'; text: string; dim?: boolean }
  | { kind: 'steps' | 'points'; items: readonly string[] }
  | { kind: 'table'; head: readonly [string, string]; rows: Rows }
  | { kind: 'terms' | 'questions'; rows: Rows }
  | { kind: 'hands'; rows: readonly { name: string; text: string; cards: readonly Card[] }[] }
  | { kind: 'options'; head: readonly [string, string, string]; rows: readonly OptionRow[] };

export interface Section {
  id: string;
  title: string;
  blocks: readonly Block[];
}

export interface Part {
  id: string;
  title: string;
  intro: string;
  sections: readonly Section[];
}

const EXAMPLES: Readonly<Record<RankingName, readonly Card[]>> = {
  straightFlush: ['9h', '8h', '7h', '6h', '5h'],
  quads: ['Qs', 'Qh', 'Qd', 'Qc', '7d'],
  fullHouse: ['Ts', 'Th', 'Td', '4c', '4s'],
  flush: ['Ad', 'Jd', '8d', '6d', '2d'],
  straight: ['8c', '7d', '6s', '5h', '4c'],
  trips: ['6s', '6h', '6c', 'Kd', '9s'],
  twoPair: ['Ks', 'Kh', '5c', '5d', 'Js'],
  pair: ['9s', '9d', 'Ac', '7h', '3s'],
  highCard: ['As', 'Qd', '8h', '5c', '2s'],
};

const text = (line: string): Block => ({ kind: 'text', text: line });
const points = (...items: string[]): Block => ({ kind: 'points', items: items.filter(Boolean) });
const only = <T>(when: boolean, thing: T): T[] => (when ? [thing] : []);

export function rankings({ game }: HelpWords): Section {
  const names = Object.keys(EXAMPLES) as RankingName[];
  const rows = names.map((one) => {
    const [name, what] = game.rankings.hands[one];
    return { name, text: what, cards: EXAMPLES[one] };
  });
  return {
    id: 'rankings',
    title: game.sections.rankings,
    blocks: [text(game.rankings.hint), { kind: 'hands', rows }, points(...game.rankings.notes)],
  };
}

/** The rules of the game, as far as this table plays it. */
export function gamePart(words: HelpWords, options: Options, f: Facts): Part {
  const { game } = words;
  const section = (id: keyof typeof game.sections, ...blocks: Block[]): Section => ({
    id,
    title: game.sections[id],
    blocks,
  });
  const { goal, cards, limit, headsUp, seats } = game.nutshell;
  return {
    id: 'game',
    title: game.title,
    intro: '',
    sections: [
      section('nutshell', points(goal, cards, limit, f.headsUp ? headsUp : seats(f))),
      section('hand', { kind: 'steps', items: handSteps(words, options, f) }),
      section('actions', {
        kind: 'table',
        head: [game.actions.action, game.actions.when],
        rows: actionRows(words, options),
      }),
      section(
        'sizes',
        points(
          game.sizes.least(f),
          game.sizes.raise,
          game.sizes.allIn,
          game.sizes.most,
          game.sizes.never,
        ),
      ),
      section('positions', { kind: 'terms', rows: positionRows(words, f) }),
      section('special', points(...specials(words, options, f))),
      rankings(words),
      section('scoring', points(game.scoring.hand(f), game.scoring.buyIns, game.scoring.zero)),
      section('examples', { kind: 'terms', rows: examples(words, options, f) }),
    ],
  };
}

function handSteps({ game: { hand } }: HelpWords, options: Options, f: Facts): string[] {
  return [
    hand.button(f),
    hand.blinds(f) + (f.ante === null ? '' : ` ${hand.ante(f.ante)}`),
    hand.deal,
    hand.preflop(f),
    hand.board + (options.burn_cards ? ` ${hand.burn}` : ''),
    hand.postflop(f),
    hand.roundEnds,
    hand.showdown[options.showdown],
    hand.allFold,
  ];
}

function actionRows({ game: { actions } }: HelpWords, options: Options): Rows {
  const [fold, giveUp] = actions.rows.fold;
  const free =
    options.fold_when_check_available === 'allow' ? actions.freeFold : actions.noFreeFold;
  const { check, call, bet, raise, allIn } = actions.rows;
  return [check, call, bet, raise, [fold, `${giveUp} ${free}`], allIn];
}

/** From how many players on each name is used (SPEC ENG-023). */
const NAMED_FROM = { BTN: 2, SB: 3, BB: 2, UTG: 4, 'UTG+1': 8, 'UTG+2': 9, LJ: 7, HJ: 6, CO: 5 };

function positionRows({ game: { positions } }: HelpWords, f: Facts): Rows {
  if (f.headsUp) return positions.headsUp;
  const names = Object.keys(NAMED_FROM) as (keyof typeof NAMED_FROM)[];
  return names
    .filter((name) => NAMED_FROM[name] <= f.seats.max)
    .map((name) => {
      const from = NAMED_FROM[name];
      const note = from > Math.max(3, f.seats.min) ? ` (${positions.from(from)})` : '';
      return [name, positions.ring[name] + note];
    });
}

function specials({ game: { special } }: HelpWords, options: Options, f: Facts): string[] {
  const rule = options.reopen_rule === 'single' ? 'single' : 'cumulative';
  return [
    special.option(f),
    special.shortAllIn[f.headsUp ? 'headsUp' : rule],
    special.shortBlind(f),
    special.uncalled,
    special.runOut,
    ...only(!f.headsUp, special.sidePots),
    special.split(f),
  ];
}

function examples({ game: { examples: ex } }: HelpWords, options: Options, f: Facts): Rows {
  const rule = options.reopen_rule === 'single' ? 'single' : 'cumulative';
  const line = ({ title, text: say }: { title: string; text: (f: Facts) => string }) =>
    [title, say(f)] as const;
  return [
    line(ex.minRaise),
    line(ex.total),
    line(ex.share),
    line(ex.uncalled),
    ...only(!f.headsUp, [ex.short.title, ex.short[rule](f)] as const),
    ...only(!f.headsUp, line(ex.sidePot)),
    [ex.kicker.title, ex.kicker.text] as const,
    ...(f.example ? [[ex.result.title, ex.result.text(f.example)] as const] : []),
  ];
}

/** What belongs to this site and not to the game. */
export function housePart(words: HelpWords, options: Options, f: Facts): Part {
  const { house } = words;
  const section = (id: keyof typeof house.sections, ...blocks: Block[]): Section => ({
    id,
    title: house.sections[id],
    blocks,
  });
  const river = options.counts_for === 'river_board';
  const { name, value, about } = house.options;
  return {
    id: 'house',
    title: house.title,
    intro: house.intro,
    sections: [
      section('options', {
        kind: 'options',
        head: [name, value, about],
        rows: optionRows(words, options, f),
      }),
      ...conventions(words, options).map((blocks) => section('conventions', ...blocks)),
      ...only(f.floor !== null, section('river', points(...riverLines(words, f)))),
      ...only(f.buyIn !== null, section('match', points(...matchLines(words, options, f)))),
      ...only(
        options.counts_for === 'party_rating',
        section('party', points(...partyLines(words, options, f))),
      ),
      ...only(options.counts_for === 'none', section('practice', points(house.practice.free))),
      section('leaving', ...leaving(words, river, f)),
      ...only(river, section('board', points(...boardLines(words, f)))),
      section('bar', ...bar(words, f)),
      section('faq', { kind: 'questions', rows: questions(words, options, f) }),
    ],
  };
}

function conventions({ house }: HelpWords, options: Options): Block[][] {
  const lines = [
    ...only(options.fold_when_check_available === 'forbid', house.conventions.fold),
    ...only(options.raise_when_none_can_call === 'forbid', house.conventions.raise),
  ];
  return only(lines.length > 0, [points(...lines), text(house.conventions.note)]);
}

const riverLines = ({ house: { river } }: HelpWords, f: Facts): string[] => [
  river.who,
  river.start(f),
  river.bust(f),
];

function matchLines({ house: { match } }: HelpWords, options: Options, f: Facts): string[] {
  return [
    match.buyIn(f),
    match.length,
    match.next,
    ...only(options.top_up === 'manual_to_max', match.topUp(f)),
    match.winnings(f),
    ...only(options.bust === 'end_match', match.bust),
    match.one,
  ];
}

function partyLines({ house: { party } }: HelpWords, options: Options, f: Facts): string[] {
  return [party.rules, ...only(options.hand_limit > 0, party.end(f)), party.gone];
}

const boardLines = ({ house: { board } }: HelpWords, f: Facts): string[] => [
  board.average,
  board.rank(f.ranked),
  board.counts,
  board.ties,
];

function leaving({ house }: HelpWords, river: boolean, f: Facts): Block[] {
  const { kept, otherwise, where, then, rows } = house.leaving;
  if (!river) return [text(house.party.gone)];
  return [text(kept(f)), text(otherwise), { kind: 'table', head: [where, then], rows }];
}

function bar({ house: { bar: b } }: HelpWords, f: Facts): Block[] {
  return [
    points(b.server, b.total(f), b.sizes),
    {
      kind: 'table',
      head: [b.size, b.amount],
      rows: [b.rows.min, b.rows.bb, b.rows.share, b.rows.allIn],
    },
    points(b.grey, b.yours(f), b.slider(f), b.shown, b.corner),
  ];
}

function questions({ house: { faq } }: HelpWords, options: Options, f: Facts): Rows {
  const { gone, cards, noRaise, account, money } = faq.rows;
  const won = chips((options.blinds.big * 25) / 2);
  return [
    gone,
    cards,
    noRaise,
    [faq.bigBlinds.question, faq.bigBlinds.answer(won, f)],
    account,
    money,
  ];
}

/** The ruleset itself, each option a row. */
export function optionRows({ house }: HelpWords, options: Options, f: Facts): OptionRow[] {
  const o = house.options;
  const allowed = (value: 'allow' | 'forbid', yes: string): string =>
    value === 'allow' ? yes : o.forbidden;
  const values: Record<OptionName, string> = {
    seats: o.seats(options.seats.min, options.seats.max),
    blinds: o.blinds(f),
    ante: f.ante ?? o.none,
    start: f.buyIn ? o.buyIn(f.buyIn) : o.equal(f.equal ?? ''),
    topUp: o.topUp[options.top_up](f),
    bust: o.bust[options.bust],
    blindsUp: options.blinds_up_every > 0 ? o.every(f.blindsUpEvery) : o.never,
    handLimit: options.hand_limit > 0 ? o.hands(f.handLimit) : o.never,
    turn: options.turn_seconds > 0 ? o.seconds(f.turnSeconds) : o.unlimited,
    fold: allowed(options.fold_when_check_available, o.allowed),
    raise: allowed(options.raise_when_none_can_call, o.offered),
    reopen: o.reopen[options.reopen_rule] ?? options.reopen_rule,
    burn: options.burn_cards ? o.yes : o.no,
    button: o.button[options.button_rule],
    showdown: o.showdown[options.showdown],
    hold: o.hours(f.hours),
    counts: o.counts[options.counts_for],
  };
  const names = (Object.keys(values) as OptionName[]).filter(
    (name) => !f.headsUp || (name !== 'reopen' && name !== 'button'),
  );
  return names.map((one) => {
    const [name, about, more] = o.rows[one];
    return { name, value: values[one], about, more };
  });
}
