/** What the table's refusals mean for who sits there. */
import type { Problem } from './api';
import { m } from './messages';

export type Gone = 'missing' | 'expired' | null;

export function refusalText(problem: Problem): string {
  if (['stale-turn', 'not-your-turn', 'hand-in-progress'].includes(problem.type)) {
    return m.bar.turnGone;
  }
  if (['illegal-action', 'not-eligible', 'match-busted'].includes(problem.type)) {
    return m.bar.refused;
  }
  return otherText(problem);
}

/** Only a refusal is sure to have changed nothing; a failure may have come after the change. */
export function otherText(problem: Problem): string {
  return problem.status < 500 ? m.problem.other : m.problem.unsure;
}

/** Why the table is no longer there; null when the server only could not show it. */
export function goneBy(problem: Problem): Gone {
  if (problem.type === 'match-expired') return 'expired';
  return problem.status < 500 ? 'missing' : null;
}
