/** What the buttons and announcements say. Numbers are the server's, only formatted. */
import type { Unit } from './format';
import { chips, figure, percent } from './format';
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
 * Why a shortcut is grey: what the server says, in the reader's words. The one number it says is
 * the least full raise, which is known as a number too: only that is put into big blinds. A
 * reason that is not known here is shown as it comes.
 */
export function greyText(preset: Preset, raise: RaiseRange | null, how: Money): string {
  const reason = preset.reason ?? '';
  if (reason === 'no raise') return m.grey.noRaise;
  if (reason === 'more than your stack') return m.grey.overStack;
  const [, kind, least] = /^below the minimum (bet of|raise to) ([0-9,]+)$/.exec(reason) ?? [];
  if (!kind || !least) return reason;
  const known = Number(least.replaceAll(',', ''));
  const amount = raise?.full_min_to === known ? money(known, how) : chips(known);
  return kind === 'bet of' ? m.grey.belowBet(amount) : m.grey.belowRaise(amount);
}

/** What a bet size's button says: what the server calls it, in the reader's words. */
export function sizeLabel(label: string): string {
  const { size } = m;
  if (label === 'Min') return size.min;
  if (label === 'All-in') return size.allIn;
  if (label === 'Pot') return size.pot;
  const [, number = '', unit] = /^(.+?)( BB|%|x pot| pot)$/.exec(label) ?? [];
  switch (unit) {
    case ' BB':
      return `${figure(number)} BB`;
    case '%':
      return percent(number);
    case 'x pot':
      return size.times(number);
    case ' pot':
      return size.share(number);
    default:
      return label;
  }
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
