/** Preferences: kept in this browser at once, and in the account by `settings-sync`. */
import type { Unit } from './format';
import type { KeyMap } from './keys';
import { DEFAULT_KEYS, isKeyMap } from './keys';

export type Speed = 0 | 1 | 2;
export type Motion = 'system' | 'on' | 'off';
export type Theme = 'dark' | 'light' | 'system';
export type Contrast = 'system' | 'normal' | 'high';
/** `system`: the browser's. */
export type Language = 'system' | 'en' | 'de';

export interface Preferences {
  unit: Unit;
  fourColour: boolean;
  keys: boolean;
  keyMap: KeyMap;
  speed: Speed;
  /** Less motion: as the system asks, always, or never. */
  motion: Motion;
  theme: Theme;
  contrast: Contrast;
  leftHanded: boolean;
  /** Nothing is heard before somebody asks for it. */
  sound: boolean;
  /** A chime when it is one's turn. */
  turnChime: boolean;
  /** The chime and nothing else. */
  onlyMyTurn: boolean;
  vibration: boolean;
  /** Ask before everything goes in. */
  confirmAllIn: boolean;
  autoNextHand: boolean;
  autoTopUp: boolean;
  /** Percentages beside hands that are turned up before the board is complete. */
  equity: boolean;
  /** The name of one's own hand. */
  handName: boolean;
  language: Language;
  /** The table as headings and text. */
  textTable: boolean;
}

export type Preference = keyof Preferences;

const STORE = 'riverboat.settings';
export const DEFAULTS: Readonly<Preferences> = {
  unit: 'chips',
  fourColour: true,
  keys: true,
  keyMap: DEFAULT_KEYS,
  speed: 1,
  motion: 'system',
  theme: 'dark',
  contrast: 'system',
  leftHanded: false,
  sound: false,
  turnChime: true,
  onlyMyTurn: false,
  vibration: false,
  confirmAllIn: false,
  autoNextHand: false,
  autoTopUp: false,
  equity: true,
  handName: true,
  language: 'system',
  textTable: false,
};

const LISTED: { readonly [P in Preference]?: readonly Preferences[P][] } = {
  unit: ['chips', 'bb'],
  speed: [0, 1, 2],
  motion: ['system', 'on', 'off'],
  theme: ['dark', 'light', 'system'],
  contrast: ['system', 'normal', 'high'],
  language: ['system', 'en', 'de'],
};

/** Whether `value` can be the preference: one of its list, a map of keys, or yes or no. */
function isUsable(name: Preference, value: unknown): boolean {
  if (name === 'keyMap') return isKeyMap(value);
  const list: readonly unknown[] = LISTED[name] ?? [true, false];
  return list.includes(value);
}

export const PREFERENCES = Object.keys(DEFAULTS) as Preference[];

/** Whether two values of a preference say the same. */
export function sameChoice(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What of `saved` can be used; the rest as in `otherwise`. */
export function usable(
  saved: Readonly<Partial<Record<Preference, unknown>>>,
  otherwise: Readonly<Preferences> = DEFAULTS,
): Preferences {
  const good = PREFERENCES.filter((name) => isUsable(name, saved[name]));
  return { ...otherwise, ...Object.fromEntries(good.map((name) => [name, saved[name]])) };
}

/** What was saved, field by field; anything unreadable counts as not saved. */
export function parsePreferences(text: string | null): Preferences {
  try {
    return usable((JSON.parse(text ?? '{}') ?? {}) as Parameters<typeof usable>[0]);
  } catch {
    return { ...DEFAULTS };
  }
}

/** Storage may be blocked by the browser; the game goes on with this visit's choices. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): boolean {
  try {
    localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

export const settings = $state<Preferences>(parsePreferences(remembered(STORE)));

let changed: (names: readonly Preference[]) => void = () => undefined;

/** Has `listener` told what a person changes here. */
export function onChange(listener: typeof changed): void {
  changed = listener;
}

/** A person's choice. */
export function change(update: Partial<Preferences>): void {
  adopt(update);
  changed(Object.keys(update) as Preference[]);
}

/** Choices that were made elsewhere. */
export function adopt(update: Partial<Preferences>): void {
  Object.assign(settings, update);
  remember(STORE, JSON.stringify(settings));
}

export function asks(query: string): boolean {
  return typeof matchMedia === 'function' && matchMedia(query).matches;
}

/** Whether motion without information is left out: by choice, else as the system asks. */
export function stillness(): boolean {
  if (settings.motion !== 'system') return settings.motion === 'on';
  return asks('(prefers-reduced-motion: reduce)');
}
