/** What is said at the table. Amounts arrive already formatted. */
import type { Rank, Suit } from '../cards';
import { KEPT_HOURS } from '../house';
import type { ActionType } from '../types';

/** The words for each action: yours, somebody else's. */
export type Verbs = Readonly<Record<ActionType, readonly [string, string]>>;

const RANKS: Readonly<Record<Rank, string>> = {
  '2': 'two',
  '3': 'three',
  '4': 'four',
  '5': 'five',
  '6': 'six',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
  T: 'ten',
  J: 'jack',
  Q: 'queen',
  K: 'king',
  A: 'ace',
};
const SUITS: Readonly<Record<Suit, string>> = {
  c: 'clubs',
  d: 'diamonds',
  h: 'hearts',
  s: 'spades',
};

const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

export const table = {
  table: {
    title: (hand: number) => `Hand ${hand}`,
    pot: 'Pot',
    mainPot: 'Main pot',
    sidePot: (no: number) => `Side pot ${no}`,
    potParts: (closed: string, bets: string) => `${closed} + ${bets}`,
    dealer: 'Dealer button',
    board: 'Board',
    boardEmpty: 'no cards yet',
    hiddenCard: 'face-down card',
    you: 'You',
    computer: 'computer',
    allIn: 'All-in',
    folded: 'Folded',
    stackOf: (name: string, amount: string) => `${name}: ${amount} behind`,
    seat: (name: string, pos: string) => `${name}, ${pos}`,
    matchResult: 'Match result',
    bet: (amount: string) => `bet ${amount}`,
    log: 'Hand log',
    emptyLog: 'The cards are coming.',
    sending: 'sending…',
    showBb: 'Show big blinds',
    asText: 'Text table',
    settings: 'Settings',
    leaveHint: `Leave: your seat is kept for ${KEPT_HOURS} hours`,
    chance: (percent: string) => `${percent} of the pot on average`,
  },

  bar: {
    label: 'Your actions',
    thinking: (name: string) => `${name} is thinking…`,
    dealing: 'Dealing…',
    skip: 'Skip',
    skipped: (summary: string) => `Skipped. ${summary}`,
    fold: 'Fold',
    check: 'Check',
    call: (amount: string) => `Call ${amount}`,
    callAllIn: (amount: string) => `Call ${amount} · ALL-IN`,
    bet: (amount: string) => `Bet ${amount}`,
    raiseTo: (amount: string) => `Raise to ${amount}`,
    allIn: (amount: string) => `ALL-IN ${amount}`,
    less: (amount: string) => `Half a big blind less: −${amount}`,
    more: (amount: string) => `Half a big blind more: +${amount}`,
    amount: 'Amount in chips, or in big blinds with bb',
    amountInBlinds: 'Amount in big blinds',
    slider: 'Bet size',
    clamped: (amount: string) => `Set to ${amount}, the nearest amount allowed.`,
    notAmount: 'Type chips, such as 900, or big blinds, such as 7.5bb.',
    notBlinds: 'Type big blinds, such as 7.5.',
    beyond: (least: string, most: string) =>
      `That is more than you have: type ${least} to ${most}.`,
    sending: 'Sending…',
    nextHand: 'Next hand',
    topUp: (amount: string) => `Top up to ${amount}`,
    settle: 'Settle & leave',
    stack: 'Stack',
    totalBuyIn: 'Total buy-in',
    busted: 'You are out of chips. The match is over.',
    toppedUp: (amount: string) => `${amount} added to your stack.`,
    shortcuts: 'Bet sizes',
    turnGone: 'That turn had passed already: here is the table as it stands now.',
    refused: 'That was not allowed here, so nothing changed.',
    expired: 'This match was closed because its time was up.',
    closed: 'This match is already closed.',
    autoNextHand: 'The next hand is dealt in a moment.',
    autoTopUp: 'Chips are added in a moment.',
  },

  /** Asked before an action is sent. */
  ask: {
    allInTitle: 'All-in?',
    allIn: (amount: string) => `Everything goes in: ${amount}.`,
    foldTitle: 'Fold?',
    fold: 'Check is free — fold anyway?',
    foldYes: 'Fold anyway',
    no: 'Back to the table',
  },

  /** What a seat did last, beside it: yours, somebody else's. */
  did: {
    fold: ['Fold', 'Folds'],
    check: ['Check', 'Checks'],
    call: ['Call', 'Calls'],
    bet: ['Bet', 'Bets'],
    raise: ['Raise to', 'Raises to'],
  } satisfies Verbs as Verbs,

  /** Bet sizes as their buttons say them. */
  size: {
    min: 'Min',
    allIn: 'All-in',
    pot: 'Pot',
    share: (share: string) => `${share} pot`,
    times: (times: string) => `${times}x pot`,
    percent: (percent: string) => `${percent}%`,
  },
  /** Why a bet size is grey. */
  grey: {
    noRaise: 'no raise',
    overStack: 'more than your stack',
    belowBet: (least: string) => `below the minimum bet of ${least}`,
    belowRaise: (least: string) => `below the minimum raise to ${least}`,
  },

  /** "ace of spades". */
  card: (rank: Rank, suit: Suit) => `${RANKS[rank]} of ${SUITS[suit]}`,
  /** A hand by the name the server gives it, which is English. */
  handName: (name: string) => name,

  announce: {
    turn: 'Your turn.',
    checkOr: 'You may check.',
    call: (amount: string) => `Call ${amount}.`,
    callAllIn: (amount: string) => `Call ${amount}, all-in.`,
    minBet: (amount: string) => `Minimum bet ${amount}.`,
    minRaise: (amount: string) => `Minimum raise to ${amount}.`,
    onlyAllIn: (amount: string) => `All-in is ${amount}.`,
    noRaise: (reason: string) => `No raise: ${reason}.`,
  },

  /** Why nothing can be raised, by the server's reason; anything else is shown as it comes. */
  noRaise: {
    stack_too_short: 'a call takes your whole stack',
    no_opponent_can_call: 'nobody is left who could call a raise',
    not_reopened: 'the betting is not open to you again',
  } as Record<string, string>,

  log: {
    hand: (hand: number) => `Hand ${hand}`,
    posts: (who: string, you: boolean, amount: string, blind: string) =>
      `${who} ${you ? 'post' : 'posts'} the ${blind} blind, ${amount}`,
    small: 'small',
    big: 'big',
    dealt: (cards: string) => `You hold ${cards}`,
    /** What somebody does, in a sentence: you, somebody else. */
    verb: {
      fold: ['fold', 'folds'],
      check: ['check', 'checks'],
      call: ['call', 'calls'],
      bet: ['bet', 'bets'],
      raise: ['raise to', 'raises to'],
    } satisfies Verbs as Verbs,
    allIn: 'all-in',
    street: { preflop: 'Preflop', flop: 'Flop', turn: 'Turn', river: 'River card' },
    returned: (who: string, you: boolean, amount: string) =>
      `Uncalled ${amount} back to ${you ? 'you' : who}`,
    shows: (who: string, you: boolean, cards: string) =>
      `${who} ${you ? 'show' : 'shows'} ${cards}`,
    has: (who: string, hand: string, cards: string) => `${who}: ${lower(hand)} (${cards})`,
    wins: (who: string, you: boolean, amount: string, pot: string) =>
      `${who} ${you ? 'win' : 'wins'} ${amount}${pot}`,
    fromPot: (pot: string) => ` from the ${pot.toLowerCase()}`,
    toppedUp: (who: string, stack: string) => `${who} topped up to ${stack}`,
    rebought: (who: string, stack: string) => `${who} bought in again for ${stack}`,
  },

  result: {
    youWin: (amount: string) => `You win ${amount}`,
    theyWin: (name: string, amount: string) => `${name} wins ${amount}`,
    split: (amount: string) => `Split pot: ${amount} each way`,
    splitShares: (yours: string) => `Split pot: ${yours} to you`,
    /** "with two pair, …", but "with a flush, …". */
    with: (hand: string) =>
      `with ${/^(Pair|Straight|Flush|Full|Royal)/.test(hand) ? 'a ' : ''}${lower(hand)}`,
    kicker: 'better kicker',
    returnedToYou: (amount: string) => `uncalled ${amount} returned`,
    returnedTo: (name: string, amount: string) => `uncalled ${amount} back to ${name}`,
    net: (amount: string) => `${amount} this hand`,
  },
};
