/** The help in English. Its type is that of every language. */
import { game } from './en-game';
import { general } from './en-general';
import { house } from './en-house';

export const en = { game, house, general };

/** A language that lacks a text, or has one too many, fails the type check. */
export type HelpWords = typeof en;
