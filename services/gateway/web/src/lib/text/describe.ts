/** The table in sentences: what the graphical one shows, from the same view. */
import { signed } from '../format';
import type { Money } from '../labels';
import { greyText, money, sizeLabel, turnAnnouncement } from '../labels';
import { names, potLabel, resultLine } from '../log';
import { m } from '../messages';
import type { SeatView, View } from '../reducer';
import type { BarState } from '../seat';
import type { Legal } from '../types';
import type { CommandName } from './en';
import { textWords } from './words';

const turned = (seat: SeatView): string[] => (seat.cards ?? []).filter((card) => card !== null);

/** Your cards, and what they are called with the board; `handName` may be empty. */
export function cardsLines(view: View, handName: string): string[] {
  const words = textWords();
  const own = view.seats.find((seat) => seat.you);
  const cards = own ? turned(own) : [];
  if (cards.length === 0) return [words.noCards];
  const named = handName ? [words.handName(m.handName(handName))] : [];
  return [words.yourCards(names(cards)), ...named];
}

export function boardLine(view: View): string {
  const words = textWords();
  const { board, street } = view;
  return board.length > 0 ? words.onBoard(m.log.street[street], names(board)) : words.emptyBoard;
}

export function potLines(view: View, how: Money): string[] {
  const words = textWords();
  const several = view.pots.filter((pot) => pot.chips > 0).length > 1;
  const parts = several
    ? view.pots.map((pot, no) => words.potOf(potLabel(no), money(pot.chips, how)))
    : [];
  return [words.pot(money(view.potTotal, how)), ...parts];
}

export function seatLine(seat: SeatView, how: Money): string {
  const words = textWords();
  const who = seat.you ? m.table.you : seat.name;
  const cards = seat.you ? [] : turned(seat);
  const more = [
    seat.bet > 0 ? words.hasBet(money(seat.bet, how)) : '',
    seat.folded ? words.folded : '',
    seat.all_in && !seat.folded ? words.allIn : '',
    cards.length > 0 ? words.shows(names(cards)) : '',
  ];
  const first = words.seat(who, seat.pos, money(seat.stack, how));
  return `${[first, ...more.filter(Boolean)].join('; ')}.`;
}

export const stackLines = (view: View, how: Money): string[] =>
  view.seats.map((seat) => seatLine(seat, how));

/** Result of the match, stack and total buy-in. */
export function matchLine({ match }: View, how: Money): string {
  const result = `${signed(match.result_bb)} BB`;
  const { stack, total_buy_in: bought } = match;
  return textWords().result(result, money(stack, how), money(bought, how));
}

export function sizeLines(legal: Legal | null, how: Money): string[] {
  const words = textWords();
  const presets = legal?.presets ?? [];
  if (presets.length === 0) return [words.noSizes];
  return presets.map((preset, at) => {
    const label = sizeLabel(preset.label);
    if (preset.enabled && preset.amount !== null)
      return words.size(at + 1, label, money(preset.amount, how));
    return words.greySize(at + 1, label, greyText(preset, legal?.raise ?? null, how));
  });
}

/** Whose turn it is, or how the hand ended, and what can be done. */
export function nowLines(view: View, bar: BarState, how: Money): string[] {
  const possible = possibleCommands(view, bar);
  const can = possible.length > 0 ? [textWords().youCan(possible.join(', '))] : [];
  return [...stateLines(view, bar, how), ...can];
}

function stateLines(view: View, bar: BarState, how: Money): string[] {
  const { legal, match } = view;
  if (bar === 'sending') return [m.bar.sending];
  if (bar === 'animating') return [m.bar.dealing];
  if (bar === 'your_turn' && legal) {
    const most = legal.raise ? [textWords().atMost(money(legal.raise.max_to, how))] : [];
    return [turnAnnouncement(legal, how), ...most];
  }
  if (bar === 'hand_over')
    return [resultLine(view, how), ...(match.state === 'busted' ? [m.bar.busted] : [])];
  const acting = view.seats.find((seat) => seat.no === view.turn);
  return [acting && !acting.you ? m.bar.thinking(acting.name) : m.bar.dealing];
}

/** Commands that do something now, as they are typed. */
export function possibleCommands(view: View, bar: BarState): string[] {
  const words = textWords();
  const { legal, match } = view;
  const word = (name: CommandName): string => words.commands[name][0] ?? '';
  const sized = (name: CommandName): string => `${word(name)} ${words.amount}`;
  if (bar === 'animating') return [word('skip')];
  if (bar === 'hand_over')
    return [
      ...(match.can_next_hand ? [word('next')] : []),
      ...(match.can_top_up ? [word('topUp')] : []),
      ...(match.can_settle ? [word('settle')] : []),
    ];
  if (bar !== 'your_turn' || !legal) return [];
  return [
    ...(legal.can_fold ? [word('fold')] : []),
    word(legal.can_check ? 'check' : 'call'),
    ...(legal.raise ? [sized(legal.raise.kind), word('allIn')] : []),
  ];
}

/** So many big blinds, written as this reader sees amounts: typed just so, it means that. */
export const example = (blinds: number, how: Money): string => money(blinds * how.bigBlind, how);

/** Each command as it is typed, and what it does. */
export function commandRows(how: Money): (readonly [string, string])[] {
  const words = textWords();
  const does = words.does(example(3, how), example(9, how));
  const behind: Partial<Record<CommandName, string>> = {
    bet: words.amount,
    raise: words.amount,
    size: words.number,
  };
  return (Object.keys(words.commands) as CommandName[]).map((name) => {
    const form = `${words.commands[name][0] ?? ''} ${behind[name] ?? ''}`.trim();
    return [form, does[name]] as const;
  });
}
