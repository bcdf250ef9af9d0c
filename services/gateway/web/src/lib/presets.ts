/** A person's own bet sizes while they are being arranged. What they come to is the server's. */
import { sizeLabel } from './labels';
import { m } from './messages';
import type { PresetKind, PresetWish } from './types';

export type Row = readonly PresetWish[];
export type ValuedKind = Exclude<PresetKind, 'min' | 'allin'>;
export type Refusal = 'limit' | 'last' | 'duplicate' | ValuedKind;

/** As the server keeps them: 1 to 10 buttons a row. */
export const ROW_MAX = 10;
export const KINDS: readonly PresetKind[] = ['bb', 'pot_percent', 'pot_fraction', 'min', 'allin'];

const DECIMAL = /^(0|[1-9][0-9]{0,2})(?:[.,]([0-9]{1,2}))?$/;
const FRACTION = /^([1-9][0-9]?)\s*\/\s*([1-9][0-9]?)$/;
const GLYPHS: Readonly<Record<string, string>> = {
  '1/2': '½',
  '1/3': '⅓',
  '2/3': '⅔',
  '1/4': '¼',
  '3/4': '¾',
  '1/5': '⅕',
  '2/5': '⅖',
  '3/5': '⅗',
  '4/5': '⅘',
  '1/6': '⅙',
  '5/6': '⅚',
  '1/7': '⅐',
  '1/8': '⅛',
  '3/8': '⅜',
  '5/8': '⅝',
  '7/8': '⅞',
  '1/9': '⅑',
  '1/10': '⅒',
};

export function hasValue(kind: PresetKind): kind is ValuedKind {
  return kind !== 'min' && kind !== 'allin';
}

/** What was typed as the one way to write it, so that 2.50 is 2.5 and 2/4 is 1/2. */
export function wishOf(kind: PresetKind, typed: string): PresetWish | Refusal {
  if (!hasValue(kind)) return { kind, value: null };
  const value = kind === 'pot_fraction' ? fraction(typed) : decimal(kind, typed);
  return value === null ? kind : { kind, value };
}

/** In hundredths, so that no step of it is a matter of floating point. */
function decimal(kind: ValuedKind, typed: string): string | null {
  const found = DECIMAL.exec(typed.trim().replace(/\s*(%|bb)$/i, ''));
  if (!found) return null;
  const hundredths = Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'));
  const fits =
    kind === 'bb'
      ? hundredths > 0 && hundredths <= 100_00 && hundredths % 50 === 0
      : hundredths >= 1_00 && hundredths <= 500_00;
  return fits ? String(hundredths / 100) : null;
}

function fraction(typed: string): string | null {
  const found = FRACTION.exec(typed.trim());
  if (!found) return null;
  const [over, under] = [Number(found[1]), Number(found[2])];
  if (under > 12 || over > 5 * under) return null;
  const common = divisor(over, under);
  return `${over / common}/${under / common}`;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** What the button says. */
export const labelOf = (wish: PresetWish): string => sizeLabel(serverLabel(wish));

/** The same in the server's way of writing it. */
function serverLabel({ kind, value }: PresetWish): string {
  switch (kind) {
    case 'min':
      return 'Min';
    case 'allin':
      return 'All-in';
    case 'bb':
      return `${value} BB`;
    case 'pot_percent':
      return `${value}%`;
    case 'pot_fraction':
      return fractionLabel(value ?? '');
    default:
      // A newer server's.
      return [kind as string, value].filter(Boolean).join(' ');
  }
}

function fractionLabel(value: string): string {
  const [over = 1, under = 1] = value.split('/').map(Number);
  if (under === 1) return over === 1 ? 'Pot' : `${over}x pot`;
  const glyph = GLYPHS[`${over % under}/${under}`];
  return glyph ? `${Math.floor(over / under) || ''}${glyph} pot` : `${value} pot`;
}

export const keyOf = ({ kind, value }: PresetWish): string => `${kind} ${value}`;

export function refusalText(why: Refusal): string {
  return why === 'limit' ? m.customise.refusal.limit(ROW_MAX) : m.customise.refusal[why];
}

/** The row with one more, or why not. */
export function added(row: Row, kind: PresetKind, typed: string): Row | Refusal {
  if (row.length >= ROW_MAX) return 'limit';
  const wish = wishOf(kind, typed);
  if (typeof wish === 'string') return wish;
  return row.some((other) => keyOf(other) === keyOf(wish)) ? 'duplicate' : [...row, wish];
}

export function removed(row: Row, index: number): Row | Refusal {
  return row.length > 1 ? row.filter((_wish, place) => place !== index) : 'last';
}

/** The row with one of its buttons a place further up (-1) or down (1); the same row at its ends. */
export function moved(row: Row, index: number, by: -1 | 1): Row {
  const [wish, other] = [row[index], row[index + by]];
  if (!wish || !other) return row;
  return row.map((one, place) => (place === index ? other : place === index + by ? wish : one));
}

export function sameRow(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((wish, place) => keyOf(wish) === keyOf(b[place] ?? wish));
}
