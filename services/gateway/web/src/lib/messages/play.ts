/** What dialogs at the table say: it comes with the first of them that is opened. */
import { language } from '../language.svelte';
import { play as de } from './de-play';
import { play as en } from './en-play';
import type { Play } from './en-play';

const SPOKEN: Readonly<Record<typeof language.now, Play>> = { en, de };

/** The texts in the language now spoken. */
export const p = new Proxy({} as Play, {
  get: (_texts, name) => SPOKEN[language.now][name as keyof Play],
});
