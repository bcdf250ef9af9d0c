/** Hands in German. The server names them in English: "Two pair, aces and eights". */

/** One, several, and up to where a straight goes. */
const RANKS: Readonly<Record<string, readonly [string, string, string]>> = {
  deuce: ['Zwei', 'Zweien', 'zur Zwei'],
  three: ['Drei', 'Dreien', 'zur Drei'],
  four: ['Vier', 'Vieren', 'zur Vier'],
  five: ['Fünf', 'Fünfen', 'zur Fünf'],
  six: ['Sechs', 'Sechsen', 'zur Sechs'],
  seven: ['Sieben', 'Siebenen', 'zur Sieben'],
  eight: ['Acht', 'Achten', 'zur Acht'],
  nine: ['Neun', 'Neunen', 'zur Neun'],
  ten: ['Zehn', 'Zehnen', 'zur Zehn'],
  jack: ['Bube', 'Buben', 'zum Buben'],
  queen: ['Dame', 'Damen', 'zur Dame'],
  king: ['König', 'Könige', 'zum König'],
  ace: ['Ass', 'Asse', 'zum Ass'],
};

const rank = (word: string, form: 0 | 1 | 2): string =>
  RANKS[word === 'sixes' ? 'six' : word.replace(/s$/, '')]?.[form] ?? word;

type Said = (one: string, two: string) => string;

const PATTERNS: readonly (readonly [RegExp, Said])[] = [
  [/^High card, (\w+)$/, (one) => `${rank(one, 0)} hoch`],
  [/^Pair of (\w+)$/, (one) => `Paar ${rank(one, 1)}`],
  [/^Two pair, (\w+) and (\w+)$/, (one, two) => `Zwei Paar, ${rank(one, 1)} und ${rank(two, 1)}`],
  [/^Three of a kind, (\w+)$/, (one) => `Drilling ${rank(one, 1)}`],
  [/^Straight, (\w+) high$/, (one) => `Straße bis ${rank(one, 2)}`],
  [/^Flush, (\w+) high$/, (one) => `Flush, ${rank(one, 0)} hoch`],
  [
    /^Full house, (\w+) full of (\w+)$/,
    (one, two) => `Full House, ${rank(one, 1)} über ${rank(two, 1)}`,
  ],
  [/^Four of a kind, (\w+)$/, (one) => `Vierling ${rank(one, 1)}`],
  [/^Straight flush, (\w+) high$/, (one) => `Straight Flush bis ${rank(one, 2)}`],
  [/^Royal flush$/, () => 'Royal Flush'],
];

/** A name that is not among these stays English. */
export function handName(english: string): string {
  for (const [pattern, said] of PATTERNS) {
    const found = pattern.exec(english);
    if (found) return said(found[1] ?? '', found[2] ?? '');
  }
  return english;
}
