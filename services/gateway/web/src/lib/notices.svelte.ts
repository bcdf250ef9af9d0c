/** What happened to the player's matches without them: shown once, until it is put away. */
import { moment, signed } from './format';
import type { Notice } from './lines';
import type { Kept } from './messages';
import { m } from './messages';
import { paths } from './router.svelte';

export interface Remark {
  readonly text: Kept;
  /** Where to see more. */
  readonly link: { readonly href: string; readonly label: Kept } | null;
  /** The server's number, which is told when the remark was read. */
  readonly seq: number | null;
  /** What can be done about it. */
  readonly action: { readonly label: Kept; readonly run: () => void } | null;
  /** Something is badly wrong: it is shown before the others. */
  readonly urgent: boolean;
}

export const notices = $state<{ waiting: readonly Remark[] }>({ waiting: [] });

/** The lobby, several tables and every reconnection tell the same ones. */
const known = new Set<string>();

export function tell(news: readonly Notice[]): void {
  const fresh = news.filter((notice) => !notice.read && !known.has(nameOf(notice)));
  for (const notice of fresh) known.add(nameOf(notice));
  notices.waiting = [...notices.waiting, ...fresh.flatMap(remarkOn)];
}

/** Says something that only this page knows. */
export function remark(text: Kept, more: Partial<Remark> = {}): void {
  const one = { text, link: null, seq: null, action: null, urgent: false, ...more };
  notices.waiting = one.urgent ? [one, ...notices.waiting] : [...notices.waiting, one];
}

/** Another player follows in this browser: what is left is not theirs to read, or to put away. */
export function forgetNotices(): void {
  notices.waiting = notices.waiting.filter(({ seq, link }) => seq === null && link === null);
  known.clear();
}

/** Takes a remark away, here and on the server. */
export function putAway(one: Remark): void {
  notices.waiting = notices.waiting.filter((other) => other !== one);
  if (one.seq === null) return;
  // Without an answer it is shown once more at the next visit.
  void fetch(`/v1/me/notices/${one.seq}/read`, { method: 'POST', keepalive: true }).catch(
    () => undefined,
  );
}

const nameOf = ({ seq, at }: Notice): string => `${seq} ${at}`;

function remarkOn({ seq, type, data }: Notice): Remark[] {
  const text = (): string => textOf(type, data);
  const matchId = data['match_id'];
  const over = type !== 'match.expiring' && typeof matchId === 'string';
  const link = over ? { href: paths.summary(matchId), label: (): string => m.notice.see } : null;
  return text() ? [{ text, link, seq, action: null, urgent: false }] : [];
}

/** Empty for types that a newer server may have. */
function textOf(type: Notice['type'], data: Notice['data']): string {
  const bb = (name: string): string => `${signed(String(data[name]))} BB`;
  const expired = data['cause'] === 'expired';
  switch (type) {
    case 'hand.ai_decided':
      return m.notice.decided(Number(data['hand_no']), bb('net_bb'));
    case 'hand.voided':
      return m.notice.handVoided(Number(data['hand_no']));
    case 'match.settled':
      return (expired ? m.notice.expired : m.notice.left)(Number(data['hands']), bb('result_bb'));
    case 'match.voided':
      return expired ? m.notice.expiredVoid : m.notice.leftVoid;
    case 'match.expiring':
      return m.notice.expiring(moment(String(data['kept_until'])));
    default:
      return '';
  }
}
