/** Events as sentences: the hand log, and the one-line result of a hand. */
import { cardName, cardSign } from './cards';
import type { Money } from './labels';
import { money } from './labels';
import { m } from './messages';
import type { Verbs } from './messages/en-table';
import type { SeatView, View } from './reducer';
import type { TableEvent } from './types';

export interface LogLine {
  seq: number;
  text: string;
  /** The same for people who hear it: with names of cards instead of signs. */
  spoken: string;
  /** A new street or hand: shown as a small heading. */
  heading: boolean;
}

interface Speaker {
  who: string;
  you: boolean;
}

function speaker(view: View, no: number): Speaker {
  const seat = view.seats.find((other) => other.no === no);
  if (seat?.you) return { who: m.table.you, you: true };
  return { who: seat?.name ?? `#${no}`, you: false };
}

type Action = Extract<TableEvent, { type: 'action.taken' }>['data'];
type Done = Pick<Action, 'type' | 'added' | 'all_in'> & { to: number | null };

/** The words on a seat for what it did last: "Raise to 300", "Call 200, all-in". */
export function actionText(action: Done, seat: { you: boolean }, how: Money): string {
  return withAmount(m.did, action, seat, how);
}

function withAmount(words: Verbs, action: Done, { you }: { you: boolean }, how: Money): string {
  const verb = words[action.type][you ? 0 : 1];
  const amount = action.type === 'call' ? action.added : action.to;
  const sized = action.type !== 'fold' && action.type !== 'check' && amount !== null;
  const text = sized ? `${verb} ${money(amount, how)}` : verb;
  return action.all_in ? `${text}, ${m.log.allIn}` : text;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type CardWords = (cards: readonly string[]) => string;
const signs: CardWords = (cards) => cards.map(cardSign).join(' ');
export const names: CardWords = (cards) => cards.map(cardName).join(', ');

/** What the log says for an event: nothing, one line, or several (a showdown). */
function sentences(event: TableEvent, view: View, how: Money, said: CardWords): string[] {
  const by = (no: number): Speaker => speaker(view, no);
  switch (event.type) {
    case 'hand.started':
      return [m.log.hand(event.data.hand_no)];
    case 'blinds.posted':
      return event.data.posts.map((post, index) => {
        const { who, you } = by(post.seat);
        const blind = index === 0 ? m.log.small : m.log.big;
        return m.log.posts(who, you, money(post.chips, how), blind);
      });
    case 'cards.dealt':
      return event.data.hands.flatMap(({ seat, cards }) =>
        by(seat).you && cards?.[0] ? [m.log.dealt(said(cards as readonly string[]))] : [],
      );
    case 'action.taken': {
      const acting = by(event.data.seat);
      return [`${acting.who} ${withAmount(m.log.verb, event.data, acting, how)}`];
    }
    case 'street.dealt':
      return [`${m.log.street[event.data.street]}: ${said(event.data.cards)}`];
    case 'bet.returned': {
      const { who, you } = by(event.data.seat);
      return [m.log.returned(who, you, money(event.data.chips, how))];
    }
    case 'all_in.reveal':
      return event.data.hands.map(({ seat, cards }) => {
        const { who, you } = by(seat);
        return m.log.shows(who, you, said(cards));
      });
    case 'showdown':
      return event.data.hands.map(({ seat, cards, name }) => {
        return m.log.has(by(seat).who, m.handName(name), said(cards));
      });
    case 'pot.awarded': {
      const pot = view.pots.length > 1 ? m.log.fromPot(potLabel(event.data.pot_no)) : '';
      return event.data.winners.map(({ seat, chips }) => {
        const { who, you } = by(seat);
        return m.log.wins(who, you, money(chips, how), pot);
      });
    }
    case 'stack.topped_up':
    case 'opponent.topped_up':
      return [m.log.toppedUp(by(event.data.seat).who, money(event.data.stack, how))];
    case 'opponent.rebought':
      return [m.log.rebought(by(event.data.seat).who, money(event.data.stack, how))];
    default:
      return [];
  }
}

export function potLabel(potNo: number): string {
  return potNo === 0 ? m.table.mainPot : m.table.sidePot(potNo);
}

export function logLines(view: View, how: Money): LogLine[] {
  return view.log.flatMap((event) => {
    const spoken = sentences(event, view, how, names);
    return sentences(event, view, how, signs).map((text, index) => ({
      seq: event.seq + index / 100,
      text,
      spoken: spoken[index] ?? text,
      heading: event.type === 'street.dealt' || event.type === 'hand.started',
    }));
  });
}

/** "You win 1,200 with a flush — uncalled 600 returned". Empty while the hand goes on. */
export function resultLine(view: View, how: Money): string {
  if (!view.over || view.awards.length === 0) return '';
  const winners = view.seats.filter((seat) => seat.won > 0);
  const parts = [winnersText(winners, view.seats, how)];
  for (const { seat, chips } of view.returned) {
    const { who, you } = speaker(view, seat);
    const amount = money(chips, how);
    parts.push(you ? m.result.returnedToYou(amount) : m.result.returnedTo(who, amount));
  }
  return parts.join(' — ');
}

function winnersText(winners: readonly SeatView[], seats: readonly SeatView[], how: Money): string {
  const [first, ...others] = winners;
  if (!first) return '';
  if (others.length > 0) {
    const mine = winners.find((seat) => seat.you) ?? first;
    const even = winners.every((seat) => seat.won === first.won);
    const share = money(mine.won, how);
    return even ? m.result.split(share) : m.result.splitShares(share);
  }
  const amount = money(first.won, how);
  const text = first.you ? m.result.youWin(amount) : m.result.theyWin(first.name, amount);
  if (!first.shown) return text;
  const hand = `${text} ${m.result.with(m.handName(first.shown.name))}`;
  return isNarrow(first, seats) ? `${hand}, ${m.result.kicker}` : hand;
}

/** The server names both hands alike, and yet one of them won: the side cards decided. */
function isNarrow(winner: SeatView, seats: readonly SeatView[]): boolean {
  return seats.some((seat) => seat !== winner && seat.shown?.name === winner.shown?.name);
}
