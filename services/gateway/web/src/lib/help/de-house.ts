/** How this site does it, in German. */
import type { HelpWords } from './en';

export const house: HelpWords['house'] = {
  title: 'Wie es bei Riverboat ist',
  intro:
    'Von hier an geht es nicht um das Spiel, sondern um diese Seite: ihre Tische, ihren Gegner, ihre Listen. Anderswo kann das anders sein.',
  sections: {
    options: 'Die Regeln dieses Tisches',
    conventions: 'Zwei Bräuche von Online-Tischen',
    river: 'River, dein Gegner',
    match: 'Ein Match',
    party: 'Eine Runde mit Freunden',
    practice: 'Übung',
    leaving: 'Wenn du gehst',
    board: 'Die Rangliste',
    bar: 'Die Knöpfe',
    faq: 'Fragen',
  },

  options: {
    name: 'Regel',
    value: 'Hier',
    about: 'Was das heißt',
    more: 'Mehr',
    yes: 'ja',
    no: 'nein',
    never: 'nie',
    none: 'keines',
    rows: {
      seats: ['Spieler', 'Wie viele am Tisch sitzen.', ''],
      blinds: [
        'Blinds',
        'Die beiden Einsätze, die vor den Karten gebracht werden.',
        'Sie sorgen dafür, dass es etwas zu gewinnen gibt. Wer sie bringt, wechselt mit jeder Hand, so dass auf Dauer alle gleich viel zahlen. Je größer sie neben den Stacks sind, desto weniger lohnt sich das Warten.',
      ],
      ante: ['Ante', 'Was jeder vor jeder Hand zahlt.', ''],
      start: [
        'Chips am Anfang',
        'Womit du dich setzt. Chips sind Punkte: Man kann sie nicht kaufen, und anderswo sind sie nichts wert.',
        '',
      ],
      topUp: [
        'Auffüllen',
        'Wie zwischen zwei Händen Chips dazukommen.',
        'Chips, die dazukommen, sind nicht gewonnen: In einem Ergebnis zählen sie nie.',
      ],
      bust: ['Ohne Chips', 'Was folgt, wenn jemand alles verloren hat.', ''],
      blindsUp: [
        'Blinds steigen',
        'Ob sich die Blinds im Lauf des Spiels verdoppeln.',
        'Auf das Doppelte, Vierfache, Achtfache der ersten Blinds: Kleine Stacks können nicht ewig warten, und das Spiel kommt zu einem Ende.',
      ],
      handLimit: ['Das Spiel endet', 'Nach wie vielen Händen Schluss ist.', ''],
      turn: ['Bedenkzeit', 'Läuft sie ab, checkst du, wenn das geht, und foldest sonst.', ''],
      fold: [
        'Fold, wenn ein Check nichts kostet',
        'Ob man eine Hand aufgeben darf, die nichts kostet.',
        '',
      ],
      raise: [
        'Raise, den niemand callen kann',
        'Ob man erhöhen darf, wenn alle anderen all-in sind. Die Chips kämen nur zurück.',
        '',
      ],
      reopen: [
        'Mehrere kleine All-ins',
        'Ob durch sie wieder erhöhen darf, wer schon gehandelt hat.',
        '',
      ],
      burn: ['Weggelegte Karten', 'Ob vor Flop, Turn und River eine Karte weggelegt wird.', ''],
      button: ['Der Button', 'Wohin er geht, wenn jemand ausscheidet.', ''],
      showdown: ['Zeigen', 'Wer am Ende die Karten aufdeckt.', ''],
      hold: ['Dein Platz bleibt dir', 'Wie lange, wenn du mittendrin gehst.', ''],
      counts: ['Zählt für', 'Wohin die Ergebnisse gehen.', ''],
    },
    seats: (min, max) => (min === max ? `${min}` : `${min} bis ${max}`),
    blinds: ({ small, big }) => `${small} / ${big}`,
    buyIn: ({ min, max, step }) => `${min} bis ${max}, in Schritten von ${step}`,
    equal: (chips) => `je ${chips}`,
    topUp: {
      manual_to_max: ({ buyIn }) => `wenn du willst, auf genau ${buyIn?.max ?? ''}`,
      auto_to_start: ({ equal }) => `von selbst, wieder auf ${equal ?? ''}`,
      off: () => 'nein',
    },
    bust: {
      end_match: 'das Match ist vorbei',
      rebuy: 'du bekommst neue Chips',
      out: 'du bist ausgeschieden und darfst zusehen',
    },
    hands: (count) => `nach ${count} Händen`,
    every: (count) => `alle ${count} Hände`,
    seconds: (count) => `${count} Sekunden`,
    unlimited: 'so lange du willst',
    allowed: 'erlaubt, nach einer Rückfrage',
    offered: 'erlaubt',
    forbidden: 'nicht angeboten',
    reopen: { cumulative: 'sobald sie zusammen einen vollen Raise ergeben', single: 'nie' },
    button: {
      moving: 'zum nächsten Spieler mit Chips',
      dead: 'zum nächsten Platz, auch wenn dort niemand sitzt',
    },
    showdown: {
      all_at_once: 'alle zugleich',
      last_aggressor_first: 'zuerst, wer zuletzt gesetzt hat',
    },
    hours: (count) => `${count} Stunden`,
    counts: {
      river_board: 'die Rangliste',
      party_rating: 'die Wertung der Runden',
      none: 'nichts',
    },
  },

  conventions: {
    fold: 'Du kannst nicht folden, wenn es nichts mitzugehen gibt: Ein Check kostet nichts.',
    raise:
      'Du kannst nicht erhöhen, wenn niemand mehr da ist, der mehr callen könnte: Die Chips kämen nur zurück.',
    note: 'Beides ist keine Regel der TDA.',
  },

  river: {
    who: 'River ist ein Computer. Er sieht seine eigenen zwei Karten, das Board und was jeder dich tun sehen konnte. Deine Karten kommen in der Frage, die ihm gestellt wird, nicht vor.',
    start: ({ floor, floorBb }) =>
      `River beginnt mit ${floor ?? ''} (${floorBb ?? ''}), egal, was du mitbringst. Vor jeder Hand füllt er darauf auf, wenn er weniger hat; was er darüber gewonnen hat, bleibt im Spiel.`,
    bust: ({ floorBb }) =>
      `Gewinnst du alles, was River hat, kauft er sich wieder für ${floorBb ?? ''} ein, und es geht weiter.`,
  },

  match: {
    length:
      'Ein Match geht vom Platznehmen, bis du abrechnest oder keine Chips mehr hast, über so viele Hände, wie du willst. Das Ergebnis jeder Hand wird festgehalten.',
    buyIn: ({ buyIn }) =>
      buyIn
        ? `Du bringst ${buyIn.min} bis ${buyIn.max} Chips mit (${buyIn.minBb} bis ${buyIn.maxBb}), in Schritten von ${buyIn.step} (${buyIn.stepBb}).`
        : '',
    next: 'Nach einer Hand geschieht nichts, bis du wählst: nächste Hand, auffüllen, oder abrechnen und gehen.',
    topUp: ({ buyIn }) =>
      `Auffüllen geht zwischen zwei Händen, solange du weniger als ${buyIn?.maxBb ?? ''} hast, und immer auf genau so viel.`,
    winnings: ({ buyIn }) =>
      `Was du über ${buyIn?.maxBb ?? ''} hinaus gewinnst, bleibt vor dir und im Spiel. Man kann es nicht vom Tisch nehmen.`,
    bust: 'Verlierst du alles, ist das Match vorbei: Dann bleibt nur, abzurechnen und zu gehen.',
    one: 'Du hast ein Match auf einmal. Wenn du dich neu setzt, endet das, was du verlassen hast, und vorher erfährst du, was daraus wird.',
  },

  party: {
    rules:
      'Die Runde einigt sich vor dem Anfang auf ihre Regeln; die obigen sind die, von denen sie ausgeht.',
    end: ({ handLimit }) =>
      `Nach ${handLimit} Händen gewinnt der größte Stack, abzüglich dessen, was dazugelegt wurde. Gleiche Stacks sind ein Unentschieden.`,
    gone: 'Für Spieler, die nicht zurückkommen, spielt der Computer, bis sie ihren Platz wieder einnehmen.',
  },
  practice: {
    free: 'Hier zählt nichts, Chips gehen nicht aus, und Hinweise sagen, was eine Hand wert ist.',
  },

  leaving: {
    kept: ({ hours }) =>
      `Dein Platz und deine Karten bleiben dir ${hours} Stunden, gerechnet von deinem letzten Zug oder davon, wann du an die Reihe kamst, je nachdem, was später war. Die Zeit, die River braucht, geht nicht auf dich. Kommst du rechtzeitig zurück, geht dieselbe Hand weiter.`,
    otherwise:
      'Kommst du nicht rechtzeitig zurück oder fängst vorher ein anderes Match an, geschieht dies:',
    where: 'Wo du gegangen bist',
    then: 'Was geschieht',
    rows: [
      [
        'Zwischen zwei Händen',
        'Das Match wird abgerechnet, wie es steht. Jede fertige Hand zählt.',
      ],
      [
        'In der ersten Hand, nach höchstens drei Zügen',
        'Das Match wird abgebrochen und hinterlässt keine Spur in deiner Bilanz. Ein Zug ist ein Check, Call, Bet, Raise oder Fold.',
      ],
      [
        'In der ersten Hand, nach mehr als drei Zügen',
        'Der Computer spielt die Hand mit deinen Karten zu Ende und sieht dabei nur, was du sehen würdest. Sie zählt, mit dem Vermerk „KI entschied“.',
      ],
      [
        'In einer späteren Hand, vor deinem ersten Zug darin',
        'Diese Hand wird abgebrochen, und die Blinds gehen zurück. Sie wird nicht weitergespielt. Fertige Hände zählen.',
      ],
      [
        'In einer späteren Hand, nach höchstens drei Zügen im ganzen Match',
        'Diese Hand wird abgebrochen. Fertige Hände zählen.',
      ],
      [
        'In einer späteren Hand, nach einem Zug darin und mehr als drei im Match',
        'Der Computer spielt diese Hand mit deinen Karten zu Ende. Sie zählt, mit dem Vermerk „KI entschied“, ebenso wie die fertigen.',
      ],
      [
        'All-in, wenn nichts mehr zu entscheiden ist',
        'Die Hand wird zu Ende gegeben und zählt wie jede andere.',
      ],
    ],
  },

  board: {
    average:
      'Die Reihenfolge bestimmt das durchschnittliche Ergebnis, in Big Blinds je 100 Hände (BB/100). Ein zehntel Big Blind Gewinn je Hand ist +10.',
    rank: (hands) =>
      hands === null
        ? 'Ein Rang braucht viele Hände, weil ein Durchschnitt über wenige kaum mehr als Glück ist. Bis dahin stehst du unter „Auf dem Weg“.'
        : `Ein Rang braucht ${hands} Hände, weil ein Durchschnitt über weniger kaum mehr als Glück ist. Bis dahin stehst du unter „Auf dem Weg“, mit deinem bisherigen Durchschnitt.`,
    counts:
      'Es zählen die fertigen Hände abgerechneter Matches und Hände, die der Computer für jemanden zu Ende gespielt hat. Abgebrochene Hände zählen nicht.',
    ties: 'Gleiche Durchschnitte teilen sich einen Rang.',
  },

  bar: {
    server:
      'Jeder Betrag auf einem Knopf kommt vom Server, was du sendest, ist also immer erlaubt.',
    total: ({ bb }) =>
      `„Raise auf ${bb(3)}“ heißt ${bb(3)} in dieser Runde, mit dem, was du schon eingesetzt hast. Am oberen Ende steht dort ALL-IN.`,
    sizes: 'Ein Knopf für eine Einsatzhöhe füllt den Betrag ein; er handelt nie.',
    size: 'Knopf',
    amount: 'Betrag',
    rows: {
      min: ['Min', 'Der kleinste Einsatz oder Raise.'],
      bb: ['2 BB, 2,5 BB …', 'So viele Big Blinds, als dein ganzer Einsatz der Runde.'],
      share: [
        '50 %, ⅔ Pot, Pot …',
        'Der höchste Einsatz der Runde, und dieser Teil des Pots, wie er nach deinem Call wäre.',
      ],
      allIn: ['All-in', 'Alles, was vor dir liegt.'],
    },
    grey: 'Ein Knopf ist grau, wenn sein Betrag unter dem kleinsten Raise liegt oder über deinem Stack. Drück ihn, um zu hören, was davon gilt.',
    yours: ({ sizes }) =>
      `Du kannst eigene wählen, bis zu ${sizes} vor dem Flop und ${sizes} danach. Sie stehen in deinem Konto.`,
    slider: ({ bb }) =>
      `− und + ändern den Betrag um einen halben Big Blind, und immer weiter, solange du sie hältst. In das Feld kannst du jeden Betrag schreiben, in Chips oder in Big Blinds: ${bb(3)} oder 3bb.`,
    shown:
      'Was die anderen tun, wird nacheinander gezeigt. „Überspringen“ geht gleich bis zum Ende.',
    corner: 'In der Ecke des Tisches steht dein bisheriges Ergebnis im Match, in Big Blinds.',
  },

  faq: {
    rows: {
      gone: [
        'Was, wenn meine Verbindung abreißt?',
        'Deine Hand bleibt, wie sie ist. Bist du wieder da, geht es am Tisch weiter, wo er war; in der Zwischenzeit wird nichts für dich entschieden.',
      ],
      cards: [
        'Lassen sich die Karten manipulieren?',
        'Vor jeder Hand legt sich der Server auf die Reihenfolge der Karten fest. Danach lässt sich alles, was aufgedeckt wurde, in deinem Browser daran prüfen.',
      ],
      noRaise: [
        'Warum gibt es keinen Raise-Knopf?',
        'Erhöhen kannst du nur, solange dir nach einem Call Chips bleiben und noch jemand mehr callen könnte.',
      ],
      account: [
        'Brauche ich ein Konto?',
        'Nein. Als Gast kennt man dich an einem Cookie dieses Browsers; wird es gelöscht, ist deine Bilanz nicht mehr zu erreichen.',
      ],
      money: [
        'Geht es um Geld?',
        'Nein. Chips sind Punkte. Man kann sie nicht kaufen, und sie sind anderswo nichts wert.',
      ],
    },
    bigBlinds: {
      question: 'Was heißt ein Ergebnis von +12,5 BB?',
      answer: (chips, { small, big }) =>
        `Dass du 12,5 Big Blinds gewonnen hast. Bei Blinds von ${small} und ${big} sind das ${chips} Chips.`,
    },
  },
};
