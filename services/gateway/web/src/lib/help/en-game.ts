/** The rules of the game, in English. Numbers come from the table's ruleset. */
import type { Facts, ResultExample } from './facts';

export const game = {
  title: 'The game',
  sections: {
    nutshell: 'In a nutshell',
    hand: 'A hand, start to finish',
    actions: 'What you can do, and when',
    sizes: 'How much you can bet',
    positions: 'Positions',
    special: 'Special situations',
    rankings: 'Which hand wins',
    scoring: 'How a result is counted',
    examples: 'Worked examples',
  },

  nutshell: {
    goal: 'You win chips by winning pots. There are two ways: everybody else folds, or your five cards are the best when hands are compared.',
    cards:
      'You get two cards that nobody else sees. Five more are turned face up for everybody. Your hand is the best five of those seven, whether it uses both of your own cards, one of them, or none. One deck of 52 cards, no jokers.',
    limit: 'There is no limit: on your turn you may put in anything up to your whole stack.',
    headsUp: 'At this table there are two of you, which is called heads-up.',
    seats: ({ seats }: Facts) => `This table seats ${seats.min} to ${seats.max} players.`,
  },

  hand: {
    button: ({ headsUp }: Facts): string =>
      headsUp
        ? 'A disc marked D, the button, shows whose turn it is to deal. It changes sides after every hand.'
        : 'A disc marked D, the button, shows whose turn it is to deal. It moves one seat to the left after every hand.',
    blinds: ({ headsUp, small, big }: Facts): string =>
      headsUp
        ? `Before any card is dealt, the button posts the small blind of ${small} and the other player the big blind of ${big}.`
        : `Before any card is dealt, the player to the left of the button posts the small blind of ${small}, and the next one the big blind of ${big}.`,
    ante: (ante: string) => `Everybody also pays an ante of ${ante}.`,
    deal: 'Each player gets two cards face down, one at a time, beginning to the left of the button.',
    preflop: ({ headsUp }: Facts): string =>
      headsUp
        ? 'The first betting round begins with the button.'
        : 'The first betting round begins to the left of the big blind and goes on clockwise; the blinds act last.',
    board:
      'Three cards are turned up in the middle (the flop), then a fourth (the turn), then a fifth (the river). Each is followed by a betting round.',
    burn: 'Before each of these, the top card of the deck is put aside face down, so that nobody could have seen what comes.',
    postflop: ({ headsUp }: Facts): string =>
      headsUp
        ? 'In these rounds the player without the button acts first, and the button last.'
        : 'These rounds begin with the first player still in to the left of the button.',
    roundEnds:
      'A round is over when everybody still in has acted and has put in the same amount, or is all-in.',
    showdown: {
      all_at_once:
        'If two or more are still in after the last round, all their hands are turned up at once. The best five cards take the pot, and are lifted so that you see them.',
      last_aggressor_first:
        'If two or more are still in after the last round, whoever bet or raised last shows first. The best five cards take the pot.',
    },
    allFold:
      'As soon as only one player has not folded, the hand is over: that player takes the pot, and nobody shows a card.',
  },

  actions: {
    action: 'Action',
    when: 'When',
    rows: {
      check: ['Check', 'There is nothing to call: you pass the turn on without paying.'],
      call: [
        'Call',
        'Somebody has bet or raised: you match it, or put in all you have left if that is less.',
      ],
      bet: ['Bet', 'Nobody has bet in this round yet: you put in the first chips.'],
      raise: [
        'Raise to',
        'Somebody has bet: you make it more. The number is your total for this round, not what you add.',
      ],
      fold: ['Fold', 'You give the hand up. What you have put in stays in the pot.'],
      allIn: [
        'All-in',
        'Not an action of its own, but a call, bet or raise with everything in front of you.',
      ],
    } as Record<'check' | 'call' | 'bet' | 'raise' | 'fold' | 'allIn', readonly [string, string]>,
    noFreeFold: 'Here it is not offered when checking is free.',
    freeFold: 'Where checking is free you are asked first whether you mean it.',
  },

  sizes: {
    least: ({ big }: Facts) =>
      `The smallest bet is one big blind, ${big}, or your whole stack if that is smaller.`,
    raise:
      'A raise must add at least as much as the last full bet or raise of the same round did. Before the flop the big blind counts as a bet.',
    allIn: 'All-in is the exception: it may be less than that.',
    most: 'The most is your whole stack, even if nobody else has as much: what nobody can match comes back to you.',
    never:
      'Nobody can be bet out of a hand for want of chips. You can always call with what you have.',
  },

  positions: {
    /** What stands on the seat, and what it means. */
    headsUp: [
      [
        'BTN/SB',
        'The button. With two players it is the small blind too: first to act before the flop, last in every later round.',
      ],
      ['BB', 'The big blind: last to act before the flop, first in every later round.'],
    ] as readonly (readonly [string, string])[],
    ring: {
      BTN: 'The button: last to act after the flop.',
      SB: 'The small blind, to the left of the button.',
      BB: 'The big blind, the next seat: last to act before the flop.',
      UTG: '“Under the gun”, to the left of the big blind: first to act before the flop.',
      'UTG+1': 'The seat after that.',
      'UTG+2': 'And the next.',
      LJ: 'Lojack, three before the button.',
      HJ: 'Hijack, two before the button.',
      CO: 'Cutoff, just before the button.',
    },
    /** From how many players a seat has its name. */
    from: (players: number) => `from ${players} players`,
  },

  special: {
    option: ({ headsUp }: Facts): string =>
      headsUp
        ? 'If the button only calls before the flop, the big blind may still check or raise.'
        : 'If nobody raises before the flop, the big blind may still check or raise.',
    shortAllIn: {
      headsUp:
        'An all-in may be less than a full raise. The other player can then call or fold: somebody who is all-in could not call another raise.',
      cumulative:
        'An all-in that is less than a full bet or raise does not open the betting again for those who have acted: they can call or fold. It does once what others have added since your last action comes to a full raise. Whoever has not acted yet is free to raise.',
      single:
        'An all-in that is less than a full bet or raise does not open the betting again for those who have acted: they can only call or fold, however many such all-ins follow one another. Whoever has not acted yet is free to raise.',
    },
    shortBlind: ({ headsUp, big }: Facts): string =>
      headsUp
        ? 'Whoever has less than the blind posts what is there and is all-in; what the other one has put in beyond that comes back.'
        : `Whoever has less than the blind posts what is there and is all-in. The others still call the full big blind of ${big}, and the smallest raise stays the same.`,
    uncalled:
      'When a round is over, whatever you have put in beyond everybody else comes back to you. It was never at risk.',
    runOut:
      'When there is nobody left who could bet, first the cards of all players still in are turned up, and then the rest of the board, one street at a time.',
    sidePots:
      'Somebody who is all-in can win from each opponent no more than they put in themselves. What goes beyond that is a side pot, which only those can win who paid into it. There may be several. Chips of players who folded stay where they are.',
    split: ({ headsUp }: Facts): string =>
      headsUp
        ? 'Equal hands share the pot.'
        : 'Equal hands share the pot. Chips that cannot be shared go one at a time to the winners, beginning to the left of the button, in each pot for itself.',
  },

  rankings: {
    hint: 'Best first.',
    hands: {
      straightFlush: [
        'Straight flush',
        'Five in a row, all of one suit. Up to the ace it is called a royal flush.',
      ],
      quads: ['Four of a kind', 'All four cards of a rank.'],
      fullHouse: ['Full house', 'Three of one rank and two of another.'],
      flush: ['Flush', 'Five of one suit.'],
      straight: ['Straight', 'Five in a row.'],
      trips: ['Three of a kind', 'Three of one rank.'],
      twoPair: ['Two pair', 'Two of one rank and two of another.'],
      pair: ['One pair', 'Two of one rank.'],
      highCard: ['High card', 'None of these.'],
    } as Record<RankingName, readonly [string, string]>,
    notes: [
      'Ranks go from the ace down to the two. Suits have no rank.',
      'In a straight the ace may also stand below the two: A 2 3 4 5 is the lowest one. It never goes round the corner, as in Q K A 2 3.',
      'Of two hands of one kind, the ranks that make it up are compared first, then the other cards from the highest down, which are the kickers. If all five are equal, the pot is shared.',
      'If the board alone is the best hand, everybody still in shares the pot.',
    ],
  },

  scoring: {
    hand: ({ big }: Facts) =>
      `The result of a hand is what you got back from it, less what you put in. It is written in big blinds: ${big} chips are 1 BB.`,
    buyIns:
      'What you bring to the table or add to your stack has nothing to do with it: only chips won and lost count.',
    zero: 'Nothing is taken from the pot. The results of all players add up to zero in every hand.',
  },

  examples: {
    minRaise: {
      title: 'The smallest raise',
      text: ({ big, bb }: Facts) =>
        `The big blind is ${big}, and somebody raises to ${bb(3)}, which is ${bb(2)} more. The next raise goes to ${bb(5)} at least, and the one after that to ${bb(7)}.`,
    },
    total: {
      title: 'The total of the round',
      text: ({ big, bb }: Facts) =>
        `You have posted the big blind of ${big} and raise to ${bb(3)}: the button says ${bb(3)}, and ${bb(2)} leave your stack.`,
    },
    uncalled: {
      title: 'What comes back',
      text: ({ bb }: Facts) =>
        `You bet ${bb(5)}. The other player has only ${bb(2)} and calls all-in. ${bb(3)} come back to you, and each of you has ${bb(2)} in the pot.`,
    },
    share: {
      title: 'A share of the pot',
      text: ({ bb }: Facts) =>
        `The pot with all bets is ${bb(9)}, and ${bb(3)} of it are a bet that you face. After your call it would be ${bb(12)}. Half of that is ${bb(6)}, so “50%” raises to ${bb(9)}: the bet of ${bb(3)}, and ${bb(6)} on top.`,
    },
    short: {
      title: 'Short all-ins',
      cumulative: ({ bb, big, small }: Facts) =>
        `On the flop you bet ${big}. One player goes all-in for ${small} more, which is less than a raise, and another for ${bb(2)} in all. Together they have added ${big}, a full raise: you may raise again, to ${bb(3)} at least.`,
      single: ({ bb, big, small }: Facts) =>
        `On the flop you bet ${big}. One player goes all-in for ${small} more, which is less than a raise, and another for ${bb(2)} in all. Neither was a full raise: you can call ${big} or fold.`,
    },
    sidePot: {
      title: 'Three all-ins',
      text: ({ bb }: Facts) =>
        `Ana goes all-in for ${bb(2)}, Ben for ${bb(5)}, and Cara calls with ${bb(10)}. The main pot of ${bb(6)} is for all three. The side pot of ${bb(6)} is for Ben and Cara. Nobody has matched Cara’s last ${bb(5)}: they come back.`,
    },
    kicker: {
      title: 'The fifth card decides',
      text: 'The board is A♠ 7♥ 7♦ 2♣ 2♠. You hold A♦ K♦, your opponent A♣ Q♣. Both have aces and sevens; your king beats the queen.',
    },
    result: {
      title: 'What you have won',
      text: ({ bought, left, added, leave, result }: ResultExample) =>
        `You bring ${bought}, fall to ${left}, add ${added} and leave with ${leave}. Your result is ${result}: what you leave with, less all that you brought.`,
    },
  },

  source:
    'The rules of play follow those of the Poker TDA, the association of tournament directors.',
  updated: (date: string) => `Last updated: ${date}.`,
};

export type RankingName =
  | 'straightFlush'
  | 'quads'
  | 'fullHouse'
  | 'flush'
  | 'straight'
  | 'trips'
  | 'twoPair'
  | 'pair'
  | 'highCard';
