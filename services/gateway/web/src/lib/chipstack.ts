/** How an amount is drawn as chips. Decoration only: the amount is always written beside it. */

export interface ChipColumn {
  value: number;
  count: number;
}

const VALUES = [25_000, 5_000, 1_000, 500, 100, 50, 10, 1];
const MAX_COLUMNS = 3;
const MAX_HEIGHT = 5;

/** Biggest chips first, at most three columns of at most five; small change is left out. */
export function chipColumns(amount: number): ChipColumn[] {
  const columns: ChipColumn[] = [];
  let left = amount;
  for (const value of VALUES) {
    const count = Math.floor(left / value);
    if (count === 0) continue;
    left -= count * value;
    columns.push({ value, count: Math.min(count, MAX_HEIGHT) });
    if (columns.length === MAX_COLUMNS) break;
  }
  return columns;
}
