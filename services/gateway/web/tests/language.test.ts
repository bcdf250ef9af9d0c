import { readdirSync, readFileSync } from 'node:fs';

import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';

import Shortcuts from '../src/components/Shortcuts.svelte';
import { cardName } from '../src/lib/cards';
import { chips, duration, figure, moment, result, signed } from '../src/lib/format';
import { greyText, raiseLabel, sizeLabel, turnAnnouncement } from '../src/lib/labels';
import { browserLanguage, language, m, speak, startLanguage } from '../src/lib/language.svelte';
import { logLines, resultLine } from '../src/lib/log';
import { de } from '../src/lib/messages/de';
import { handName } from '../src/lib/messages/de-hands';
import { en } from '../src/lib/messages/en';
import { fromSnapshot } from '../src/lib/reducer';
import { fromAccount, toAccount } from '../src/lib/settings-account';
import { DEFAULTS, adopt, change } from '../src/lib/settings.svelte';
import { parseAmount } from '../src/lib/sizing';
import type { SavedSettings } from '../src/lib/types';
import { literals } from './literals';
import { RIVER, YOU, event, legal, preset, range, snapshot } from './support';

const CHIPS = { unit: 'chips', bigBlind: 100 } as const;

afterEach(async () => {
  adopt({ ...DEFAULTS });
  await speak('en');
});

/** Every text of a catalogue by its path, and functions by what they say of example values. */
function texts(words: unknown, path = ''): [string, string][] {
  if (typeof words === 'string') return [[path, words]];
  if (typeof words === 'function') {
    const say = words as (...given: unknown[]) => unknown;
    return [[path, String(say('A', 's', 'x', 'y'))]];
  }
  return Object.entries(words as object).flatMap(([name, inner]) =>
    texts(inner, path ? `${path}.${name}` : name),
  );
}

