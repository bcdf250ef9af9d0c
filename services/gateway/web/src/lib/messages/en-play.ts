/** What dialogs at the table say; it comes with the first of them. Amounts arrive formatted. */
import { KEPT_HOURS } from '../house';
import type { KeyCommand } from '../keys';

export const play = {
  keys: {
    title: 'Keys',
    lead: 'Press a key at the table. Choose a line to give it another one.',
    off: 'Shortcuts are off: at the table only Tab, Enter and the arrows work.',
    use: 'Keyboard shortcuts',
    command: {
      fold: 'Fold',
      check_call: 'Check or call',
      bet_raise: 'Bet or raise',
      all_in: 'Fill in all-in',
      less: 'Half a big blind less',
      more: 'Half a big blind more',
      skip: 'Skip to the result',
      next_hand: 'Next hand',
      top_up: 'Top up',
      leave: 'Settle and leave',
      history: 'Your hands',
      help: 'This list',
    } satisfies Record<KeyCommand, string> as Record<KeyCommand, string>,
    shortcut: (no: number) => `Bet size button ${no}`,
    none: 'none',
    waits: 'Press a key…',
    how: 'Backspace: no key. Escape: as it was.',
    change: (command: string, key: string) => `${command}: ${key}. Change it.`,
    changed: (command: string, key: string) => `${command} is now ${key}.`,
    swapped: (command: string, key: string, other: string) =>
      `${command} is now ${key}. ${other} got its old key.`,
    cleared: (command: string) => `${command} has no key now.`,
    unusable: 'That key has another meaning in browsers. Choose another one.',
    reset: 'Keys as they were',
    wasReset: 'All keys are as they were in the beginning.',
    rules: 'Rules and more help',
  },

  leave: {
    title: 'Leave the table?',
    kept: (left: string, until: string) => `Your seat is kept for ${left}, until ${until}.`,
    keptAbout: `Your seat is kept for ${KEPT_HOURS} hours.`,
    asking: 'Asking what would become of the match…',
    unknown: 'What becomes of the match cannot be asked at the moment. The rules tell it.',
    stay: 'Stay',
    leave: 'Leave for now',
    settle: 'Settle & leave',
  },

  settings: {
    atTheTable: 'At the table',
    confirmAllIn: 'Ask before everything goes in',
    autoNextHand: 'Deal the next hand by itself',
    autoTopUp: 'Top up by itself',
    equity: 'Percentages after an all-in',
    handName: 'Name of your own hand',
    turnChime: 'Chime on your turn',
    onlyMyTurn: 'Only the chime, nothing else',
    vibration: 'Vibrate on your turn',
    keys: 'See and change keys',
  },
};

export type Play = typeof play;
