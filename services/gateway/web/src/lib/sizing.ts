/** Amounts between the server's bounds: clamping, steps, the drag grid, typed text. No rules. */

export interface Range {
  min_to: number;
  max_to: number;
  /** Half a big blind. */
  step: number;
}

export function clamp(amount: number, range: Range): number {
  return Math.min(range.max_to, Math.max(range.min_to, Math.round(amount)));
}

/** `steps` half big blinds up (or down, when negative), stopping exactly at the ends. */
export function stepBy(amount: number, steps: number, range: Range): number {
  return clamp(amount + steps * range.step, range);
}

/** The nearest of: the multiples of the step, and both ends. What a drag can land on. */
export function snap(amount: number, range: Range): number {
  const onGrid = clamp(Math.round(amount / range.step) * range.step, range);
  const candidates = [onGrid, range.min_to, range.max_to];
  return candidates.reduce((best, candidate) =>
    Math.abs(candidate - amount) < Math.abs(best - amount) ? candidate : best,
  );
}

/** Typed text as chips: "1,140", "1140", "7.5bb", "7.5 BB"; null when it is no amount. */
export function parseAmount(text: string, bigBlind: number): number | null {
  const match = /^([0-9]+(?:\.[0-9]+)?)(bb)?$/i.exec(text.replaceAll(/[\s,]/g, ''));
  if (!match?.[1]) return null;
  if (match[2]) return Math.round(Number(match[1]) * bigBlind);
  return match[1].includes('.') ? null : Number(match[1]);
}

export const PAGE_STEPS = 10;

/** The amount a key means on a slider, or null when the key means nothing there. */
export function keyAmount(key: string, amount: number, range: Range): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return stepBy(amount, -1, range);
    case 'ArrowRight':
    case 'ArrowUp':
      return stepBy(amount, 1, range);
    case 'PageDown':
      return stepBy(amount, -PAGE_STEPS, range);
    case 'PageUp':
      return stepBy(amount, PAGE_STEPS, range);
    case 'Home':
      return range.min_to;
    case 'End':
      return range.max_to;
    default:
      return null;
  }
}
