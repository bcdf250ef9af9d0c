/** What is said away from the table. Amounts arrive already formatted. */
import { KEPT_HOURS, RANKED_HANDS } from '../house';
import type { Consequence } from '../types';

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

export const site = {
  app: 'Riverboat',

  nav: {
    play: 'Play',
    leaderboard: 'Leaderboard',
    history: 'History',
    profile: 'Your record',
    help: 'Rules',
    lobby: 'Lobby',
    skip: 'Skip to content',
  },

  /** How numbers and dates are written (BCP 47). */
  locale: 'en-US',
  dates: 'en-GB',
  time: {
    hours: (hours: number, minutes: number) => `${hours} h ${minutes} m`,
    minutes: (minutes: number) => `${minutes} m`,
    seconds: (seconds: number) => `${seconds} s`,
  },

  loading: 'One moment…',
  retry: 'Try again',
  retryNow: 'Try now',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  missing: { title: 'Page not found', home: 'Go to the lobby' },
  notFound: 'There is nothing at this address.',

  screen: {
    failedTitle: 'This page did not come through',
    failed: 'The connection was lost, or Riverboat has been renewed meanwhile. Your seat is kept.',
    reload: 'Reload',
  },

  offline: {
    title: 'You are offline',
    text: 'A hand needs the server. Your seat and your cards are kept there, and this page goes on by itself as soon as the connection is back.',
    meanwhile: 'Read the rules meanwhile',
  },

  update: {
    ready: 'There is a new version of Riverboat.',
    reload: 'Reload',
  },

  connection: {
    online: 'Connected',
    offline: 'You are offline. The table is kept; play goes on when the connection is back.',
    trouble: 'The server cannot be reached. Trying again…',
    /** Beside the banner, which says what is wrong. */
    again: 'This has not come yet. Trying again…',
    sendingAgain: 'Not through yet. Your choice is kept and sent again…',
    connecting: 'Connecting…',
    live: 'Connected, live',
    reconnecting: 'The live connection was lost. Connecting again…',
    restart: 'The server is being restarted. Your hand is kept and goes on in a moment.',
    overdue: 'The server was to be restarted and has not come back yet. Trying again…',
    stream: 'This network blocks the live connection. The table is followed another way.',
    polling: 'Nothing live gets through here. The table is asked every moment instead.',
    elsewhere: 'You are playing in other windows, so this one is no longer live.',
    playHere: 'Play here',
  },

  notice: {
    see: 'See the result',
    decided: (hand: number, net: string) =>
      `The computer finished hand ${hand} for you: ${net}. It counts and is marked “AI decided”.`,
    handVoided: (hand: number) => `Hand ${hand} was called off and does not count.`,
    expired: (hands: number, result: string) =>
      `Your match was settled because its time was up: ${result} in ${plural(hands, 'hand')}.`,
    expiredVoid: 'Your match was called off because its time was up. It does not count.',
    left: (hands: number, result: string) =>
      `The match you left was settled: ${result} in ${plural(hands, 'hand')}.`,
    leftVoid: 'The match you left was called off. It does not count.',
    expiring: (until: string) => `Your match is kept only until ${until}.`,
    merged: (name: string) => `You are now playing as ${name}.`,
    otherDeck: (hand: number) =>
      `Warning: hand ${hand} is dealt from another deck than was announced for it.`,
    check: 'Check this deal',
  },

  session: {
    lostTitle: 'Your guest seat is not known here',
    lost: 'This browser played as a guest before, but the server no longer knows that guest: the cookie was cleared or has expired. A new guest starts with an empty record, and cannot reach the old one.',
    startNew: 'Start as a new guest',
    failed: 'The server does not answer.',
    nameTitle: 'Your name',
    nameHint: 'Shown at the table and on the leaderboard.',
    nameLabel: 'Name',
    editName: (name: string) => `${name}, change name`,
    nameSaved: 'Name saved.',
    nameWaiting: 'Not saved yet. Still trying…',
    nameRefused: 'That name was not accepted.',
    /** `why`: what the server says about it, in English. */
    nameProblem: (why: string) => why,
  },

  lobby: {
    title: 'A seat is open on the river.',
    lead: `Heads-up no-limit hold’em against River, a computer that plays every hand with the same care. No account, no money: take a seat and see how you do over ${RANKED_HANDS} hands.`,
    riverTitle: 'Heads-up against River',
    riverText: 'Two players, cash game. River always starts with 100 BB.',
    blinds: (small: string, big: string) => `Blinds ${small}/${big}`,
    buyIn: 'Buy-in',
    lessBuyIn: (amount: string) => `Smaller buy-in: −${amount}`,
    moreBuyIn: (amount: string) => `Larger buy-in: +${amount}`,
    sitDown: 'Sit down',
    sittingDown: 'Taking your seat…',
    later: 'opens later',
    partyTitle: 'Party table',
    partyText: 'Two to nine friends, your own house rules.',
    practiceTitle: 'Practice',
    practiceText: 'Learn with hints, chips that never run out.',
    multiTitle: 'Multi-way against computers',
    multiText: 'A full ring of opponents.',
    resumeTitle: 'Your seat is kept',
    resume: 'Resume',
    resumeHand: (hand: number) => `Against River · hand ${hand}`,
    finishedTitle: 'Your match is over',
    finishedText:
      'You are out of chips, so there is nothing left to play. Settling writes the result into your record.',
    settleFinished: 'Settle and see the result',
    yourTurn: 'your turn',
    keptFor: (left: string) => `kept for ${left}`,
    expired: 'time is up',
    standing: 'Your standing',
    ranked: (hands: string) => `${hands} hands, ranked`,
    qualifying: (hands: number, needed: number) => `${hands} of ${needed} hands to a rank`,
    noHands: `No finished match yet. A rank takes ${RANKED_HANDS} hands.`,
    invalidBuyIn: 'That buy-in is not offered.',
  },

  supersede: {
    title: 'You still have a seat',
    question: 'One match at a time: sitting down again ends the one you left.',
    resume: 'Resume that match',
    startNew: 'End it and start new',
    finishedTitle: 'Your last match is not settled yet',
    finishedQuestion: 'It is over: you are out of chips.',
    finished: 'Sitting down again settles it first. Every finished hand counts.',
    settleAndStart: 'Settle it and start new',
  },

  consequence: {
    ai_decides:
      'If you do not return, the computer finishes the hand for you with your cards. The result counts and is marked “AI decided”.',
    void_hand:
      'If you do not return, the open hand is called off and does not count. Hands you finished still count.',
    void_match: 'If you do not return, the match is called off and leaves no trace in your record.',
    settle: 'If you do not return, the match is settled as it stands. Every finished hand counts.',
  } satisfies Record<Consequence, string>,

  supersedeConsequence: {
    ai_decides: 'The computer will finish the open hand for you. It will count as “AI decided”.',
    void_hand: 'The open hand will be called off and does not count. Finished hands still count.',
    void_match: 'That match will be called off and does not count.',
    settle: 'That match will be settled as it stands. Every finished hand counts.',
  } satisfies Record<Consequence, string>,

  summary: {
    title: 'Match settled',
    expired: `Match closed: the ${KEPT_HOURS} hours were up`,
    superseded: 'Match closed: you sat down at another table',
    void: 'Match called off: it does not count',
    open: 'Match so far',
    result: 'Result',
    hands: 'Hands',
    perHundred: 'BB per 100 hands',
    buyIn: 'Buy-in',
    topUps: (count: number) => (count === 0 ? 'Top-ups' : plural(count, 'top-up')),
    finalStack: 'Final stack',
    took: 'Net',
    biggestWon: 'Biggest pot won',
    biggestLost: 'Biggest pot lost',
    aiDecided: 'AI decided',
    time: 'Time at the table',
    identity: 'What you left with, less what you bought, is what you won.',
    counts: (hands: number) => `${plural(hands, 'hand')} for the leaderboard`,
    now: (hands: number, needed: number) => `now ${hands} of ${needed}`,
    playAgain: 'Play again',
    seeBoard: 'See the leaderboard',
    missing: 'There is no summary for this match.',
  },

  board: {
    title: 'Leaderboard',
    lead: 'Average result per hand, in big blinds per 100 hands.',
    ranked: 'Ranked',
    qualifying: 'Qualifying',
    qualifyingHint: (needed: number) => `Fewer than ${needed} hands`,
    rank: 'Rank',
    player: 'Player',
    perHundred: 'BB/100',
    margin: '95% interval: that far to either side',
    hands: 'Hands',
    ai: 'AI decided',
    voided: 'Not counted',
    last: 'Last played',
    you: 'you',
    guest: 'guest',
    noRanked: (needed: number) =>
      `Nobody has ${needed} hands yet. The first name here could be yours.`,
    noQualifying: 'Nobody is on the way at the moment.',
    more: 'Show more',
    asOf: (when: string) => `As of ${when}`,
    refresh: 'Refresh',
    stale: 'Not refreshed: these are the figures from before. Trying again…',
    staleFailed: 'Not refreshed: these are the figures from before.',
    progress: (hands: number, needed: number) => `${hands} of ${needed} hands`,
    toRank: (hands: number) => `${plural(hands, 'more hand')} to a rank`,
    how: 'How this is counted',
    howText: [
      'A figure of +10.00 means a tenth of a big blind won per hand, on average.',
      'Finished hands of settled matches count, and so do hands the computer finished for someone who left. Hands that were called off do not.',
      'Buy-ins and top-ups make no difference: only chips won and lost at the table do.',
      'Equal averages share a rank.',
    ],
  },

  problem: {
    rateLimited: 'A little slower, please. Trying again in a moment…',
    other: 'Something went wrong. Nothing was changed.',
    unsure: 'Something went wrong on the server. What is shown now is what counts.',
    unread: 'Something went wrong on the server, so there is nothing to show.',
  },
};
