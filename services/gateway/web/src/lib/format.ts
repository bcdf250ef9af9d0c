/** Numbers as people read them, in the language that is spoken. */
import { m } from './messages';

export type Unit = 'chips' | 'bb';

type Style = 'whole' | 'blinds' | 'results';
const STYLES: Readonly<Record<Style, Intl.NumberFormatOptions>> = {
  whole: { maximumFractionDigits: 0 },
  blinds: { maximumFractionDigits: 2 },
  results: { minimumFractionDigits: 1, maximumFractionDigits: 4 },
};

const made = new Map<string, Intl.NumberFormat>();

function numbers(style: Style): Intl.NumberFormat {
  const key = `${m.locale} ${style}`;
  const known = made.get(key);
  if (known) return known;
  const fresh = new Intl.NumberFormat(m.locale, STYLES[style]);
  made.set(key, fresh);
  return fresh;
}

/** "9,700", or "97 BB" when big blinds are shown. */
export function chips(amount: number, unit: Unit = 'chips', bigBlind = 1): string {
  if (unit === 'bb') return `${numbers('blinds').format(amount / bigBlind)} BB`;
  return numbers('whole').format(amount);
}

/** What stands before the decimals: "." here, "," in German. */
export function decimalMark(): string {
  return numbers('results').format(0.5).charAt(1);
}

/** A number that the server wrote, such as "-1234.50": its decimals stay, the marks are ours. */
export function figure(text: string): string {
  return text.replace(/([0-9]+)(?:\.([0-9]+))?/, (_all, whole: string, decimals?: string) => {
    const grouped = whole.length > 3 ? numbers('whole').format(BigInt(whole)) : whole;
    return decimals === undefined ? grouped : grouped + decimalMark() + decimals;
  });
}

/** A share that the server wrote, such as "1.0": "1.0%" here, "1,0 %" in German. */
export const percent = (text: string): string => m.size.percent(figure(text));

/** A signed figure with a true minus sign; text from the server keeps its decimals. */
export function signed(value: string | number): string {
  return withSign(typeof value === 'number' ? numbers('blinds').format(value) : figure(value));
}

/** A result in chips: "+1,250". */
export function signedChips(amount: number): string {
  return withSign(chips(amount));
}

function withSign(text: string): string {
  if (/^[-−]/.test(text)) return text.replace(/^[-−]/, '−');
  return text.startsWith('+') || isZero(text) ? text : `+${text}`;
}

/** A result as the server writes one: signed, and in big blinds with at least one decimal. */
export function result(amount: number, unit: Unit, bigBlind: number): string {
  if (unit === 'chips') return signedChips(amount);
  return withSign(`${numbers('results').format(amount / bigBlind)} BB`);
}

export type Sign = 'up' | 'down' | 'even';

export function signOf(value: string | number): Sign {
  const text = String(value);
  if (isZero(text)) return 'even';
  return /^[-−]/.test(text) ? 'down' : 'up';
}

function isZero(text: string): boolean {
  return !/[1-9]/.test(text);
}

/** "23 h 12 m", "12 m", "45 s"; "0 s" when it has passed. */
export function duration(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor((left % 3600) / 60);
  if (hours > 0) return m.time.hours(hours, minutes);
  return minutes > 0 ? m.time.minutes(minutes) : m.time.seconds(left);
}

/** The moment, or "" when the server has none to tell (no time, or the zero of its clock). */
export function momentOrNothing(iso: string | null): string {
  return iso !== null && Date.parse(iso) > 0 ? moment(iso) : '';
}

/** "12 Nov 2026, 09:41" in the reader's own zone. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(m.dates, { dateStyle: 'medium', timeStyle: 'short' });
}

/** "12 Nov 2026" in the reader's own zone. */
export function day(iso: string): string {
  return new Date(iso).toLocaleDateString(m.dates, { dateStyle: 'medium' });
}
