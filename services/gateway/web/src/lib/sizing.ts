/** Amounts between the server's bounds: clamping, steps, the drag grid, typed text. No rules. */
import type { Unit } from './format';
import { decimalMark } from './format';
import type { Money } from './labels';

export interface Range {
  min_to: number;
  max_to: number;
  /** Half a big blind. */
  step: number;
}

export function clamp(amount: number, range: Range): number {
  return Math.min(range.max_to, Math.max(range.min_to, Math.round(amount)));
}

/** `steps` half big blinds up (or down, when negative), stopping exactly at the ends. */
export function stepBy(amount: number, steps: number, range: Range): number {
  return clamp(amount + steps * range.step, range);
}

/** The nearest of: the multiples of the step, and both ends. What a drag can land on. */
export function snap(amount: number, range: Range): number {
  const onGrid = clamp(Math.round(amount / range.step) * range.step, range);
  const candidates = [onGrid, range.min_to, range.max_to];
  return candidates.reduce((best, candidate) =>
    Math.abs(candidate - amount) < Math.abs(best - amount) ? candidate : best,
  );
}

/** English marks: "1,140" or "1 140", perhaps with decimals: every group after the first has three digits. */
const GROUPED = /^[1-9][0-9]{0,2}(?:([,\s])[0-9]{3})(?:\1[0-9]{3})*(\.[0-9]+)?$/;
/** "1140", "7.5", or "7,5" as many phones and people write it. */
const PLAIN = /^[0-9]+(?:[.,][0-9]+)?$/;

/**
 * Typed text as chips, or null when it is no amount. A bare number is in the unit shown; "bb"
 * makes it big blinds. What could be read as two amounts is none: "7,500bb" is refused, because
 * somebody who meant 7.5 must not bet a thousand times as much. Where the language writes the
 * marks the other way round, so it is here.
 */
export function parseAmount(text: string, bigBlind: number, unit: Unit = 'chips'): number | null {
  const [, typed = '', suffix] = /^(.*?)\s*(bb)?$/is.exec(text.trim()) ?? [];
  const number = decimalMark() === ',' ? swapped(typed) : typed;
  const blinds = Boolean(suffix) || unit === 'bb';
  if (GROUPED.test(number)) {
    const ambiguous = blinds && /^[^,]*,[0-9]{3}$/.test(number);
    return ambiguous ? null : chipsOf(number.replaceAll(/[,\s]/g, ''), blinds, bigBlind);
  }
  return PLAIN.test(number) ? chipsOf(number.replace(',', '.'), blinds, bigBlind) : null;
}

/**
 * Whether a bare number that was taken for `amount` chips, read as the big blinds that are shown,
 * is more than there is, and not by rounding: whoever types 300 there means chips, and must not
 * bet everything.
 */
export function isBeyond(text: string, amount: number, how: Money, range: Range): boolean {
  const bare = how.unit === 'bb' && !/bb\s*$/i.test(text);
  return bare && amount >= range.max_to + how.bigBlind;
}

/** "1.140,5" as "1,140.5", and the other way round. */
function swapped(number: string): string {
  return number.replaceAll(/[.,]/g, (mark) => (mark === ',' ? '.' : ','));
}

function chipsOf(number: string, blinds: boolean, bigBlind: number): number | null {
  if (blinds) return Math.round(Number(number) * bigBlind);
  return number.includes('.') ? null : Number(number);
}

export const PAGE_STEPS = 10;

/** The amount a key means on a slider, or null when the key means nothing there. */
export function keyAmount(key: string, amount: number, range: Range): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return stepBy(amount, -1, range);
    case 'ArrowRight':
    case 'ArrowUp':
      return stepBy(amount, 1, range);
    case 'PageDown':
      return stepBy(amount, -PAGE_STEPS, range);
    case 'PageUp':
      return stepBy(amount, PAGE_STEPS, range);
    case 'Home':
      return range.min_to;
    case 'End':
      return range.max_to;
    default:
      return null;
  }
}
