/** What screen readers are told. The live region is in App. */
export const spoken = $state({ text: '' });

let flip = false;

export function announce(text: string): void {
  // The same sentence twice must change the region to be read twice.
  flip = !flip;
  spoken.text = text + (flip ? '\u00a0' : '');
}

/** What was told last is no longer true, or no longer in the reader's language. */
export function hush(): void {
  spoken.text = '';
}
