/** What is said of hands and matches that were played: it comes with the screens that say it. */
import { language } from '../language.svelte';
import { review as de } from './de-review';
import { review as en } from './en-review';
import type { Review } from './en-review';

const SPOKEN: Readonly<Record<typeof language.now, Review>> = { en, de };

/** The texts in the language now spoken. */
export const r = new Proxy({} as Review, {
  get: (_texts, name) => SPOKEN[language.now][name as keyof Review],
});
