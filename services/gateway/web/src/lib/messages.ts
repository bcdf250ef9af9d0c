/**
 * Every sentence the client says, in the language that is being spoken.
 *
 * English is in `messages/en*.ts`, German in `messages/de*.ts`; a text goes into both.
 */
export { m } from './language.svelte';
