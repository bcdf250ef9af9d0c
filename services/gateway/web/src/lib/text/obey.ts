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
  /** Sentences, in the language spoken when they are shown; none when others tell what happens. */
  lines: () => readonly string[];
  /** Whether the command is still to be typed: it was not carried out. */
  keep: boolean;
}

type Why = (refusal: TextWords['refusal']) => string;

const done: Answer = { lines: () => [], keep: false };
const refuse = (why: Why): Answer => ({ lines: () => [why(textWords().refusal)], keep: true });

export function answerTo(line: string, ports: TextPorts): Answer {
  const typed = parseLine(line);
  if (!typed) return refuse((no) => no.unknown(line.trim()));
  const lines = information(typed.name, ports);
  if (lines) return { lines, keep: false };
  if (typed.name === 'rules' || typed.name === 'picture') {
    ports[typed.name]();
    return done;
  }
  if (typed.name === 'history') {
    ports.obey({ do: 'history' });
    return done;
  }
  return command(typed.name, typed.rest, ports);
}

/** What commands tell that change nothing, as the table stands now; null for the others. */
function information(name: CommandName, { table, handName }: TextPorts): Answer['lines'] | null {
  const { view, bar, money: how } = table;
  if (name === 'help') return () => commandRows(how).map(([form, does]) => `${form}: ${does}`);
  if (!view) return null;
  const hand = handName();
  switch (name) {
    case 'turn':
      return () => nowLines(view, bar, how);
    case 'cards':
      return () => cardsLines(view, hand);
    case 'board':
      return () => [boardLine(view)];
    case 'pot':
      return () => potLines(view, how);
    case 'stack':
      return () => stackLines(view, how);
    case 'sizes':
      return () => sizeLines(view.legal, how);
    case 'result':
      return () => [matchLine(view, how)];
    case 'log':
      return () => logLines(view, how).map(({ spoken }) => `${spoken}.`);
    default:
      return null;
  }
}

function command(name: CommandName, rest: string, ports: TextPorts): Answer {
  const { table, obey } = ports;
  if (name === 'skip') {
    if (!table.animating) return refuse((no) => no.nothingToSkip);
    obey({ do: 'skip' });
    return done;
  }
  if (table.sending) return refuse((no) => no.sending);
  if (name === 'next' || name === 'topUp' || name === 'settle') return between(name, ports);
  const legal = table.view?.legal;
  if (table.bar !== 'your_turn' || !legal) return refuse((no) => no.notYourTurn);
  if (name !== 'size' && table.guarded) return refuse((no) => no.justNow);
  return act(name, rest, legal, ports);
}

function between(name: 'next' | 'topUp' | 'settle', { table, obey }: TextPorts): Answer {
  if (table.bar !== 'hand_over' || !table.view) return refuse((no) => no.notOver);
  const { match } = table.view;
  const [may, why, what] = {
    next: [match.can_next_hand, 'noNext', 'next_hand'] as const,
    topUp: [match.can_top_up, 'noTopUp', 'top_up'] as const,
    settle: [match.can_settle, 'noSettle', 'leave'] as const,
  }[name];
  if (!may) return refuse((no) => no[why]);
  if (table.guarded) return refuse((no) => no.justNow);
  obey({ do: what });
  return done;
}

function act(name: CommandName, rest: string, legal: Legal, ports: TextPorts): Answer {
  const { obey } = ports;
  const how = ports.table.money;
  switch (name) {
    case 'fold':
      if (!legal.can_fold) return refuse((no) => no.noFold);
      obey({ do: 'fold' });
      return done;
    case 'check':
      if (!legal.can_check) return refuse((no) => no.noCheck(money(legal.to_call, how)));
      obey({ do: 'check_call' });
      return done;
    case 'call':
      if (legal.can_check) return refuse((no) => no.noCall);
      obey({ do: 'check_call' });
      return done;
    case 'size':
      return size(rest, legal, ports);
    default:
      return raise(name, rest, legal, ports);
  }
}

/** Sets the amount to that of a bet size button; sends nothing. */
function size(rest: string, legal: Legal, { table, obey }: TextPorts): Answer {
  const { presets, raise: range } = legal;
  const how = table.money;
  const preset = /^[0-9]+$/.test(rest) ? presets[Number(rest) - 1] : undefined;
  if (!preset) return refuse((no) => no.noSize(presets.length));
  if (!preset.enabled) {
    const why = (): string => greyText(preset, range, how);
    return refuse(() => textWords().greySize(Number(rest), sizeLabel(preset.label), why()));
  }
  obey({ do: 'shortcut', index: Number(rest) - 1 });
  const { amount } = table;
  return { lines: () => [textWords().sizeSet(money(amount, how))], keep: false };
}

function raise(name: CommandName, rest: string, legal: Legal, { table, obey }: TextPorts): Answer {
  const how = table.money;
  const range = legal.raise;
  if (!range) {
    if (name === 'allIn' && legal.call_all_in) return refuse((no) => no.callIsAllIn);
    return refuse((no) => no.noRaise(noRaiseText(legal.no_raise_reason)));
  }
  if (name === 'allIn') obey({ do: 'all_in' });
  else if (rest !== '') {
    const amount = parseAmount(rest, how.bigBlind, how.unit);
    if (amount === null) return refuse((no) => no.notAmount(rest, example(9, how)));
    if (!within(amount, range))
      return refuse((no) => no.outside(money(range.min_to, how), money(range.max_to, how)));
    table.size(amount);
  }
  obey({ do: 'bet_raise' });
  return done;
}

const within = (amount: number, { min_to: least, max_to: most }: RaiseRange): boolean =>
  amount >= least && amount <= most;
