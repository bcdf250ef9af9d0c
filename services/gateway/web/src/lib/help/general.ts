/** Help that does not depend on a table: hands, keys, the table as text, terms. */
import { COMMANDS, keyLabel } from '../keys';
import type { Money } from '../labels';
import { p } from '../messages/play';
import { settings } from '../settings.svelte';
import { commandRows } from '../text/describe';
import type { HelpWords } from './en';
import type { Section } from './pages';
import { rankings } from './pages';

/** Amounts as they can be typed at any table. */
const IN_BLINDS: Money = { unit: 'bb', bigBlind: 1 };

export function generalSections(words: HelpWords): Section[] {
  const { general } = words;
  return [
    { ...rankings(words) },
    {
      id: 'keys',
      title: general.sections.keys,
      blocks: [
        { kind: 'text', text: general.keysHint },
        { kind: 'terms', rows: keyRows(words) },
      ],
    },
    {
      id: 'text',
      title: general.sections.text,
      blocks: [
        { kind: 'text', text: general.text.intro },
        {
          kind: 'table',
          head: [general.text.command, general.text.does],
          rows: commandRows(IN_BLINDS),
        },
      ],
    },
    {
      id: 'terms',
      title: general.sections.terms,
      blocks: [{ kind: 'terms', rows: general.terms }],
    },
  ];
}

/** The keys as this reader has them. */
function keyRows({ general }: HelpWords): (readonly [string, string])[] {
  const named = (key: string | null): string => (key === null ? general.noKey : keyLabel(key));
  const { keyMap } = settings;
  return [
    ...COMMANDS.map((command) => [p.keys.command[command], named(keyMap[command])] as const),
    [general.sizes, keyMap.shortcuts.map(named).join(' ')] as const,
  ];
}
