/** The rules of the game, in German. */
import type { HelpWords } from './en';

export const game: HelpWords['game'] = {
  title: 'Das Spiel',
  sections: {
    nutshell: 'Kurz gesagt',
    hand: 'Eine Hand von Anfang bis Ende',
    actions: 'Was du tun kannst, und wann',
    sizes: 'Wie viel du setzen kannst',
    positions: 'Positionen',
    special: 'Besondere Lagen',
    rankings: 'Welche Hand gewinnt',
    scoring: 'Wie ein Ergebnis gezählt wird',
    examples: 'Beispiele',
  },

  nutshell: {
    goal: 'Du gewinnst Chips, indem du Pots gewinnst. Dafür gibt es zwei Wege: Alle anderen steigen aus, oder deine fünf Karten sind beim Vergleich die besten.',
    cards:
      'Du bekommst zwei Karten, die sonst niemand sieht. Fünf weitere werden offen für alle ausgelegt. Deine Hand sind die besten fünf dieser sieben, ob darin beide deiner Karten stecken, eine oder keine. Ein Spiel mit 52 Karten, ohne Joker.',
    limit: 'Es gibt kein Limit: Wenn du dran bist, darfst du bis zu deinem ganzen Stack einsetzen.',
    headsUp: 'An diesem Tisch seid ihr zu zweit. Das nennt man Heads-up.',
    seats: ({ seats }) => `An diesem Tisch sitzen ${seats.min} bis ${seats.max} Spieler.`,
  },

  hand: {
    button: ({ headsUp }) =>
      headsUp
        ? 'Eine Scheibe mit einem D, der Button, zeigt, wer gibt. Sie wechselt nach jeder Hand die Seite.'
        : 'Eine Scheibe mit einem D, der Button, zeigt, wer gibt. Sie rückt nach jeder Hand einen Platz nach links.',
    blinds: ({ headsUp, small, big }) =>
      headsUp
        ? `Bevor Karten kommen, bringt der Button den Small Blind von ${small} und der andere Spieler den Big Blind von ${big}.`
        : `Bevor Karten kommen, bringt der Spieler links vom Button den Small Blind von ${small} und der nächste den Big Blind von ${big}.`,
    ante: (ante) => `Außerdem zahlt jeder ein Ante von ${ante}.`,
    deal: 'Jeder bekommt zwei verdeckte Karten, einzeln, angefangen links vom Button.',
    preflop: ({ headsUp }) =>
      headsUp
        ? 'Die erste Setzrunde beginnt der Button.'
        : 'Die erste Setzrunde beginnt links vom Big Blind und geht im Uhrzeigersinn weiter; die Blinds sind zuletzt dran.',
    board:
      'In der Mitte werden drei Karten aufgedeckt (der Flop), dann eine vierte (der Turn), dann eine fünfte (der River). Auf jedes davon folgt eine Setzrunde.',
    burn: 'Davor wird jedes Mal die oberste Karte des Stapels verdeckt weggelegt, damit niemand gesehen haben kann, was kommt.',
    postflop: ({ headsUp }) =>
      headsUp
        ? 'In diesen Runden ist der Spieler ohne Button zuerst dran und der Button zuletzt.'
        : 'Diese Runden beginnt der erste Spieler links vom Button, der noch dabei ist.',
    roundEnds:
      'Eine Runde ist vorbei, wenn alle, die noch dabei sind, gehandelt und gleich viel eingesetzt haben oder all-in sind.',
    showdown: {
      all_at_once:
        'Sind nach der letzten Runde noch zwei oder mehr dabei, werden alle ihre Hände zugleich aufgedeckt. Die besten fünf Karten gewinnen den Pot und werden hervorgehoben.',
      last_aggressor_first:
        'Sind nach der letzten Runde noch zwei oder mehr dabei, zeigt zuerst, wer zuletzt gesetzt oder erhöht hat. Die besten fünf Karten gewinnen den Pot.',
    },
    allFold:
      'Sobald nur einer nicht ausgestiegen ist, ist die Hand vorbei: Er gewinnt den Pot, und niemand zeigt eine Karte.',
  },

  actions: {
    action: 'Aktion',
    when: 'Wann',
    rows: {
      check: ['Check', 'Es gibt nichts mitzugehen: Du gibst weiter, ohne zu zahlen.'],
      call: [
        'Call',
        'Jemand hat gesetzt oder erhöht: Du gehst mit, oder gibst alles, was du noch hast, wenn das weniger ist.',
      ],
      bet: ['Bet', 'In dieser Runde hat noch niemand gesetzt: Du bringst die ersten Chips.'],
      raise: [
        'Raise auf',
        'Jemand hat gesetzt: Du machst mehr daraus. Die Zahl ist dein ganzer Einsatz dieser Runde, nicht das, was du dazulegst.',
      ],
      fold: ['Fold', 'Du gibst die Hand auf. Was du eingesetzt hast, bleibt im Pot.'],
      allIn: [
        'All-in',
        'Keine eigene Aktion, sondern ein Call, Bet oder Raise mit allem, was vor dir liegt.',
      ],
    },
    noFreeFold: 'Hier wird das nicht angeboten, wenn ein Check nichts kostet.',
    freeFold: 'Kostet ein Check nichts, wirst du vorher gefragt, ob du es so meinst.',
  },

  sizes: {
    least: ({ big }) =>
      `Der kleinste Einsatz ist ein Big Blind, ${big}, oder dein ganzer Stack, wenn er kleiner ist.`,
    raise:
      'Ein Raise muss mindestens so viel dazulegen wie der letzte volle Einsatz oder Raise derselben Runde. Vor dem Flop gilt der Big Blind als Einsatz.',
    allIn: 'Ein All-in ist die Ausnahme: Es darf weniger sein.',
    most: 'Das Höchste ist dein ganzer Stack, auch wenn sonst niemand so viel hat: Was keiner mitgehen kann, kommt zu dir zurück.',
    never:
      'Niemand wird aus einer Hand gedrängt, weil ihm Chips fehlen. Mitgehen kannst du immer mit dem, was du hast.',
  },

  positions: {
    headsUp: [
      [
        'BTN/SB',
        'Der Button. Zu zweit ist er auch der Small Blind: vor dem Flop zuerst dran, in jeder späteren Runde zuletzt.',
      ],
      ['BB', 'Der Big Blind: vor dem Flop zuletzt dran, in jeder späteren Runde zuerst.'],
    ],
    ring: {
      BTN: 'Der Button: nach dem Flop zuletzt dran.',
      SB: 'Der Small Blind, links vom Button.',
      BB: 'Der Big Blind, der nächste Platz: vor dem Flop zuletzt dran.',
      UTG: '„Under the gun“, links vom Big Blind: vor dem Flop zuerst dran.',
      'UTG+1': 'Der Platz danach.',
      'UTG+2': 'Und der nächste.',
      LJ: 'Lojack, drei vor dem Button.',
      HJ: 'Hijack, zwei vor dem Button.',
      CO: 'Cutoff, gleich vor dem Button.',
    },
    from: (players) => `ab ${players} Spielern`,
  },

  special: {
    option: ({ headsUp }) =>
      headsUp
        ? 'Geht der Button vor dem Flop nur mit, darf der Big Blind noch checken oder erhöhen.'
        : 'Erhöht vor dem Flop niemand, darf der Big Blind noch checken oder erhöhen.',
    shortAllIn: {
      headsUp:
        'Ein All-in darf kleiner sein als ein voller Raise. Der andere kann dann callen oder folden: Wer all-in ist, könnte keinen weiteren Raise mitgehen.',
      cumulative:
        'Ein All-in, das kleiner ist als ein voller Einsatz oder Raise, öffnet die Runde nicht wieder für die, die schon gehandelt haben: Sie können callen oder folden. Das ändert sich, sobald das, was andere seit deiner letzten Aktion dazugelegt haben, zusammen einen vollen Raise ergibt. Wer noch nicht gehandelt hat, darf erhöhen.',
      single:
        'Ein All-in, das kleiner ist als ein voller Einsatz oder Raise, öffnet die Runde nicht wieder für die, die schon gehandelt haben: Sie können nur callen oder folden, wie viele solcher All-ins auch aufeinander folgen. Wer noch nicht gehandelt hat, darf erhöhen.',
    },
    shortBlind: ({ headsUp, big }) =>
      headsUp
        ? 'Wer weniger hat als den Blind, bringt, was da ist, und ist all-in; was der andere darüber hinaus eingesetzt hat, kommt zurück.'
        : `Wer weniger hat als den Blind, bringt, was da ist, und ist all-in. Die anderen callen trotzdem den vollen Big Blind von ${big}, und der kleinste Raise bleibt derselbe.`,
    uncalled:
      'Ist eine Runde vorbei, kommt zu dir zurück, was du über alle anderen hinaus eingesetzt hast. Es stand nie auf dem Spiel.',
    runOut:
      'Wenn niemand mehr setzen könnte, werden zuerst die Karten aller aufgedeckt, die noch dabei sind, und dann der Rest des Boards, eine Runde nach der anderen.',
    sidePots:
      'Wer all-in ist, kann von jedem Gegner höchstens so viel gewinnen, wie er selbst eingesetzt hat. Was darüber hinausgeht, ist ein Nebenpot, den nur gewinnen kann, wer in ihn eingezahlt hat. Davon kann es mehrere geben. Chips von Ausgestiegenen bleiben, wo sie sind.',
    split: ({ headsUp }) =>
      headsUp
        ? 'Gleiche Hände teilen sich den Pot.'
        : 'Gleiche Hände teilen sich den Pot. Chips, die sich nicht teilen lassen, gehen einzeln an die Gewinner, angefangen links vom Button, in jedem Pot für sich.',
  },

  rankings: {
    hint: 'Die besten zuerst.',
    hands: {
      straightFlush: [
        'Straight Flush',
        'Fünf in einer Reihe, alle von einer Farbe. Bis zum Ass heißt er Royal Flush.',
      ],
      quads: ['Vierling', 'Alle vier Karten eines Werts.'],
      fullHouse: ['Full House', 'Drei von einem Wert und zwei von einem anderen.'],
      flush: ['Flush', 'Fünf von einer Farbe.'],
      straight: ['Straße', 'Fünf in einer Reihe.'],
      trips: ['Drilling', 'Drei von einem Wert.'],
      twoPair: ['Zwei Paar', 'Zwei von einem Wert und zwei von einem anderen.'],
      pair: ['Ein Paar', 'Zwei von einem Wert.'],
      highCard: ['Höchste Karte', 'Nichts davon.'],
    },
    notes: [
      'Die Werte gehen vom Ass hinunter bis zur Zwei. Farben haben keinen Rang.',
      'In einer Straße darf das Ass auch unter der Zwei stehen: A 2 3 4 5 ist die niedrigste. Um die Ecke geht es nie, wie in Q K A 2 3.',
      'Bei zwei Händen derselben Art werden zuerst die Werte verglichen, die sie ausmachen, dann die übrigen Karten von der höchsten an, die Kicker. Sind alle fünf gleich, wird der Pot geteilt.',
      'Ist das Board allein die beste Hand, teilen sich alle, die noch dabei sind, den Pot.',
    ],
  },

  scoring: {
    hand: ({ big }) =>
      `Das Ergebnis einer Hand ist, was du aus ihr zurückbekommst, weniger, was du eingesetzt hast. Geschrieben wird es in Big Blinds: ${big} Chips sind 1 BB.`,
    buyIns:
      'Was du mitbringst oder dazulegst, hat damit nichts zu tun: Nur gewonnene und verlorene Chips zählen.',
    zero: 'Vom Pot geht nichts ab. Die Ergebnisse aller Spieler ergeben in jeder Hand zusammen null.',
  },

  examples: {
    minRaise: {
      title: 'Der kleinste Raise',
      text: ({ big, bb }) =>
        `Der Big Blind ist ${big}, und jemand erhöht auf ${bb(3)}, also um ${bb(2)}. Der nächste Raise geht mindestens auf ${bb(5)}, und der danach auf ${bb(7)}.`,
    },
    total: {
      title: 'Der ganze Einsatz der Runde',
      text: ({ big, bb }) =>
        `Du hast den Big Blind von ${big} gebracht und erhöhst auf ${bb(3)}: Auf dem Knopf steht ${bb(3)}, und ${bb(2)} verlassen deinen Stack.`,
    },
    uncalled: {
      title: 'Was zurückkommt',
      text: ({ bb }) =>
        `Du setzt ${bb(5)}. Der andere hat nur ${bb(2)} und callt all-in. ${bb(3)} kommen zu dir zurück, und jeder von euch hat ${bb(2)} im Pot.`,
    },
    share: {
      title: 'Ein Teil des Pots',
      text: ({ bb }) =>
        `Im Pot liegen mit allen Einsätzen ${bb(9)}, und ${bb(3)} davon sind ein Einsatz, dem du gegenüberstehst. Nach deinem Call wären es ${bb(12)}. Die Hälfte davon ist ${bb(6)}, also erhöht „50 %“ auf ${bb(9)}: den Einsatz von ${bb(3)} und ${bb(6)} obendrauf.`,
    },
    short: {
      title: 'Kleine All-ins',
      cumulative: ({ bb, big, small }) =>
        `Auf dem Flop setzt du ${big}. Einer geht mit ${small} mehr all-in, was kein voller Raise ist, ein anderer mit insgesamt ${bb(2)}. Zusammen haben sie ${big} dazugelegt, einen vollen Raise: Du darfst wieder erhöhen, mindestens auf ${bb(3)}.`,
      single: ({ bb, big, small }) =>
        `Auf dem Flop setzt du ${big}. Einer geht mit ${small} mehr all-in, was kein voller Raise ist, ein anderer mit insgesamt ${bb(2)}. Keines davon war ein voller Raise: Du kannst ${big} callen oder folden.`,
    },
    sidePot: {
      title: 'Drei All-ins',
      text: ({ bb }) =>
        `Ana geht mit ${bb(2)} all-in, Ben mit ${bb(5)}, und Cara callt mit ${bb(10)}. Um den Hauptpot von ${bb(6)} spielen alle drei. Um den Nebenpot von ${bb(6)} spielen Ben und Cara. Bei Caras letzten ${bb(5)} ist niemand mitgegangen: Sie kommen zurück.`,
    },
    kicker: {
      title: 'Die fünfte Karte entscheidet',
      text: 'Das Board ist A♠ 7♥ 7♦ 2♣ 2♠. Du hältst A♦ K♦, dein Gegner A♣ Q♣. Beide haben Asse und Siebenen; dein König schlägt die Dame.',
    },
    result: {
      title: 'Was du gewonnen hast',
      text: ({ bought, left, added, leave, result }) =>
        `Du bringst ${bought} mit, fällst auf ${left}, füllst mit ${added} auf und gehst mit ${leave}. Dein Ergebnis ist ${result}: womit du gehst, weniger alles, was du mitgebracht hast.`,
    },
  },

  source: 'Die Spielregeln folgen denen der Poker TDA, des Verbands der Turnierleiter.',
  updated: (date) => `Zuletzt geändert: ${date}.`,
};
