/** Numbers as people read them. */

export type Unit = 'chips' | 'bb';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const blinds = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const results = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 4,
});

/** "9,700", or "97 BB" when big blinds are shown. */
export function chips(amount: number, unit: Unit = 'chips', bigBlind = 1): string {
  return unit === 'bb' ? `${blinds.format(amount / bigBlind)} BB` : whole.format(amount);
}

/** A signed figure with a true minus sign; text from the server keeps its decimals. */
export function signed(value: string | number): string {
  const text = grouped(typeof value === 'number' ? blinds.format(value) : value);
  if (/^[-−]/.test(text)) return text.replace(/^[-−]/, '−');
  return text.startsWith('+') || isZero(text) ? text : `+${text}`;
}

/** "1234.50" as "1,234.50", like every other number here. */
function grouped(text: string): string {
  return text.replace(/^([+−-]?)([0-9]{4,})/, (_all, sign: string, digits: string) => {
    return sign + whole.format(BigInt(digits));
  });
}

/** A result as the server writes one: signed, and in big blinds with at least one decimal. */
export function result(amount: number, unit: Unit, bigBlind: number): string {
  return signed(unit === 'bb' ? `${results.format(amount / bigBlind)} BB` : whole.format(amount));
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
  if (hours > 0) return `${hours} h ${minutes} m`;
  return minutes > 0 ? `${minutes} m` : `${left} s`;
}

/** The moment, or "" when the server has none to tell (no time, or the zero of its clock). */
export function momentOrNothing(iso: string | null): string {
  return iso !== null && Date.parse(iso) > 0 ? moment(iso) : '';
}

/** "12 Nov 2026, 09:41" in the reader's own zone. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
