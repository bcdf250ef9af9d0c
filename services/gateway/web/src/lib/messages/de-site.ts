/** What is said away from the table. */
import { KEPT_HOURS, RANKED_HANDS } from '../house';
import type { Messages } from './en';
import type { site as english } from './en-site';

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('de-DE')} ${count === 1 ? one : many}`;
const hands = (count: number): string => plural(count, 'Hand', 'Händen');

export const site: Pick<Messages, keyof typeof english> = {
  app: 'Riverboat',

  nav: {
    play: 'Spielen',
    leaderboard: 'Rangliste',
    history: 'Verlauf',
    profile: 'Deine Bilanz',
    help: 'Regeln',
    lobby: 'Lobby',
    skip: 'Zum Inhalt springen',
  },

  locale: 'de-DE',
  dates: 'de-DE',
  time: {
    hours: (hours, minutes) => `${hours} Std. ${minutes} Min.`,
    minutes: (minutes) => `${minutes} Min.`,
    seconds: (seconds) => `${seconds} Sek.`,
  },

  loading: 'Einen Moment …',
  retry: 'Noch einmal versuchen',
  retryNow: 'Jetzt versuchen',
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  missing: { title: 'Seite nicht gefunden', home: 'Zur Lobby' },
  notFound: 'Unter dieser Adresse gibt es nichts.',

  screen: {
    failedTitle: 'Diese Seite kam nicht an',
    failed:
      'Die Verbindung ist abgerissen, oder Riverboat wurde inzwischen erneuert. Dein Platz bleibt dir.',
    reload: 'Neu laden',
  },

  offline: {
    title: 'Keine Verbindung',
    text: 'Eine Hand braucht den Server. Dort sind dein Platz und deine Karten aufgehoben, und sobald die Verbindung wieder da ist, geht es hier von selbst weiter.',
    meanwhile: 'Inzwischen die Regeln lesen',
  },

  update: {
    ready: 'Es gibt eine neue Version von Riverboat.',
    reload: 'Neu laden',
  },

  connection: {
    online: 'Verbunden',
    offline:
      'Du bist offline. Der Tisch bleibt dir; es geht weiter, sobald die Verbindung wieder da ist.',
    trouble: 'Der Server ist nicht zu erreichen. Neuer Versuch …',
    again: 'Das ist noch nicht angekommen. Neuer Versuch …',
    sendingAgain: 'Noch nicht angekommen. Deine Wahl ist gemerkt und wird noch einmal gesendet …',
    connecting: 'Verbinde …',
    live: 'Live verbunden',
    reconnecting: 'Die Live-Verbindung ist abgerissen. Verbinde neu …',
    restart:
      'Der Server wird gerade neu gestartet. Deine Hand bleibt erhalten und geht gleich weiter.',
    overdue: 'Der Server sollte neu starten und ist noch nicht wieder da. Neuer Versuch …',
    stream:
      'Dieses Netz sperrt die Live-Verbindung. Was am Tisch geschieht, kommt auf anderem Weg.',
    polling: 'Hier kommt live nichts durch. Stattdessen wird der Tisch laufend abgefragt.',
    elsewhere: 'Du spielst in anderen Fenstern, deshalb ist dieses nicht mehr live.',
    playHere: 'Hier spielen',
  },

  notice: {
    see: 'Ergebnis ansehen',
    decided: (hand, net) =>
      `Der Computer hat Hand ${hand} für dich zu Ende gespielt: ${net}. Sie zählt und trägt den Vermerk „KI entschied“.`,
    handVoided: (hand) => `Hand ${hand} wurde abgebrochen und zählt nicht.`,
    expired: (count, result) =>
      `Dein Match wurde abgerechnet, weil seine Zeit um war: ${result} in ${hands(count)}.`,
    expiredVoid: 'Dein Match wurde abgebrochen, weil seine Zeit um war. Es zählt nicht.',
    left: (count, result) =>
      `Das Match, das du verlassen hast, wurde abgerechnet: ${result} in ${hands(count)}.`,
    leftVoid: 'Das Match, das du verlassen hast, wurde abgebrochen. Es zählt nicht.',
    expiring: (until) => `Dein Match bleibt nur noch bis ${until} erhalten.`,
    merged: (name) => `Du spielst jetzt als ${name}.`,
    otherDeck: (hand) =>
      `Achtung: Hand ${hand} kommt aus einem anderen Kartenspiel, als für sie angekündigt war.`,
    check: 'Karten prüfen',
  },

  session: {
    lostTitle: 'Dein Gastplatz ist hier nicht bekannt',
    lost: 'In diesem Browser wurde schon als Gast gespielt, aber der Server kennt diesen Gast nicht mehr: Das Cookie wurde gelöscht oder ist abgelaufen. Ein neuer Gast fängt von vorn an und kommt an die alten Ergebnisse nicht heran.',
    startNew: 'Als neuer Gast anfangen',
    failed: 'Der Server antwortet nicht.',
    nameTitle: 'Dein Name',
    nameHint: 'So heißt du am Tisch und auf der Rangliste.',
    nameLabel: 'Name',
    editName: (name) => `${name}, Namen ändern`,
    nameSaved: 'Name gespeichert.',
    nameWaiting: 'Noch nicht gespeichert. Der Versuch geht weiter …',
    nameRefused: 'Dieser Name wurde nicht angenommen.',
    nameProblem: () =>
      'Dieser Name wurde nicht angenommen. Nimm 1 bis 40 sichtbare Zeichen und mische keine Schriften, deren Buchstaben sich gleichen.',
  },

  lobby: {
    title: 'Am Fluss ist ein Platz frei.',
    lead: `Heads-up No-Limit Hold’em gegen River, einen Computer, der jede Hand mit derselben Sorgfalt spielt. Kein Konto, kein Geld: Setz dich und sieh, wie du dich über ${RANKED_HANDS} Hände schlägst.`,
    riverTitle: 'Heads-up gegen River',
    riverText: 'Zwei Spieler, Cash Game. River beginnt immer mit 100 BB.',
    blinds: (small, big) => `Blinds ${small}/${big}`,
    buyIn: 'Buy-in',
    lessBuyIn: (amount) => `Kleineres Buy-in: −${amount}`,
    moreBuyIn: (amount) => `Größeres Buy-in: +${amount}`,
    sitDown: 'Platz nehmen',
    sittingDown: 'Du nimmst Platz …',
    later: 'öffnet später',
    partyTitle: 'Runde mit Freunden',
    partyText: 'Zwei bis neun Freunde, eure eigenen Hausregeln.',
    practiceTitle: 'Übung',
    practiceText: 'Lernen mit Hinweisen und Chips, die nie ausgehen.',
    multiTitle: 'Mehrere Computer',
    multiText: 'Ein voller Tisch mit Gegnern.',
    resumeTitle: 'Dein Platz ist reserviert',
    resume: 'Weiterspielen',
    resumeHand: (hand) => `Gegen River · Hand ${hand}`,
    finishedTitle: 'Dein Match ist vorbei',
    finishedText:
      'Du hast keine Chips mehr, es gibt also nichts mehr zu spielen. Beim Abrechnen kommt das Ergebnis in deine Bilanz.',
    settleFinished: 'Abrechnen und Ergebnis ansehen',
    yourTurn: 'du bist dran',
    keptFor: (left) => `noch ${left} reserviert`,
    expired: 'die Zeit ist um',
    standing: 'Dein Stand',
    ranked: (count) => `${count} Hände, auf der Rangliste`,
    qualifying: (count, needed) => `${count} von ${needed} Händen bis zu einem Rang`,
    noHands: `Noch kein fertiges Match. Für einen Rang braucht es ${RANKED_HANDS} Hände.`,
    invalidBuyIn: 'Dieses Buy-in wird nicht angeboten.',
  },

  supersede: {
    title: 'Du hast noch einen Platz',
    question: 'Nur ein Match auf einmal: Wenn du dich neu setzt, endet das, was du verlassen hast.',
    resume: 'Dieses Match weiterspielen',
    startNew: 'Beenden und neu anfangen',
    finishedTitle: 'Dein letztes Match ist noch nicht abgerechnet',
    finishedQuestion: 'Es ist vorbei: Du hast keine Chips mehr.',
    finished: 'Wenn du dich neu setzt, wird es zuerst abgerechnet. Jede fertige Hand zählt.',
    settleAndStart: 'Abrechnen und neu anfangen',
  },

  consequence: {
    ai_decides:
      'Kommst du nicht zurück, spielt der Computer die Hand mit deinen Karten zu Ende. Das Ergebnis zählt und trägt den Vermerk „KI entschied“.',
    void_hand:
      'Kommst du nicht zurück, wird die offene Hand abgebrochen und zählt nicht. Fertige Hände zählen trotzdem.',
    void_match:
      'Kommst du nicht zurück, wird das Match abgebrochen und hinterlässt keine Spur in deiner Bilanz.',
    settle:
      'Kommst du nicht zurück, wird das Match abgerechnet, wie es steht. Jede fertige Hand zählt.',
  },

  supersedeConsequence: {
    ai_decides:
      'Der Computer spielt die offene Hand für dich zu Ende. Sie zählt mit dem Vermerk „KI entschied“.',
    void_hand: 'Die offene Hand wird abgebrochen und zählt nicht. Fertige Hände zählen trotzdem.',
    void_match: 'Dieses Match wird abgebrochen und zählt nicht.',
    settle: 'Dieses Match wird abgerechnet, wie es steht. Jede fertige Hand zählt.',
  },

  summary: {
    title: 'Match abgerechnet',
    expired: `Match beendet: Die ${KEPT_HOURS} Stunden waren um`,
    superseded: 'Match beendet: Du hast dich an einen anderen Tisch gesetzt',
    void: 'Match abgebrochen: Es zählt nicht',
    open: 'Das Match bisher',
    result: 'Ergebnis',
    hands: 'Hände',
    perHundred: 'BB je 100 Hände',
    buyIn: 'Buy-in',
    topUps: (count) => (count === 0 ? 'Aufgefüllt' : `${count}× aufgefüllt`),
    finalStack: 'Stack am Ende',
    took: 'Netto',
    biggestWon: 'Größter gewonnener Pot',
    biggestLost: 'Größter verlorener Pot',
    aiDecided: 'KI entschied',
    time: 'Zeit am Tisch',
    identity: 'Womit du gehst, weniger was du gekauft hast, ist dein Gewinn.',
    counts: (count) => `${plural(count, 'Hand', 'Hände')} für die Rangliste`,
    now: (count, needed) => `jetzt ${count} von ${needed}`,
    playAgain: 'Noch ein Match',
    seeBoard: 'Zur Rangliste',
    missing: 'Zu diesem Match gibt es keine Übersicht.',
  },

  board: {
    title: 'Rangliste',
    lead: 'Durchschnittliches Ergebnis, in Big Blinds je 100 Hände.',
    ranked: 'Mit Rang',
    qualifying: 'Auf dem Weg',
    qualifyingHint: (needed) => `Weniger als ${needed} Hände`,
    rank: 'Rang',
    player: 'Spieler',
    perHundred: 'BB/100',
    margin: '95-%-Intervall: so weit nach beiden Seiten',
    hands: 'Hände',
    ai: 'KI entschied',
    voided: 'Nicht gezählt',
    last: 'Zuletzt gespielt',
    you: 'du',
    guest: 'Gast',
    noRanked: (needed) =>
      `Noch niemand hat ${needed} Hände. Der erste Name hier könnte deiner sein.`,
    noQualifying: 'Im Moment ist niemand auf dem Weg.',
    more: 'Mehr anzeigen',
    asOf: (when) => `Stand: ${when}`,
    refresh: 'Aktualisieren',
    stale: 'Nicht aktualisiert: Das sind die Zahlen von vorhin. Neuer Versuch …',
    staleFailed: 'Nicht aktualisiert: Das sind die Zahlen von vorhin.',
    progress: (count, needed) => `${count} von ${needed} Händen`,
    toRank: (count) => `noch ${plural(count, 'Hand', 'Hände')} bis zu einem Rang`,
    how: 'So wird gezählt',
    howText: [
      '+10,00 heißt: im Schnitt ein zehntel Big Blind je Hand gewonnen.',
      'Es zählen die fertigen Hände abgerechneter Matches und Hände, die der Computer für jemanden zu Ende gespielt hat. Abgebrochene Hände zählen nicht.',
      'Buy-ins und Auffüllen machen keinen Unterschied: Nur was am Tisch gewonnen und verloren wird, zählt.',
      'Gleiche Durchschnitte teilen sich einen Rang.',
    ],
  },

  problem: {
    rateLimited: 'Bitte etwas langsamer. Gleich geht es weiter …',
    other: 'Etwas ist schiefgegangen. Nichts wurde geändert.',
    unsure: 'Auf dem Server ist etwas schiefgegangen. Es gilt, was jetzt hier steht.',
    unread: 'Auf dem Server ist etwas schiefgegangen, deshalb gibt es nichts zu zeigen.',
  },
};
