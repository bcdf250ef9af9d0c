/** What settings and bet sizes are called. */
import type { Messages } from './en';
import type { settings as english } from './en-settings';

export const settings: Pick<Messages, keyof typeof english> = {
  settings: {
    title: 'Einstellungen',
    bb: 'Beträge in Big Blinds',
    fourColour: 'Vierfarbiges Kartenspiel',
    keys: 'Tastenkürzel',
    leftHanded: 'Aktionsleiste für Linkshänder',
    sound: 'Töne',
    textTable: 'Tisch als Text',
    speed: 'Tempo der Animationen',
    speeds: { '0': 'Aus', '1': 'Normal', '2': 'Schnell' },
    motion: 'Weniger Bewegung',
    motions: { system: 'Wie das System', on: 'Ein', off: 'Aus' },
    theme: 'Farben',
    themes: { dark: 'Dunkel', light: 'Hell', system: 'Wie das System' },
    contrast: 'Kontrast',
    contrasts: { system: 'Wie das System', normal: 'Normal', high: 'Hoch' },
    language: 'Sprache',
    languages: { system: 'Wie der Browser', en: 'English', de: 'Deutsch' },
    languageLost:
      'Diese Sprache ließ sich nicht laden. Sobald du wieder online bist, wird es noch einmal versucht.',
    state: {
      local: 'In diesem Browser gemerkt. Sie kommen in dein Konto, sobald du angemeldet bist.',
      saving: 'Wird in deinem Konto gespeichert …',
      saved: 'In deinem Konto gespeichert.',
      waiting:
        'Dein Konto ist nicht zu erreichen. In diesem Browser gemerkt und gespeichert, sobald es geht.',
      refused: 'Dein Konto hat sie nicht angenommen. Sie bleiben in diesem Browser gemerkt.',
    },
    merged:
      'Auf einem anderen Gerät wurde inzwischen etwas geändert: Die Änderungen sind jetzt auch hier.',
  },

  customise: {
    open: 'Einsatzhöhen anpassen',
    title: 'Deine Einsatzhöhen',
    notLoaded: 'Das ließ sich nicht laden. Versuche es noch einmal oder lade die Seite neu.',
    sets: { preflop: 'Preflop', postflop: 'Postflop' },
    rows: 'Welche Reihe',
    list: (set, count, most) => `${set}: ${count} von ${most} Knöpfen`,
    up: (label) => `${label} nach oben`,
    down: (label) => `${label} nach unten`,
    remove: (label) => `${label} entfernen`,
    moved: (label, place, count) => `${label} ist jetzt Nummer ${place} von ${count}.`,
    removed: (label) => `${label} entfernt.`,
    added: (label) => `${label} hinzugefügt.`,
    first: (label) => `${label} steht schon an erster Stelle.`,
    last: (label) => `${label} steht schon an letzter Stelle.`,
    addTitle: 'Knopf hinzufügen',
    kind: 'Art',
    kinds: {
      bb: 'Big Blinds, insgesamt',
      pot_percent: 'Prozent des Pots',
      pot_fraction: 'Bruchteil des Pots',
      min: 'Minimum',
      allin: 'All-in',
    },
    value: 'Größe',
    examples: { bb: '2,5', pot_percent: '33', pot_fraction: '2/3' },
    add: 'Hinzufügen',
    refusal: {
      limit: (most) =>
        `Eine Reihe hat höchstens ${most} Knöpfe. Entferne einen, um Platz zu schaffen.`,
      last: 'Eine Reihe braucht mindestens einen Knopf.',
      duplicate: 'Diesen Knopf gibt es in der Reihe schon.',
      bb: 'Big Blinds gehen von 0,5 bis 100 in Schritten von 0,5, etwa 2,5.',
      pot_percent:
        'Prozent des Pots gehen von 1 bis 500, mit höchstens zwei Nachkommastellen, etwa 33,3.',
      pot_fraction:
        'Ein Bruchteil sieht aus wie 2/3: höchstens 5 Pots, und höchstens 12 unter dem Strich.',
    },
    preview: 'Die Beträge gelten für die jetzige Lage.',
    previewWaits: 'Du bist nicht dran. Die Beträge erscheinen, wenn du dran bist.',
    previewLost: 'Die Beträge lassen sich gerade nicht erfragen.',
    reset: 'Auf Voreinstellung zurücksetzen',
    wasReset: 'Wieder wie voreingestellt, und gespeichert.',
    save: 'Speichern',
    saving: 'Wird gespeichert …',
    saved: 'In deinem Konto gespeichert.',
    discard: 'Ohne Speichern schließen',
    lost: 'Dein Konto ist nicht zu erreichen, deshalb wurde nichts gespeichert.',
    limited:
      'Zu viel auf einmal, deshalb wurde nichts gespeichert. Versuche es gleich noch einmal.',
    elsewhere:
      'Diese Knöpfe wurden inzwischen auf einem anderen Gerät geändert. Hier stehen die neueren; deine wurden nicht gespeichert.',
    mine: 'Meine zurückholen',
    broughtBack: 'Deine sind wieder da. Speichere, um sie zu behalten.',
    unread: 'Deine Knöpfe lassen sich gerade nicht lesen.',
  },
};
