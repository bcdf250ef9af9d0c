/** What was typed, as a command: words only, whether it is possible is the table's matter. */
import type { CommandName } from './en';
import { ALL_WORDS, textWords } from './words';

export interface Typed {
  name: CommandName;
  /** What stood behind the command, as it was typed. */
  rest: string;
}

/** Commands behind which something may stand. */
const WITH_REST: ReadonlySet<CommandName> = new Set(['bet', 'raise', 'size']);

function forms(): [string, CommandName][] {
  const known = [textWords(), ...ALL_WORDS].flatMap(({ commands }) =>
    (Object.entries(commands) as [CommandName, readonly string[]][]).flatMap(([name, words]) =>
      words.map((word): [string, CommandName] => [word, name]),
    ),
  );
  // The longest first: "raise to 900" is not the amount "to 900".
  return known.sort(([one], [other]) => other.length - one.length);
}

/** The command of a line, or null when it is none; letters may be small or large. */
export function parseLine(line: string): Typed | null {
  const text = line.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  if (text === '') return null;
  for (const [word, name] of forms()) {
    if (text === word) return { name, rest: '' };
    if (WITH_REST.has(name) && text.startsWith(`${word} `))
      return { name, rest: text.slice(word.length + 1) };
  }
  return null;
}
