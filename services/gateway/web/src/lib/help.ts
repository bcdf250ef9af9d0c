/** The text of the rules page. */

export const headings = {
  structure: 'A hand, start to finish',
  actions: 'What you can do, and when',
  action: 'Action',
  when: 'When',
  positions: 'Button, blinds and bet sizes',
  leaving: 'If you leave',
  leavingHint:
    'Your seat and your cards are kept for 24 hours, counted from your last move or from when the turn came to you, whichever is later; the time that River takes is not yours. Come back in time and the same hand goes on. If you do not, or start another match against River first, this happens:',
  where: 'Where you left',
  then: 'What happens',
  rankings: 'Which hand wins',
  rankingsHint:
    'Best first. Any five of your two cards and the five on the board. Suits have no rank.',
  house: 'How this table does it',
  keys: 'Keys',
  faq: 'Questions',
};

export const structure = [
  'Two players, you and River. One has the button (D), which changes sides every hand.',
  'Before the cards, the button posts the small blind of 50 and the other player the big blind of 100.',
  'Each player gets two cards face down. The button acts first in this round and last in all the others.',
  'Three cards are turned face up (the flop), then one (the turn), then one more (the river). There is a betting round after each.',
  'A round ends when both have acted and put in the same, or one is all-in.',
  'If one player folds, the other wins at once and nothing is shown.',
  'Otherwise both hands are turned up and the best five cards of seven win. Equal hands share the pot.',
];

export const actions: readonly (readonly [string, string])[] = [
  ['Check', 'Nothing to call: pass the turn without paying.'],
  ['Call', 'Match the highest bet of the round, or put in what you have left if that is less.'],
  [
    'Bet',
    'Nobody has bet in this round: at least one big blind, or your whole stack if it is smaller.',
  ],
  [
    'Raise to',
    'Make the bet higher. The number is your total for the round. It must go up by at least as much as the last bet or raise did; only an all-in may be smaller.',
  ],
  ['Fold', 'Give up the hand and what you have put in. Not offered when checking is free.'],
  [
    'All-in',
    'Not an action of its own: a call, bet or raise for your whole stack. What the other player cannot match comes back.',
  ],
];

export const positions: readonly (readonly [string, string])[] = [
  [
    'BTN/SB',
    'You have the button (D). With two players the button also posts the small blind (SB) of 50: it acts first before the flop and last after it.',
  ],
  [
    'BB',
    'You post the big blind of 100: you act last before the flop and first after it. Amounts in BB are counted in this blind: 7.5 BB is 750 chips.',
  ],
  [
    '30%, 50%, ⅔ pot …',
    'A share of the pot as it would be after your call. If the pot with all bets is 900 and you have 300 to call, the pot after the call is 1,200: 50% raises by 600 on top of the call.',
  ],
  ['2 BB, 2.5 BB, 3 BB', 'So many big blinds as your total for the round.'],
];

/** What becomes of a match whose player does not come back. */
export const leaving: readonly (readonly [string, string])[] = [
  ['Between two hands', 'The match is settled as it stands. Every finished hand counts.'],
  [
    'In the first hand, within your first three moves',
    'The match is called off and leaves no trace in your record. A move is a check, call, bet, raise or fold.',
  ],
  [
    'In a later hand, before your first move in it',
    'That hand is called off and the blinds go back. Finished hands count.',
  ],
  [
    'In a later hand, within your first three moves of the match',
    'That hand is called off. Finished hands count.',
  ],
  [
    'After more than three moves in the match and at least one in the open hand',
    'The computer finishes that hand with your cards, seeing only what you would see. The result counts and is marked “AI decided”.',
  ],
  [
    'All-in, with nothing left to decide',
    'The hand is dealt to its end and counts like any other.',
  ],
];

export const rankings = [
  {
    name: 'Straight flush',
    cards: ['9h', '8h', '7h', '6h', '5h'],
    text: 'Five in a row of one suit; from the ace it is a royal flush.',
  },
  { name: 'Four of a kind', cards: ['Qs', 'Qh', 'Qd', 'Qc', '7d'], text: 'All four of a rank.' },
  {
    name: 'Full house',
    cards: ['Ts', 'Th', 'Td', '4c', '4s'],
    text: 'Three of a rank and a pair.',
  },
  { name: 'Flush', cards: ['Ad', 'Jd', '8d', '6d', '2d'], text: 'Five of one suit.' },
  {
    name: 'Straight',
    cards: ['8c', '7d', '6s', '5h', '4c'],
    text: 'Five in a row. An ace is high or low, never in the middle.',
  },
  { name: 'Three of a kind', cards: ['6s', '6h', '6c', 'Kd', '9s'], text: 'Three of a rank.' },
  {
    name: 'Two pair',
    cards: ['Ks', 'Kh', '5c', '5d', 'Js'],
    text: 'Higher pair first, then the lower, then the last card.',
  },
  {
    name: 'One pair',
    cards: ['9s', '9d', 'Ac', '7h', '3s'],
    text: 'Two of a rank; the other three decide between equal pairs.',
  },
  {
    name: 'High card',
    cards: ['As', 'Qd', '8h', '5c', '2s'],
    text: 'None of the above: highest card first.',
  },
];

export const house = [
  'You buy in for 3,000 to 10,000. River always begins with 10,000, and goes back up to 10,000 before a hand whenever it has less.',
  'Between hands you may top up to exactly 100 big blinds when you have less. What you win beyond that stays in play.',
  'Only chips won and lost count as your result. Buy-ins and top-ups do not.',
  'If you lose everything the match is over and can only be settled. If River does, it buys in again and play goes on.',
  'Settle & leave is possible between hands. Leave in the middle of one and your seat is kept for 24 hours: see “If you leave”.',
  'No rake, no antes. Chips are whole numbers and have no value outside.',
];

export const keys: readonly (readonly [string, string])[] = [
  ['F', 'fold'],
  ['C', 'check or call'],
  ['R', 'bet or raise'],
  ['A', 'fill in all-in'],
  ['1 – 0', 'bet size buttons'],
  ['← →', 'half a big blind'],
  ['S', 'skip to the result'],
  ['N', 'next hand'],
  ['T', 'top up'],
  ['L', 'settle and leave'],
  ['?', 'this page'],
];

export const faq: readonly (readonly [string, string])[] = [
  [
    'Does River see my cards?',
    'No. River gets its own two cards, the board and what everyone could see you do; your cards are not part of the question it is asked.',
  ],
  [
    'What does +12.5 BB mean?',
    'Your result in this match is 12.5 big blinds, which at 50/100 is 1,250 chips.',
  ],
  [
    'When am I ranked?',
    'After 500 hands in settled matches. Until then you are listed under Qualifying with your average so far.',
  ],
  [
    'Why is there no Raise button?',
    'A raise is offered only while you have chips left after a call and River could still call more. If a call takes your whole stack, or River is all-in, you can call or fold.',
  ],
  [
    'Do I need an account?',
    'No. This browser is your guest identity. Clearing its cookies gives it up.',
  ],
];
