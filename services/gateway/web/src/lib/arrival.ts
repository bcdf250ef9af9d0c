/** What one screen already knows when it opens the next: no second request, no lost animation. */
import type { Played, Summary } from './types';

const tables = new Map<string, Played>();
const summaries = new Map<string, Summary>();

function take<T>(from: Map<string, T>, id: string): T | null {
  const found = from.get(id) ?? null;
  from.delete(id);
  return found;
}

export const arrivals = {
  leaveTable: (id: string, played: Played) => tables.set(id, played),
  takeTable: (id: string) => take(tables, id),
  leaveSummary: (summary: Summary) => summaries.set(summary.match_id, summary),
  takeSummary: (id: string) => take(summaries, id),
};
