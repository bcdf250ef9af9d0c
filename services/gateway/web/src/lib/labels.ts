/** What the buttons and announcements say. Numbers are the server's, only formatted. */
import type { Unit } from './format';
import { chips } from './format';
import { m } from './messages';
import type { Legal, Preset, RaiseRange } from './types';

/** How this reader wants amounts: chips, or big blinds of so many chips. */
export interface Money {
  unit: Unit;
  bigBlind: number;
}

export const money = (amount: number, how: Money): string => chips(amount, how.unit, how.bigBlind);

export function raiseLabel(range: RaiseRange, amount: number, how: Money): string {
  const text = money(amount, how);
  if (amount === range.max_to) return m.bar.allIn(text);
  return range.kind === 'bet' ? m.bar.bet(text) : m.bar.raiseTo(text);
}

export function passiveLabel(legal: Legal, how: Money): string {
  if (legal.can_check) return m.bar.check;
  const text = money(legal.to_call, how);
  return legal.call_all_in ? m.bar.callAllIn(text) : m.bar.call(text);
}

export function noRaiseText(reason: string | null): string {
  if (!reason) return '';
  return m.noRaise[reason] ?? reason.replaceAll('_', ' ');
}

/**
 * Why a shortcut is grey, in the server's words. The one number such words end with is the
 * least full raise, which is known as a number too: only that is put into big blinds.
 */
export function greyText(preset: Preset, raise: RaiseRange | null, how: Money): string {
  const reason = preset.reason ?? '';
  const least = raise ? ` ${chips(raise.full_min_to)}` : '';
  if (!raise || !reason.endsWith(least)) return reason;
  return `${reason.slice(0, -least.length)} ${money(raise.full_min_to, how)}`;
}

/** "Your turn. Call 300. Minimum raise to 600." */
export function turnAnnouncement(legal: Legal, how: Money): string {
  const say = m.announce;
  const call = money(legal.to_call, how);
  const passive = legal.can_check
    ? say.checkOr
    : legal.call_all_in
      ? say.callAllIn(call)
      : say.call(call);
  return [say.turn, passive, raiseAnnouncement(legal, how)].filter(Boolean).join(' ');
}

function raiseAnnouncement(legal: Legal, how: Money): string {
  const { raise } = legal;
  if (!raise) {
    const reason = noRaiseText(legal.no_raise_reason);
    return reason ? m.announce.noRaise(reason) : '';
  }
  const least = money(raise.min_to, how);
  if (raise.min_to === raise.max_to) return m.announce.onlyAllIn(least);
  return raise.kind === 'bet' ? m.announce.minBet(least) : m.announce.minRaise(least);
}
