/**
 * Every sentence the client says, in the language that is being spoken.
 *
 * English is in `messages/en*.ts`, German in `messages/de*.ts`; a text goes into both.
 */
export { m } from './language.svelte';

/** A text that is kept: what it says is decided when it is shown, in the language spoken then. */
export type Kept = () => string;
export const NOTHING: Kept = () => '';
