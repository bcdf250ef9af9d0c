/** Help that is the same at every table, in English. */
export const general = {
  title: 'Rules and help',
  lead: 'How the game goes, how this site does it, and how to play it by mouse, by keyboard, or by ear.',
  rulesOf: (table: string) => `Rules: ${table}`,
  contents: 'On this page',
  all: 'All help',
  play: 'Play against the AI',
  playing: 'Taking your seat…',
  bring: (chips: string, bb: string) => `You sit down with ${chips} chips (${bb}).`,
  notOpen: 'This table is not open yet.',

  sections: {
    tables: 'Rules of each table',
    keys: 'Keys',
    text: 'The table as text',
    terms: 'Terms',
  },
  open: 'open',
  later: 'opens later',

  keysHint:
    'At the table, and never while you type. You can change or switch them off in the settings.',
  noKey: 'no key',
  sizes: 'the buttons of bet sizes, from the first',

  text: {
    intro:
      'The table can be read as text, with headings, a log, and one field in which you type what you do. It is the same table: the same cards, the same buttons’ commands, the same results. Choose it in the settings, or with the link “Text table” that comes first at every table when you press Tab.',
    command: 'Command',
    does: 'What it does',
  },

  terms: [
    ['Pot', 'The chips that have been put in. Whoever wins the hand gets them.'],
    [
      'Main pot, side pot',
      'What everybody can win; and what only those can win who have paid more than somebody who is all-in.',
    ],
    ['Blinds (SB, BB)', 'The small and the big bet that are posted before the cards.'],
    ['Button (BTN, D)', 'The seat of the dealer, and the disc that marks it.'],
    ['Hole cards', 'Your two cards, which only you see.'],
    ['Board', 'The cards face up in the middle, for everybody.'],
    [
      'Flop, turn, river',
      'The first three cards of the board, the fourth, the fifth. River, as a name, is the computer.',
    ],
    [
      'Check, call, bet, raise',
      'To pass without paying; to match a bet; to put in the first chips of a round; to make it more.',
    ],
    ['Fold', 'To give the hand up.'],
    ['All-in', 'With everything in front of you in the pot.'],
    ['Short all-in', 'An all-in for less than a full bet or raise.'],
    ['Full raise', 'A raise by at least as much as the bet or raise before it.'],
    ['Uncalled bet', 'The part of a bet that nobody matched. It comes back.'],
    [
      'Kicker',
      'A card that is no part of the pair or three of a kind, but decides between equal ones.',
    ],
    ['Showdown', 'When the hands that are left are turned up and compared.'],
    ['Run-out', 'The rest of the board, dealt when nobody can bet any more.'],
    ['Stack', 'The chips in front of a player.'],
    ['Buy-in', 'The chips that somebody brings to the table.'],
    ['Top up, rebuy', 'To add chips between two hands; to bring new ones after losing all.'],
    ['Hand', 'From dealing the cards until the pot is won; also the five cards that win it.'],
    ['Move', 'One check, call, bet, raise or fold of yours.'],
    ['Match', 'All hands from sitting down until settling.'],
    ['Settle', 'To end a match and have it counted.'],
    ['AI decided', 'A hand that the computer finished for somebody who did not come back.'],
    ['Void', 'Called off: it does not count.'],
    ['Qualifying', 'On the way to a rank.'],
    ['BB/100', 'The average result, in big blinds per 100 hands.'],
    ['Odd chip', 'What is left when a pot cannot be shared evenly.'],
    ['Burnt card', 'A card that is put aside unseen before the board is dealt on.'],
  ] as readonly (readonly [string, string])[],
};
