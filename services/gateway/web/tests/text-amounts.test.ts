/** What the text table advises can be typed as it stands, in the unit and language of the reader. */
import { afterEach, describe, expect, it } from 'vitest';

import { speak } from '../src/lib/language.svelte';
import type { Money } from '../src/lib/labels';
import { DEFAULTS, adopt } from '../src/lib/settings.svelte';
import { parseAmount } from '../src/lib/sizing';
import { commandRows, example } from '../src/lib/text/describe';
import { answerTo } from '../src/lib/text/obey';
import { parseLine } from '../src/lib/text/parse';
import { textWords } from '../src/lib/text/words';
import { TableSession } from '../src/lib/table.svelte';
import { FakeClock } from './clock';
import { answers } from './server';
import { YOU, legal, snapshot } from './support';

const CHIPS: Money = { unit: 'chips', bigBlind: 100 };
const BLINDS: Money = { unit: 'bb', bigBlind: 100 };
const server = answers();

afterEach(async () => {
  server.restore();
  adopt({ ...DEFAULTS });
  await speak('en');
});

/** The amounts behind "bet" and "raise" in a sentence, in chips. */
function advised(sentence: string, how: Money): (number | null)[] {
  const lines = sentence.match(/\b(?:bet|raise) [0-9]+(?:[.,][0-9]+)*(?: BB)?/g) ?? [];
  return lines.map((line) => parseAmount(parseLine(line)?.rest ?? '', how.bigBlind, how.unit));
}

describe.each([
  ['en', CHIPS, '900'],
  ['en', BLINDS, '9 BB'],
  ['de', CHIPS, '900'],
  ['de', BLINDS, '9 BB'],
] as const)('in %s with %o', (spoken, how, nine) => {
  it('the hint and the help name amounts that mean what they say', async () => {
    await speak(spoken);
    const words = textWords();
    expect(words.hint(example(9, how))).toContain(`raise ${nine}`);
    expect(advised(words.hint(example(9, how)), how)).toEqual([900]);
    const told = commandRows(how).flatMap(([, does]) => advised(does, how));
    expect(told).toEqual([300, 900]);
  });

  it('a refused amount is answered with one that is taken', async () => {
    await speak(spoken);
    adopt({ unit: how.unit });
    server.install();
    server.next(200, snapshot({ turn: { seat: YOU }, legal: legal() }));
    const clock = new FakeClock();
    const table = new TableSession('t_1', { summary: () => undefined }, undefined, clock);
    await table.start();
    clock.advance(1000);
    const sent: unknown[] = [];
    const ports = {
      table,
      obey: (command: unknown) => sent.push(command),
      handName: () => '',
      rules: () => undefined,
      picture: () => undefined,
    };
    const refused = answerTo('raise much', ports);
    expect([refused.keep, sent]).toEqual([true, []]);
    expect(refused.lines()[0]).toContain(nine);
    const taken = answerTo(`raise ${nine}`, ports);
    expect([taken.keep, taken.lines()]).toEqual([false, []]);
    expect([table.amount, sent]).toEqual([900, [{ do: 'bet_raise' }]]);
  });
});
