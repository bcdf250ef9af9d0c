/** Everything in German, which comes when somebody wants it. */
import { settings } from './de-settings';
import { site } from './de-site';
import { table } from './de-table';
import type { Messages } from './en';

export const de: Messages = { ...site, ...table, ...settings };
