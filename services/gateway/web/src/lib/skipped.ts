/** What is read out when the rest of a hand is shown at once. */
import type { Money } from './labels';
import { turnAnnouncement } from './labels';
import { logLines, resultLine } from './log';
import type { View } from './reducer';

/** The last of what was skipped is enough: the log has all of it. */
const LINES = 4;

/** The result of a hand that is over; else the newest events after number `from`, and the turn. */
export function skippedText(view: View, from: number, how: Money): string {
  if (view.over) return resultLine(view, how);
  const lines = logLines(view, how).filter(({ seq }) => seq >= from + 1);
  const said = lines.slice(-LINES).map(({ spoken }) => `${spoken}.`);
  return [...said, view.legal ? turnAnnouncement(view.legal, how) : ''].join(' ').trim();
}
