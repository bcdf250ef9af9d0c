/** What preferences do to the whole page, as attributes of its root that the styles read. */
import { asks, settings, stillness } from './settings.svelte';

const QUERIES = [
  '(prefers-reduced-motion: reduce)',
  '(prefers-color-scheme: light)',
  '(prefers-contrast: more)',
];

export interface Look {
  theme: 'dark' | 'light';
  contrast: 'normal' | 'high';
  motion: 'full' | 'still';
  hand: 'left' | 'right';
}

/** The look that is chosen, and where the choice is left to the system, what that asks for. */
export function look(): Look {
  const { theme, contrast, leftHanded } = settings;
  const system = asks('(prefers-color-scheme: light)') ? 'light' : 'dark';
  const more = contrast === 'high' || (contrast === 'system' && asks('(prefers-contrast: more)'));
  return {
    theme: theme === 'system' ? system : theme,
    contrast: more ? 'high' : 'normal',
    motion: stillness() ? 'still' : 'full',
    hand: leftHanded ? 'left' : 'right',
  };
}

export function applyLook(): void {
  const now = look();
  Object.assign(document.documentElement.dataset, now);
  // What a phone paints its own bar with.
  const bar = document.querySelector('meta[name="theme-color"]');
  bar?.setAttribute('content', now.theme === 'light' ? '#f7faf7' : '#0a1013');
}

/** Follows the system's wishes; returns how to stop. */
export function watchSystem(): () => void {
  if (typeof matchMedia !== 'function') return () => undefined;
  const lists = QUERIES.map((query) => matchMedia(query));
  for (const list of lists) list.addEventListener('change', applyLook);
  return () => lists.forEach((list) => list.removeEventListener('change', applyLook));
}
