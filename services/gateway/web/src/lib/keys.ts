/** The keyboard map of the table (single keys, never while typing, can be switched off). */

export type Command =
  | {
      do:
        | 'fold'
        | 'passive'
        | 'raise'
        | 'all_in'
        | 'skip'
        | 'next_hand'
        | 'top_up'
        | 'settle'
        | 'help';
    }
  | { do: 'step'; steps: number }
  | { do: 'shortcut'; index: number };

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'target' | 'defaultPrevented'
>;

const SINGLE: Record<string, Command> = {
  f: { do: 'fold' },
  c: { do: 'passive' },
  r: { do: 'raise' },
  a: { do: 'all_in' },
  s: { do: 'skip' },
  n: { do: 'next_hand' },
  t: { do: 'top_up' },
  l: { do: 'settle' },
  '?': { do: 'help' },
};

/** What a key press asks for, or null. A held key repeats only the amount steps. */
export function commandFor(press: KeyPress): Command | null {
  if (press.defaultPrevented || press.ctrlKey || press.metaKey || press.altKey) return null;
  if (isTyping(press.target)) return null;
  if (press.key === 'ArrowLeft') return { do: 'step', steps: -1 };
  if (press.key === 'ArrowRight') return { do: 'step', steps: 1 };
  if (press.repeat) return null;
  if (/^[0-9]$/.test(press.key)) return { do: 'shortcut', index: (Number(press.key) + 9) % 10 };
  return SINGLE[press.key.toLowerCase()] ?? null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('dialog')) return true;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}
