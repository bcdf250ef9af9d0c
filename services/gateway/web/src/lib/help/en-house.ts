/** How this site does it, in English. Numbers come from the table's ruleset. */
import type { BuyInFacts, Facts } from './facts';

export const house = {
  title: 'How Riverboat does it',
  intro:
    'From here on it is not about the game but about this site: its tables, its opponent, its lists. Elsewhere that may be different.',
  sections: {
    options: 'The rules of this table',
    conventions: 'Two conventions of online tables',
    river: 'River, your opponent',
    match: 'A match',
    party: 'A party',
    practice: 'Practice',
    leaving: 'If you leave',
    board: 'The leaderboard',
    bar: 'The buttons',
    faq: 'Questions',
  },

  options: {
    name: 'Rule',
    value: 'Here',
    about: 'What it means',
    more: 'More',
    yes: 'yes',
    no: 'no',
    never: 'never',
    none: 'none',
    rows: {
      seats: ['Players', 'How many sit at the table.', ''],
      blinds: [
        'Blinds',
        'The two bets that are posted before the cards.',
        'They make sure that there is something to play for. Who posts them changes with every hand, so that in the long run everybody pays the same. The bigger they are beside the stacks, the less waiting pays.',
      ],
      ante: ['Ante', 'What everybody pays before each hand.', ''],
      start: [
        'Chips to begin with',
        'What you sit down with. Chips are points: they cannot be bought and have no value elsewhere.',
        '',
      ],
      topUp: [
        'Filling up',
        'How a stack gets more chips between two hands.',
        'Chips that are added are not won: they never count in a result.',
      ],
      bust: ['Out of chips', 'What follows when somebody has lost everything.', ''],
      blindsUp: [
        'Blinds go up',
        'Whether the blinds double as the game goes on.',
        'Twice, four times, eight times the first blinds: small stacks cannot wait for ever, and the game comes to an end.',
      ],
      handLimit: ['The game ends', 'After how many hands it is over.', ''],
      turn: [
        'Time for a turn',
        'When it runs out, you check if you can and fold if you cannot.',
        '',
      ],
      fold: [
        'Folding when checking is free',
        'Whether one may give up a hand that costs nothing.',
        '',
      ],
      raise: [
        'Raising when nobody can call',
        'Whether one may raise when all others are all-in. The chips would only come back.',
        '',
      ],
      reopen: [
        'Several short all-ins',
        'Whether they let those raise again who have acted already.',
        '',
      ],
      burn: ['Burnt cards', 'Whether a card is put aside before flop, turn and river.', ''],
      button: ['The button', 'Where it goes when somebody is out.', ''],
      showdown: ['Showing', 'Who turns up the cards at the end.', ''],
      hold: ['Your seat is kept', 'For how long, when you leave in the middle of it.', ''],
      counts: ['Counts for', 'Where results go.', ''],
    } as Record<OptionName, readonly [string, string, string]>,
    seats: (min: number, max: number) => (min === max ? `${min}` : `${min} to ${max}`),
    blinds: ({ small, big }: Facts) => `${small} / ${big}`,
    buyIn: ({ min, max, step }: BuyInFacts) => `${min} to ${max}, in steps of ${step}`,
    equal: (chips: string) => `${chips} each`,
    topUp: {
      manual_to_max: ({ buyIn }: Facts) => `when you wish, to exactly ${buyIn?.max ?? ''}`,
      auto_to_start: ({ equal }: Facts) => `by itself, back to ${equal ?? ''}`,
      off: () => 'no',
    },
    bust: {
      end_match: 'the match is over',
      rebuy: 'you get new chips',
      out: 'you are out, and may watch',
    },
    hands: (count: string) => `after ${count} hands`,
    every: (count: string) => `every ${count} hands`,
    seconds: (count: string) => `${count} seconds`,
    unlimited: 'as long as you like',
    allowed: 'allowed, after a question',
    offered: 'allowed',
    forbidden: 'not offered',
    reopen: { cumulative: 'once they add up to a full raise', single: 'never' } as Record<
      string,
      string
    >,
    button: {
      moving: 'to the next player with chips',
      dead: 'to the next seat, even if nobody is in it',
    },
    showdown: {
      all_at_once: 'everybody at once',
      last_aggressor_first: 'whoever bet last shows first',
    },
    hours: (count: string) => `${count} hours`,
    counts: { river_board: 'the leaderboard', party_rating: 'the party rating', none: 'nothing' },
  },

  conventions: {
    fold: 'You cannot fold when there is nothing to call: checking costs nothing.',
    raise:
      'You cannot raise when nobody is left who could call more: the chips would only come back.',
    note: 'Neither of these is a rule of the TDA.',
  },

  river: {
    who: 'River is a computer. It sees its own two cards, the board, and what everybody could see you do. Your cards are no part of what it is asked.',
    start: ({ floor, floorBb }: Facts) =>
      `River begins with ${floor ?? ''} (${floorBb ?? ''}), whatever you bring. Before each hand it fills up to that if it has less; what it has won beyond it stays in play.`,
    bust: ({ floorBb }: Facts) =>
      `If you win all that River has, it buys in again for ${floorBb ?? ''} and play goes on.`,
  },

  match: {
    length:
      'A match goes from sitting down until you settle or run out of chips, over as many hands as you like. The result of each is recorded.',
    buyIn: ({ buyIn }: Facts) =>
      buyIn
        ? `You bring ${buyIn.min} to ${buyIn.max} chips (${buyIn.minBb} to ${buyIn.maxBb}), in steps of ${buyIn.step} (${buyIn.stepBb}).`
        : '',
    next: 'After a hand nothing happens until you choose: next hand, fill up, or settle and leave.',
    topUp: ({ buyIn }: Facts) =>
      `Filling up is possible between two hands while you have less than ${buyIn?.maxBb ?? ''}, and always goes to exactly that.`,
    winnings: ({ buyIn }: Facts) =>
      `What you win beyond ${buyIn?.maxBb ?? ''} stays in front of you and in play. It cannot be taken off the table.`,
    bust: 'If you lose everything, the match is over: what is left is to settle and leave.',
    one: 'You have one match at a time. Sitting down again ends the one you left, and you are told first what becomes of it.',
  },

  party: {
    rules: 'The party agrees on its rules before it begins; those above are what it starts from.',
    end: ({ handLimit }: Facts) =>
      `After ${handLimit} hands the biggest stack wins, less what was added to it. Equal stacks are a draw.`,
    gone: 'Whoever does not come back is played for by the computer, until they take their seat again.',
  },
  practice: {
    free: 'Nothing counts here, chips do not run out, and hints tell what a hand is worth.',
  },

  leaving: {
    kept: ({ hours }: Facts) =>
      `Your seat and your cards are kept for ${hours} hours, counted from your last move or from when the turn came to you, whichever is later. The time that River takes is not yours. Come back in time, and the same hand goes on.`,
    otherwise: 'If you do not come back in time, or start another match first, this happens:',
    where: 'Where you left',
    then: 'What happens',
    rows: [
      ['Between two hands', 'The match is settled as it stands. Every finished hand counts.'],
      [
        'In the first hand, with at most three moves made',
        'The match is called off and leaves no trace in your record. A move is a check, call, bet, raise or fold.',
      ],
      [
        'In the first hand, with more than three moves made',
        'The computer finishes the hand with your cards, seeing only what you would see. It counts, and is marked “AI decided”.',
      ],
      [
        'In a later hand, before your first move in it',
        'That hand is called off and the blinds go back. It is not played on. Finished hands count.',
      ],
      [
        'In a later hand, with at most three moves made in the whole match',
        'That hand is called off. Finished hands count.',
      ],
      [
        'In a later hand, with a move made in it and more than three in the match',
        'The computer finishes that hand with your cards. It counts, and is marked “AI decided”, as do the finished ones.',
      ],
      [
        'All-in, with nothing left to decide',
        'The hand is dealt to its end and counts like any other.',
      ],
    ] as readonly (readonly [string, string])[],
  },

  board: {
    average:
      'Players are ranked by their average result, shown in big blinds per 100 hands (BB/100). A tenth of a big blind won per hand is +10.',
    rank: (hands: string | null) =>
      hands === null
        ? 'A rank takes many hands, because over few of them an average is little but luck. Until then you stand under Qualifying.'
        : `A rank takes ${hands} hands, because over fewer an average is little but luck. Until then you stand under Qualifying, with your average so far.`,
    counts:
      'Finished hands of settled matches count, and hands that the computer finished for somebody who left. Hands that were called off do not.',
    ties: 'Equal averages share a rank.',
  },

  bar: {
    server: 'Every amount on a button is the server’s, so what you send is always allowed.',
    total: ({ bb }: Facts) =>
      `“Raise to ${bb(3)}” means ${bb(3)} in this round, with what you have put in already. At the most it says ALL-IN.`,
    sizes: 'A button for a size fills the amount in; it never acts.',
    size: 'Button',
    amount: 'Amount',
    rows: {
      min: ['Min', 'The smallest bet or raise.'],
      bb: ['2 BB, 2.5 BB …', 'So many big blinds, as your total of the round.'],
      share: [
        '50%, ⅔ pot, Pot …',
        'The highest bet of the round, and that share of the pot as it would be after your call.',
      ],
      allIn: ['All-in', 'Everything in front of you.'],
    } as Record<'min' | 'bb' | 'share' | 'allIn', readonly [string, string]>,
    grey: 'A button is grey when its amount is less than the smallest raise or more than your stack. Press it to hear which.',
    yours: ({ sizes }: Facts) =>
      `You may choose your own, up to ${sizes} before the flop and ${sizes} after it. They are kept in your account.`,
    slider: ({ bb }: Facts) =>
      `− and + change the amount by half a big blind, and go on while you hold them. In the field you may type any amount, as chips or as big blinds: ${bb(3)} or 3bb.`,
    shown: 'What the others do is shown one after the other. Skip goes straight to the end of it.',
    corner: 'In the corner of the table stands your result of the match so far, in big blinds.',
  },

  faq: {
    rows: {
      gone: [
        'What if my connection breaks?',
        'Your hand is kept as it is. When you are back, the table goes on where it was; nothing is decided for you in the meantime.',
      ],
      cards: [
        'Can the cards be manipulated?',
        'Before each hand the server commits itself to the order of the deck. Afterwards everything that was opened can be checked against that, in your browser.',
      ],
      noRaise: [
        'Why is there no Raise button?',
        'You can raise only while you have chips left after a call, and somebody could still call more.',
      ],
      account: [
        'Do I need an account?',
        'No. As a guest you are known by a cookie of this browser; if it is cleared, your record is out of reach.',
      ],
      money: [
        'Is this about money?',
        'No. Chips are points. They cannot be bought, and they are worth nothing anywhere else.',
      ],
    } as Record<'gone' | 'cards' | 'noRaise' | 'account' | 'money', readonly [string, string]>,
    bigBlinds: {
      question: 'What does a result of +12.5 BB mean?',
      answer: (chips: string, { small, big }: Facts) =>
        `That you have won 12.5 big blinds. With blinds of ${small} and ${big} that is ${chips} chips.`,
    },
  },
};

export type OptionName =
  | 'seats'
  | 'blinds'
  | 'ante'
  | 'start'
  | 'topUp'
  | 'bust'
  | 'blindsUp'
  | 'handLimit'
  | 'turn'
  | 'fold'
  | 'raise'
  | 'reopen'
  | 'burn'
  | 'button'
  | 'showdown'
  | 'hold'
  | 'counts';
