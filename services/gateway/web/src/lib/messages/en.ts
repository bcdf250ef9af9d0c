/** Everything in English, which comes with the first load. Its type is that of every language. */
import { settings } from './en-settings';
import { site } from './en-site';
import { table } from './en-table';

export const en = { ...site, ...table, ...settings };

/** A language that lacks a text, or has one too many, fails the type check. */
export type Messages = typeof en;
