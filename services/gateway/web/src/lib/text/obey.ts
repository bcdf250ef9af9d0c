/**
 * Carries a typed command out, by the very commands that keys and buttons use.
 *
 * What is not possible now is refused with the reason, and never turned into something else: a
 * typed "check" is never a call, and an amount outside the server's bounds is never sent.
 */
import type { Command } from '../keys';
import { greyText, money, noRaiseText, sizeLabel } from '../labels';
import { logLines } from '../log';
import { parseAmount } from '../sizing';
import type { TableSession } from '../table.svelte';
import type { Legal, RaiseRange } from '../types';
import {
  boardLine,
  cardsLines,
  commandRows,
  example,
  matchLine,
  nowLines,
  potLines,
  sizeLines,
  stackLines,
} from './describe';
import type { CommandName, TextWords } from './en';
import { parseLine } from './parse';
import { textWords } from './words';

export interface TextPorts {
  table: TableSession;
  /** What keys and buttons do. */
  obey: (command: Command) => void;
  /** What one's own hand is called, in the server's words; '' when that is not known. */
  handName: () => string;
  rules: () => void;
  picture: () => void;
}

export interface Answer {
  /** Sentences; none when what happens is told elsewhere. */
  lines: readonly string[];
  /** Whether the command is still to be typed: it was not carried out. */
  keep: boolean;
}

const done: Answer = { lines: [], keep: false };
const say = (...lines: string[]): Answer => ({ lines, keep: false });
const refuse = (why: string): Answer => ({ lines: [why], keep: true });

export function answerTo(line: string, ports: TextPorts): Answer {
  const typed = parseLine(line);
  const words = textWords();
  if (!typed) return refuse(words.refusal.unknown(line.trim()));
  const told = information(typed.name, ports);
  if (told) return say(...told);
  if (typed.name === 'rules' || typed.name === 'picture') {
    ports[typed.name]();
    return done;
  }
  if (typed.name === 'history') {
    ports.obey({ do: 'history' });
    return done;
  }
  return command(typed.name, typed.rest, ports, words);
}

/** What commands tell that change nothing; null for the others. */
function information(name: CommandName, { table, handName }: TextPorts): string[] | null {
  const { view, money: how } = table;
  if (name === 'help') return commandRows(how).map(([form, does]) => `${form}: ${does}`);
  if (!view) return null;
  switch (name) {
    case 'turn':
      return nowLines(view, table.bar, how);
    case 'cards':
      return cardsLines(view, handName());
    case 'board':
      return [boardLine(view)];
    case 'pot':
      return potLines(view, how);
    case 'stack':
      return stackLines(view, how);
    case 'sizes':
      return sizeLines(view.legal, how);
    case 'result':
      return [matchLine(view, how)];
    case 'log':
      return logLines(view, how).map(({ spoken }) => `${spoken}.`);
    default:
      return null;
  }
}

function command(name: CommandName, rest: string, ports: TextPorts, words: TextWords): Answer {
  const { table, obey } = ports;
  const { refusal } = words;
  if (name === 'skip') {
    if (!table.animating) return refuse(refusal.nothingToSkip);
    obey({ do: 'skip' });
    return done;
  }
  if (table.sending) return refuse(refusal.sending);
  if (name === 'next' || name === 'topUp' || name === 'settle') return between(name, ports, words);
  const legal = table.view?.legal;
  if (table.bar !== 'your_turn' || !legal) return refuse(refusal.notYourTurn);
  if (name !== 'size' && table.guarded) return refuse(refusal.justNow);
  return act(name, rest, legal, ports, words);
}

function between(
  name: 'next' | 'topUp' | 'settle',
  { table, obey }: TextPorts,
  { refusal }: TextWords,
): Answer {
  if (table.bar !== 'hand_over' || !table.view) return refuse(refusal.notOver);
  const { match } = table.view;
  const [may, why, what] = {
    next: [match.can_next_hand, refusal.noNext, 'next_hand'] as const,
    topUp: [match.can_top_up, refusal.noTopUp, 'top_up'] as const,
    settle: [match.can_settle, refusal.noSettle, 'leave'] as const,
  }[name];
  if (!may) return refuse(why);
  if (table.guarded) return refuse(refusal.justNow);
  obey({ do: what });
  return done;
}

function act(
  name: CommandName,
  rest: string,
  legal: Legal,
  ports: TextPorts,
  words: TextWords,
): Answer {
  const { table, obey } = ports;
  const { refusal } = words;
  switch (name) {
    case 'fold':
      if (!legal.can_fold) return refuse(refusal.noFold);
      obey({ do: 'fold' });
      return done;
    case 'check':
      if (!legal.can_check) return refuse(refusal.noCheck(money(legal.to_call, table.money)));
      obey({ do: 'check_call' });
      return done;
    case 'call':
      if (legal.can_check) return refuse(refusal.noCall);
      obey({ do: 'check_call' });
      return done;
    case 'size':
      return size(rest, legal, ports, words);
    default:
      return raise(name, rest, legal, ports, words);
  }
}

/** Sets the amount to that of a bet size button; sends nothing. */
function size(rest: string, legal: Legal, { table, obey }: TextPorts, words: TextWords): Answer {
  const { presets } = legal;
  const preset = /^[0-9]+$/.test(rest) ? presets[Number(rest) - 1] : undefined;
  if (!preset) return refuse(words.refusal.noSize(presets.length));
  if (!preset.enabled) {
    const why = greyText(preset, legal.raise, table.money);
    return refuse(words.greySize(Number(rest), sizeLabel(preset.label), why));
  }
  obey({ do: 'shortcut', index: Number(rest) - 1 });
  return say(words.sizeSet(money(table.amount, table.money)));
}

function raise(
  name: CommandName,
  rest: string,
  legal: Legal,
  { table, obey }: TextPorts,
  { refusal }: TextWords,
): Answer {
  const how = table.money;
  const range = legal.raise;
  if (!range) {
    if (name === 'allIn' && legal.call_all_in) return refuse(refusal.callIsAllIn);
    return refuse(refusal.noRaise(noRaiseText(legal.no_raise_reason)));
  }
  if (name === 'allIn') obey({ do: 'all_in' });
  else if (rest !== '') {
    const amount = parseAmount(rest, how.bigBlind, how.unit);
    if (amount === null) return refuse(refusal.notAmount(rest, example(9, how)));
    if (!within(amount, range))
      return refuse(refusal.outside(money(range.min_to, how), money(range.max_to, how)));
    table.size(amount);
  }
  obey({ do: 'bet_raise' });
  return done;
}

const within = (amount: number, { min_to: least, max_to: most }: RaiseRange): boolean =>
  amount >= least && amount <= most;
