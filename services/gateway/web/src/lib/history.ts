/** Which hands the history shows, as its address says it and as the server is asked. */
import type { HandQuery } from './api';

export const FILTERS = ['match', 'from', 'to', 'pos', 'min_pot', 'tag'] as const;
export type Filter = (typeof FILTERS)[number];
/** Empty text for what is not filtered. Days are written "2026-11-30". */
export type Filters = Readonly<Record<Filter, string>>;

const CHOICES: Readonly<Record<'pos' | 'tag', readonly string[]>> = {
  pos: ['BTN', 'BB'],
  tag: ['ai_decided', 'not_counted', 'bot_fallback'],
};
/** The most that the server takes. */
const POT_MAX = 1_000_000_000_000;

/** The filters that an address asks for; what cannot be meant is left out. */
export function parseFilters(query: string): Filters {
  const said = new URLSearchParams(query);
  const entries = FILTERS.map((name) => [name, usable(name, said.get(name)?.trim() ?? '')]);
  return Object.fromEntries(entries) as Filters;
}

function usable(name: Filter, value: string): string {
  switch (name) {
    case 'pos':
    case 'tag':
      return CHOICES[name].includes(value) ? value : '';
    case 'min_pot':
      return /^[0-9]+$/.test(value) && Number(value) <= POT_MAX ? value : '';
    case 'from':
    case 'to':
      return dayStart(value, 0) ? value : '';
    case 'match':
      return value.length <= 64 ? value : '';
  }
}

/** What stands behind "/history" for these filters. */
export function filterQuery(filters: Filters): string {
  const said = FILTERS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  const text = new URLSearchParams(said).toString();
  return text && `?${text}`;
}

export const isFiltered = (filters: Filters): boolean => FILTERS.some((name) => filters[name]);

/** The question to the server: days become moments of the reader's zone, the last day included. */
export function handQuery(filters: Filters): HandQuery {
  const { from, to, ...rest } = filters;
  const asked = {
    ...rest,
    from: dayStart(from, 0)?.toISOString() ?? '',
    to: dayStart(to, 1)?.toISOString() ?? '',
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value));
}

/** When a day, or one so many days later, begins; null when it is not a day. */
function dayStart(day: string, later: number): Date | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!parts) return null;
  const [year, month, date] = parts.slice(1).map(Number) as [number, number, number];
  const begun = new Date(year, month - 1, date);
  const real = begun.getMonth() === month - 1 && begun.getDate() === date;
  return real ? new Date(year, month - 1, date + later) : null;
}
