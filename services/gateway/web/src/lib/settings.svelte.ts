/** Preferences of this browser. */
import type { Unit } from './format';

export type Speed = 0 | 1 | 2;

interface Preferences {
  unit: Unit;
  fourColour: boolean;
  keys: boolean;
  speed: Speed;
}

const STORE = 'riverboat.settings';
const DEFAULTS: Preferences = { unit: 'chips', fourColour: true, keys: true, speed: 1 };

/** What was saved, field by field; anything unreadable counts as not saved. */
export function parsePreferences(text: string | null): Preferences {
  let saved: Partial<Record<keyof Preferences, unknown>>;
  try {
    saved = (JSON.parse(text ?? '{}') ?? {}) as typeof saved;
  } catch {
    return { ...DEFAULTS };
  }
  return {
    unit: saved.unit === 'bb' ? 'bb' : 'chips',
    fourColour: typeof saved.fourColour === 'boolean' ? saved.fourColour : DEFAULTS.fourColour,
    keys: typeof saved.keys === 'boolean' ? saved.keys : DEFAULTS.keys,
    speed: saved.speed === 0 || saved.speed === 2 ? saved.speed : DEFAULTS.speed,
  };
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

export function change(update: Partial<Preferences>): void {
  Object.assign(settings, update);
  remember(STORE, JSON.stringify(settings));
}

/** Whether the system asks for less motion. */
export function stillness(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}
