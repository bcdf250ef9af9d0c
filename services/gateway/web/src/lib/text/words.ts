/** The text table in the language that is spoken; both come with it. */
import { language } from '../language.svelte';
import { de } from './de';
import type { TextWords } from './en';
import { en } from './en';

const SPOKEN: Readonly<Record<typeof language.now, TextWords>> = { en, de };

export const textWords = (): TextWords => SPOKEN[language.now];

/** Commands may be typed in either language. */
export const ALL_WORDS: readonly TextWords[] = [en, de];
