/** The help in German. */
import { game } from './de-game';
import { general } from './de-general';
import { house } from './de-house';
import type { HelpWords } from './en';

export const de: HelpWords = { game, house, general };
