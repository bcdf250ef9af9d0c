/** What the table says as text, in English. Amounts arrive already formatted. */
export const en = {
  now: 'Now',
  cards: 'Your cards',
  board: 'Board',
  stacks: 'Stacks and bets',
  match: 'Match',
  field: 'Command',
  /** `raise`: an amount as this reader sees amounts, which can be typed just so. */
  hint: (raise: string) =>
    `Type what you do, such as call or raise ${raise}, and press Enter. Type help for all commands.`,
  enter: 'Enter',
  graphical: 'Table as a picture',

  yourCards: (cards: string) => `You hold ${cards}.`,
  noCards: 'You have no cards yet.',
  handName: (name: string) => `That is ${name}.`,
  onBoard: (street: string, cards: string) => `${street}: ${cards}.`,
  emptyBoard: 'There are no cards on the board yet.',
  pot: (amount: string) => `The pot is ${amount}.`,
  potOf: (pot: string, amount: string) => `${pot}: ${amount}.`,
  seat: (who: string, pos: string, stack: string) => `${who}, ${pos}: ${stack} behind`,
  hasBet: (amount: string) => `${amount} in this round`,
  allIn: 'all-in',
  folded: 'folded',
  shows: (cards: string) => `shows ${cards}`,
  atMost: (amount: string) => `At most ${amount}.`,
  result: (result: string, stack: string, bought: string) =>
    `Your result so far is ${result}. Stack ${stack}, total buy-in ${bought}.`,
  size: (no: number, name: string, amount: string) => `${no}: ${name}, ${amount}`,
  greySize: (no: number, name: string, why: string) => `${no}: ${name}, not now: ${why}`,
  noSizes: 'There are no bet sizes now.',
  youCan: (commands: string) => `You can type: ${commands}.`,

  /** Why a command was not carried out. Nothing has changed then. */
  refusal: {
    unknown: (typed: string) => `“${typed}” is no command. Type help to hear what there is.`,
    notYourTurn: 'It is not your turn.',
    justNow: 'The turn has come only now. Press Enter again if you mean it.',
    sending: 'What you did before is still on its way.',
    noFold: 'Checking is free, so there is nothing to fold for.',
    noCheck: (call: string) => `You cannot check: there are ${call} to call.`,
    noCall: 'There is nothing to call. You may check.',
    noRaise: (why: string) => `You cannot raise: ${why}.`,
    notAmount: (typed: string, such: string) =>
      `“${typed}” is no amount. Type one such as ${such}.`,
    outside: (least: string, most: string) =>
      `That is not allowed: you may go from ${least} to ${most}. Nothing was sent.`,
    callIsAllIn: 'A call is all-in already. Type call.',
    noSize: (count: number) => `There are bet sizes from 1 to ${count}.`,
    notOver: 'The hand is not over yet.',
    noTopUp: 'You cannot fill up now.',
    noNext: 'There is no next hand now.',
    noSettle: 'You cannot settle now.',
    nothingToSkip: 'There is nothing to skip.',
  },
  sizeSet: (amount: string) => `Set to ${amount}. Type bet or raise to send it.`,

  /** How each command may be typed; the first is the one that is shown. */
  commands: {
    fold: ['fold', 'f'],
    check: ['check', 'x'],
    call: ['call', 'c'],
    bet: ['bet', 'b'],
    raise: ['raise', 'raise to', 'r'],
    allIn: ['all-in', 'allin', 'all in'],
    size: ['size'],
    next: ['next', 'next hand', 'n'],
    topUp: ['top up', 'topup'],
    settle: ['settle', 'leave'],
    skip: ['skip', 's'],
    turn: ['turn', 'now'],
    cards: ['cards', 'hand'],
    board: ['board'],
    pot: ['pot'],
    stack: ['stack', 'stacks'],
    sizes: ['sizes'],
    result: ['result', 'match'],
    log: ['log'],
    help: ['help', '?'],
    history: ['history'],
    rules: ['rules'],
    picture: ['picture'],
  } as Record<CommandName, readonly string[]>,
  /** What stands behind a command where its form is shown. */
  amount: 'amount',
  number: 'number',
  /** `three`, `nine`: so many big blinds, as they can be typed. */
  does: (three: string, nine: string): Record<CommandName, string> => ({
    fold: 'Gives up the hand.',
    check: 'Passes without paying.',
    call: 'Matches the bet.',
    bet: `Puts in the first chips of a round: bet ${three}.`,
    raise: `Makes it that much in all: raise ${nine}. Without an amount it takes the size that is set.`,
    allIn: 'Puts in everything.',
    size: 'Sets the amount to a bet size, by its number, and sends nothing.',
    next: 'Deals the next hand.',
    topUp: 'Fills your stack up.',
    settle: 'Settles the match and leaves.',
    skip: 'Goes straight to the end of what is being shown.',
    turn: 'Says whose turn it is, and what you can do.',
    cards: 'Says your cards.',
    board: 'Says the cards on the board.',
    pot: 'Says what is in the pot.',
    stack: 'Says everybody’s stack and bet.',
    sizes: 'Says the bet sizes and their amounts.',
    result: 'Says your result in this match.',
    log: 'Says what happened in this hand.',
    help: 'Says all commands.',
    history: 'Opens the hands that you have played, in a new window.',
    rules: 'Opens the rules in a new window.',
    picture: 'Shows the table as a picture.',
  }),
};

export type CommandName =
  | 'fold'
  | 'check'
  | 'call'
  | 'bet'
  | 'raise'
  | 'allIn'
  | 'size'
  | 'next'
  | 'topUp'
  | 'settle'
  | 'skip'
  | 'turn'
  | 'cards'
  | 'board'
  | 'pot'
  | 'stack'
  | 'sizes'
  | 'result'
  | 'log'
  | 'help'
  | 'history'
  | 'rules'
  | 'picture';

/** A language that lacks a text, or has one too many, fails the type check. */
export type TextWords = typeof en;
