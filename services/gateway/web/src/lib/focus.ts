/** Where the focus goes when what had it is no longer there. */
import { tick } from 'svelte';

/** After a button has taken itself away: on to the page's content, not back to its top. */
export async function refocus(): Promise<void> {
  await tick();
  if (document.activeElement && document.activeElement !== document.body) return;
  document.getElementById('main')?.focus({ preventScroll: true });
}
