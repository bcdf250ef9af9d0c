/** What dialogs at the table say. */
import { KEPT_HOURS } from '../house';
import type { Play } from './en-play';

export const play: Play = {
  keys: {
    title: 'Tasten',
    lead: 'Am Tisch genügt eine Taste. Wähle eine Zeile, um ihr eine andere zu geben.',
    off: 'Tastenkürzel sind aus: Am Tisch wirken nur Tab, Enter und die Pfeile.',
    use: 'Tastenkürzel',
    command: {
      fold: 'Fold',
      check_call: 'Check oder Call',
      bet_raise: 'Bet oder Raise',
      all_in: 'All-in eintragen',
      less: 'Einen halben Big Blind weniger',
      more: 'Einen halben Big Blind mehr',
      skip: 'Zum Ergebnis springen',
      next_hand: 'Nächste Hand',
      top_up: 'Auffüllen',
      leave: 'Abrechnen und gehen',
      history: 'Deine Hände',
      help: 'Diese Liste',
    },
    shortcut: (no) => `Knopf ${no} der Einsatzhöhen`,
    none: 'keine',
    waits: 'Taste drücken …',
    how: 'Rücktaste: keine Taste. Escape: wie zuvor.',
    change: (command, key) => `${command}: ${key}. Ändern.`,
    changed: (command, key) => `${command} liegt jetzt auf ${key}.`,
    swapped: (command, key, other) =>
      `${command} liegt jetzt auf ${key}. ${other} bekam die alte Taste.`,
    cleared: (command) => `${command} hat jetzt keine Taste.`,
    unusable: 'Diese Taste hat im Browser eine andere Bedeutung. Wähle eine andere.',
    reset: 'Tasten wie zu Beginn',
    wasReset: 'Alle Tasten sind wie zu Beginn.',
    rules: 'Regeln und weitere Hilfe',
  },

  leave: {
    title: 'Tisch verlassen?',
    kept: (left, until) => `Dein Platz bleibt ${left} reserviert, bis ${until}.`,
    keptAbout: `Dein Platz bleibt ${KEPT_HOURS} Stunden reserviert.`,
    asking: 'Was aus dem Match würde, wird gefragt …',
    unknown: 'Was aus dem Match wird, lässt sich gerade nicht erfragen. Die Regeln sagen es.',
    stay: 'Bleiben',
    leave: 'Vorerst gehen',
    settle: 'Abrechnen & gehen',
  },

  settings: {
    atTheTable: 'Am Tisch',
    confirmAllIn: 'Fragen, bevor alles gesetzt wird',
    autoNextHand: 'Nächste Hand von selbst geben',
    autoTopUp: 'Von selbst auffüllen',
    equity: 'Prozente nach einem All-in',
    handName: 'Name der eigenen Hand',
    turnChime: 'Ton, wenn du dran bist',
    onlyMyTurn: 'Nur diesen Ton, sonst nichts',
    vibration: 'Vibrieren, wenn du dran bist',
    keys: 'Tasten ansehen und ändern',
  },
};
