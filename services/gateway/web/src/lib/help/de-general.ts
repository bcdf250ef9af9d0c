/** Help that is the same at every table, in German. */
import type { HelpWords } from './en';

export const general: HelpWords['general'] = {
  title: 'Regeln und Hilfe',
  lead: 'Wie das Spiel geht, wie es auf dieser Seite ist, und wie man es mit Maus, Tastatur oder nach Gehör spielt.',
  rulesOf: (table) => `Regeln: ${table}`,
  contents: 'Auf dieser Seite',
  all: 'Alle Hilfe',
  play: 'Gegen den Computer spielen',
  playing: 'Du nimmst Platz …',
  bring: (chips, bb) => `Du setzt dich mit ${chips} Chips (${bb}).`,
  notOpen: 'Dieser Tisch ist noch nicht offen.',

  sections: {
    tables: 'Regeln der einzelnen Tische',
    keys: 'Tasten',
    text: 'Der Tisch als Text',
    terms: 'Begriffe',
  },
  open: 'offen',
  later: 'öffnet später',

  keysHint:
    'Am Tisch, und nie, während du schreibst. In den Einstellungen kannst du sie ändern oder ausschalten.',
  noKey: 'keine Taste',
  sizes: 'die Knöpfe der Einsatzhöhen, vom ersten an',

  text: {
    intro:
      'Der Tisch lässt sich als Text lesen, mit Überschriften, einem Verlauf und einem Feld, in das du schreibst, was du tust. Es ist derselbe Tisch: dieselben Karten, dieselben Befehle wie die der Tasten, dieselben Ergebnisse. Wähle ihn in den Einstellungen, oder mit dem Link „Texttisch“, der an jedem Tisch beim Drücken der Tabulatortaste zuerst kommt.',
    command: 'Befehl',
    does: 'Was er tut',
  },

  terms: [
    ['Pot', 'Die Chips, die eingesetzt sind. Wer die Hand gewinnt, bekommt sie.'],
    [
      'Hauptpot, Nebenpot',
      'Was alle gewinnen können; und was nur gewinnen kann, wer mehr gezahlt hat als jemand, der all-in ist.',
    ],
    ['Blinds (SB, BB)', 'Der kleine und der große Einsatz, die vor den Karten gebracht werden.'],
    ['Button (BTN, D)', 'Der Platz des Gebers, und die Scheibe, die ihn anzeigt.'],
    ['Hole Cards', 'Deine zwei Karten, die nur du siehst.'],
    ['Board', 'Die offenen Karten in der Mitte, für alle.'],
    [
      'Flop, Turn, River',
      'Die ersten drei Karten des Boards, die vierte, die fünfte. River heißt auch der Computer.',
    ],
    [
      'Check, Call, Bet, Raise',
      'Weitergeben, ohne zu zahlen; mitgehen; die ersten Chips einer Runde setzen; erhöhen.',
    ],
    ['Fold', 'Die Hand aufgeben.'],
    ['All-in', 'Mit allem, was vor dir liegt, im Pot.'],
    ['Kleines All-in', 'Ein All-in, das kleiner ist als ein voller Einsatz oder Raise.'],
    ['Voller Raise', 'Ein Raise um mindestens so viel wie der Einsatz oder Raise davor.'],
    ['Ungecallter Einsatz', 'Der Teil eines Einsatzes, den niemand mitging. Er kommt zurück.'],
    [
      'Kicker',
      'Eine Karte, die nicht zum Paar oder Drilling gehört, aber zwischen gleichen entscheidet.',
    ],
    ['Showdown', 'Wenn die übrigen Hände aufgedeckt und verglichen werden.'],
    ['Run-out', 'Der Rest des Boards, wenn niemand mehr setzen kann.'],
    ['Stack', 'Die Chips vor einem Spieler.'],
    ['Buy-in', 'Die Chips, die jemand an den Tisch mitbringt.'],
    [
      'Auffüllen, Rebuy',
      'Zwischen zwei Händen Chips dazulegen; neue bringen, wenn alle verloren sind.',
    ],
    [
      'Hand',
      'Vom Geben der Karten, bis der Pot gewonnen ist; auch die fünf Karten, die ihn gewinnen.',
    ],
    ['Zug', 'Ein Check, Call, Bet, Raise oder Fold von dir.'],
    ['Match', 'Alle Hände vom Platznehmen bis zum Abrechnen.'],
    ['Abrechnen', 'Ein Match beenden, so dass es zählt.'],
    ['KI entschied', 'Eine Hand, die der Computer für jemanden zu Ende gespielt hat.'],
    ['Abgebrochen', 'Es zählt nicht.'],
    ['Auf dem Weg', 'Mit noch zu wenig Händen für einen Rang.'],
    ['BB/100', 'Das durchschnittliche Ergebnis, in Big Blinds je 100 Hände.'],
    ['Überzähliger Chip', 'Was übrig bleibt, wenn sich ein Pot nicht gleich teilen lässt.'],
    ['Weggelegte Karte', 'Eine Karte, die ungesehen zur Seite kommt, bevor das Board weitergeht.'],
  ],
};
