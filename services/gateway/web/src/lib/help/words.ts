/** The help in the language that is spoken; both come with the help screen. */
import { language } from '../language.svelte';
import { de } from './de';
import type { HelpWords } from './en';
import { en } from './en';

const SPOKEN: Readonly<Record<typeof language.now, HelpWords>> = { en, de };

export const helpWords = (): HelpWords => SPOKEN[language.now];

/** When the rules or their explanation changed last. */
export const UPDATED = '2026-11-30';