describe('the catalogue', () => {
  it('says everything in both languages, and nothing is empty', () => {
    const [english, german] = [texts(en), texts(de)];
    expect(german.map(([path]) => path)).toEqual(english.map(([path]) => path));
    expect([...english, ...german].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('has few texts that are the same in both', () => {
    const german = new Map(texts(de));
    const same = texts(en).filter(([path, text]) => german.get(path) === text);
    // Words of the game, and what has no words in it.
    const allowed =
      /^(app$|nav\.lobby|locale|table\.(title|pot|potParts|seat|allIn|board)|bar\.(fold|check|call|callAllIn|bet|allIn|stack)$|announce\.call|did\.|size\.|lobby\.(buyIn|blinds)|summary\.buyIn|session\.nameLabel|log\.(hand|has|allIn|street|small|big)|board\.perHundred|settings\.(languages|speeds|contrasts)|customise\.(sets|kinds\.(allin|min)|examples)|card$|handName$)/;
    expect(same.filter(([path]) => !allowed.test(path))).toEqual([]);
  });

  it('uses no straight quotes or three dots', () => {
    const wrong = [...texts(en), ...texts(de)].filter(([, text]) => /\.\.\.|"/.test(text));
    expect(wrong).toEqual([]);
  });
});

describe('the language spoken', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['fr-FR', 'de'], 'de'],
    [['en-GB', 'de'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ])('for a browser that asks for %o is %s', (wishes, expected) => {
    expect(browserLanguage(wishes)).toBe(expected);
  });

  it('is the one that was chosen, at once and in what is shown already', async () => {
    const stop = await startLanguage();
    const page = mount(Shortcuts, {
      target: document.body,
      props: {
        presets: [preset('bb_2_5', '2.5 BB', 250), preset('pot_50', '50%', 600)],
        raise: range(),
        amount: 600,
        how: CHIPS,
        locked: false,
        onpick: () => undefined,
        onrefuse: () => undefined,
      },
    });
    flushSync();
    const shown = (): string =>
      [...document.querySelectorAll('button')]
        .map((button) => button.textContent.replaceAll(/\s+/g, ' ').trim())
        .join('|');
    expect(shown()).toBe('2.5 BB 250|50% 600');
    change({ language: 'de' });
    await vi.waitFor(() => expect(language.now).toBe('de'));
    flushSync();
    expect(shown()).toBe('2,5 BB 250|50 % 600');
    expect(document.querySelector('[role="group"]')?.getAttribute('aria-label')).toBe(
      'Einsatzhöhen',
    );
    expect(document.documentElement.lang).toBe('de');
    change({ language: 'en' });
    await vi.waitFor(() => expect(document.documentElement.lang).toBe('en'));
    stop();
    await unmount(page);
    document.body.innerHTML = '';
  });

  it('is the last one asked for, whichever comes first', async () => {
    await Promise.all([speak('de'), speak('en')]);
    expect([language.now, m.nav.play]).toEqual(['en', 'Play']);
  });
});

describe('in German', () => {
  it('numbers have German marks', async () => {
    await speak('de');
    expect([chips(9700), chips(9730, 'bb', 100)]).toEqual(['9.700', '97,3 BB']);
    expect([signed('+1234.50'), signed('-3.05'), signed('0.00')]).toEqual([
      '+1.234,50',
      '−3,05',
      '0,00',
    ]);
    expect([result(-125_055, 'bb', 100), result(1250, 'chips', 100)]).toEqual([
      '−1.250,55 BB',
      '+1.250',
    ]);
    expect([figure('12.5'), figure('0.0'), figure('1234')]).toEqual(['12,5', '0,0', '1.234']);
    expect(duration(83_520)).toBe('23 Std. 12 Min.');
    expect(moment('2026-11-12T09:41:00Z')).toMatch(/^12\.11\.2026/);
  });

  it.each([
    ['1.140', 1140],
    ['1140', 1140],
    ['7,5bb', 750],
    ['7.5bb', 750],
    ['1.140,5bb', 114_050],
    ['1.234.567', 1_234_567],
    ['7.500bb', null],
    ['1,140', null],
    ['12,5', null],
  ])('%s typed means %s chips', async (text, expected) => {
    await speak('de');
    expect(parseAmount(text, 100)).toBe(expected);
  });

  it('what is shown in the field is read back as what it is', async () => {
    await speak('de');
    for (const amount of [600, 1140, 9730, 123_450]) {
      expect(parseAmount(chips(amount), 100)).toBe(amount);
      expect(parseAmount(chips(amount, 'bb', 100), 100, 'bb')).toBe(amount);
    }
  });

  it('buttons, reasons and announcements are German, with the server’s numbers', async () => {
    await speak('de');
    expect(raiseLabel(range(), 1137, CHIPS)).toBe('Raise auf 1.137');
    const low = preset('bb_2', '2 BB', 200, 'below the minimum raise to 1,140');
    const raise = range({ min_to: 1140, full_min_to: 1140 });
    expect(greyText(low, raise, CHIPS)).toBe('unter dem Mindest-Raise auf 1.140');
    expect(turnAnnouncement(legal(), CHIPS)).toBe('Du bist dran. Call 300. Mindest-Raise auf 600.');
    expect(['Min', '2.5 BB', '⅔ pot', '33.3%', '2x pot', 'Pot', 'new'].map(sizeLabel)).toEqual([
      'Min',
      '2,5 BB',
      '⅔ Pot',
      '33,3 %',
      '2× Pot',
      'Pot',
      'new',
    ]);
  });

  it('cards have German names', async () => {
    await speak('de');
    expect(['As', 'Td', '2c', 'Kh'].map(cardName)).toEqual([
      'Pik-Ass',
      'Karo-Zehn',
      'Kreuz-Zwei',
      'Herz-König',
    ]);
  });

  it.each([
    ['High card, ace', 'Ass hoch'],
    ['Pair of sixes', 'Paar Sechsen'],
    ['Two pair, aces and eights', 'Zwei Paar, Asse und Achten'],
    ['Three of a kind, deuces', 'Drilling Zweien'],
    ['Straight, five high', 'Straße bis zur Fünf'],
    ['Flush, king high', 'Flush, König hoch'],
    ['Full house, jacks full of tens', 'Full House, Buben über Zehnen'],
    ['Four of a kind, queens', 'Vierling Damen'],
    ['Straight flush, jack high', 'Straight Flush bis zum Buben'],
    ['Royal flush', 'Royal Flush'],
    ['Five of a kind, aces', 'Five of a kind, aces'],
  ])('the hand %s is %s', (english, german) => {
    expect(handName(english)).toBe(german);
  });

  it('the log and the result are German sentences', async () => {
    await speak('de');
    const base = snapshot();
    const act = { all_in: false, auto: false };
    const view = fromSnapshot({
      ...base,
      hand: { ...base.hand, over: true },
      log: [
        event(1, 'action.taken', { ...act, seat: YOU, type: 'raise', to: 1200, added: 1150 }),
        event(2, 'action.taken', { ...act, seat: RIVER, type: 'fold', to: 0, added: 0 }),
        event(3, 'bet.returned', { seat: YOU, chips: 1100 }),
        event(4, 'pot.awarded', { pot_no: 0, chips: 200, winners: [{ seat: YOU, chips: 200 }] }),
      ],
    });
    expect(logLines(view, CHIPS).map((line) => line.text)).toEqual([
      'Du erhöhst auf 1.200',
      'River foldet',
      '1.100 ungecallt zurück an dich',
      'Du gewinnst 200',
    ]);
    expect(resultLine(view, CHIPS)).toBe('Du gewinnst 200 — 1.100 ungecallt zurück');
  });
});

describe('the language in the account', () => {
  const saved = (tag: string): SavedSettings =>
    ({ sounds: {}, keyboard: {}, language: tag }) as unknown as SavedSettings;

  it.each([
    ['und', 'system'],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['en', 'en'],
    ['fr', 'en'],
  ])('%s means %s, and is kept as it is', (tag, meant) => {
    const ours = fromAccount(saved(tag));
    expect(ours.language).toBe(meant);
    expect(toAccount(saved(tag), ours).language).toBe(tag);
  });

  it('is what is chosen here', () => {
    expect(toAccount(saved('en'), { ...DEFAULTS, language: 'de' }).language).toBe('de');
    expect(toAccount(saved('de'), { ...DEFAULTS }).language).toBe('und');
  });
});

describe('what stands in components', () => {
  const folders = ['src/components', 'src/routes', 'src'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.svelte'))
      .map((name) => `${folder}/${name}`),
  );
  it('is looked at', () => expect(files.length).toBeGreaterThan(30));
  it.each(files)('%s shows no words of its own', (file) => {
    expect(literals(readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('is found where it is wrong', () => {
    const wrong = `<script>const a = 'Two words';</script>
      <p title="Tip">Hello {on ? 'Yes' : b}</p><input placeholder={'Name'} class="plain" />
      <b aria-label="{x} cards">{m.app} 5 BB</b>`;
    expect(literals(wrong)).toEqual(['Two words', 'Tip', 'Hello', 'Yes', 'Name', 'cards']);
  });
});
