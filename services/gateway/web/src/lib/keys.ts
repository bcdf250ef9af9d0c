/**
 * The keyboard map of the table: single keys, never while typing, each of which can be changed,
 * and all of which can be switched off (WCAG 2.1.4).
 */

/** What a key can do, in the account's words and in the order in which they are listed. */
export const COMMANDS = [
  'fold',
  'check_call',
  'bet_raise',
  'all_in',
  'less',
  'more',
  'skip',
  'next_hand',
  'top_up',
  'leave',
  'history',
  'help',
] as const;

export type KeyCommand = (typeof COMMANDS)[number];

/** The key of each command as browsers name keys, letters small; null for none. */
export type KeyMap = Readonly<Record<KeyCommand, string | null>> & {
  /** Of the bet size buttons, from the first. */
  readonly shortcuts: readonly (string | null)[];
};

export const SHORTCUTS = 10;

export const DEFAULT_KEYS: KeyMap = {
  fold: 'f',
  check_call: 'c',
  bet_raise: 'r',
  all_in: 'a',
  less: 'ArrowLeft',
  more: 'ArrowRight',
  skip: 's',
  next_hand: 'n',
  top_up: 't',
  leave: 'l',
  history: 'h',
  help: '?',
  shortcuts: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'],
};

export type Command =
  | { do: Exclude<KeyCommand, 'less' | 'more'> }
  | { do: 'step'; steps: 1 | -1 }
  | { do: 'shortcut'; index: number };

/** One place of the map: a command, or the bet size button of that number. */
export type KeyPlace = KeyCommand | number;

export const PLACES: readonly KeyPlace[] = [
  ...COMMANDS,
  ...DEFAULT_KEYS.shortcuts.map((_key, index) => index),
];

/** Keys with a name that may be given a meaning. Tab, Enter, Escape and Space have one. */
const NAMED = new Set([
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]);

/** The key as the map writes it, or null for one that cannot be given a meaning. */
export function usableKey(key: string): string | null {
  if (NAMED.has(key)) return key;
  const small = key.toLowerCase();
  return [...key].length === 1 && small.length === 1 && /[^\s\p{C}]/u.test(small) ? small : null;
}

export const keyAt = (map: KeyMap, place: KeyPlace): string | null =>
  typeof place === 'number' ? (map.shortcuts[place] ?? null) : map[place];

/** What has `key` in `map`, or null. */
export function placeOf(map: KeyMap, key: string): KeyPlace | null {
  return PLACES.find((place) => keyAt(map, place) === key) ?? null;
}

function put(map: KeyMap, place: KeyPlace, key: string | null): KeyMap {
  if (typeof place !== 'number') return { ...map, [place]: key };
  return { ...map, shortcuts: map.shortcuts.map((old, at) => (at === place ? key : old)) };
}

/** The map with another key at `place`. What had that key gets the old one: each has one use. */
export function withKey(map: KeyMap, place: KeyPlace, key: string | null): KeyMap {
  const other = key === null ? null : placeOf(map, key);
  const freed = other === null || other === place ? map : put(map, other, keyAt(map, place));
  return put(freed, place, key);
}

/** Whether `value` is a map that can be used: every place has its own key, or none. */
export function isKeyMap(value: unknown): value is KeyMap {
  if (typeof value !== 'object' || value === null) return false;
  const map = value as KeyMap;
  if (!Array.isArray(map.shortcuts) || map.shortcuts.length !== SHORTCUTS) return false;
  const keys = PLACES.map((place) => keyAt(map, place) as unknown).filter((key) => key !== null);
  const usable = keys.every((key) => typeof key === 'string' && usableKey(key) === key);
  return usable && new Set(keys).size === keys.length;
}

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'target' | 'defaultPrevented'
>;

/**
 * What a key press asks for, or null. A held key repeats only the amount steps. With shortcuts
 * switched off the keys that type no character, such as arrows, still work.
 */
export function commandFor(
  press: KeyPress,
  map: KeyMap = DEFAULT_KEYS,
  enabled = true,
): Command | null {
  if (press.defaultPrevented || press.ctrlKey || press.metaKey || press.altKey) return null;
  const key = usableKey(press.key);
  if (key === null || isTyping(press.target) || isAsked()) return null;
  if (!enabled && !NAMED.has(key)) return null;
  const place = placeOf(map, key);
  if (place === null) return null;
  if (place === 'less') return { do: 'step', steps: -1 };
  if (place === 'more') return { do: 'step', steps: 1 };
  if (press.repeat) return null;
  return typeof place === 'number' ? { do: 'shortcut', index: place } : { do: place };
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
};

/** How a key is written where people read it. */
export const keyLabel = (key: string): string =>
  SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/**
 * A dialog is being read: the table behind it is out of reach. A press on its plain text takes
 * the focus to the page, so that where a key goes says nothing.
 */
export const isAsked = (): boolean => document.querySelector('dialog[open]') !== null;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}
