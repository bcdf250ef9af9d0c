/** The course of a match as a line to draw. Geometry only: every figure shown is the server's. */
import type { Graph } from './types';

export type Point = Graph['items'][number];

/** A drawing field; the line keeps off its edges by `pad`. */
export const FIELD = { width: 640, height: 220, pad: 12 } as const;

export interface Course {
  readonly points: readonly { readonly x: number; readonly y: number; readonly of: Point }[];
  /** Where the result is zero. */
  readonly zero: number;
  /** What is written beside the field: zero, and the best and the worst where they are clear of it. */
  readonly scale: readonly { readonly y: number; readonly of: Point | null }[];
  readonly best: Point;
  readonly worst: Point;
  readonly last: Point;
}

/** What one line of small letters takes of the field where it is drawn smallest. */
const LINE_HEIGHT = 28;

/** The line of a match from zero through its results; null before the first finished hand. */
export function courseOf(graph: Graph): Course | null {
  const { items } = graph;
  const last = items.at(-1);
  if (!last) return null;
  const best = items.reduce((one, other) => (other.result_chips > one.result_chips ? other : one));
  const worst = items.reduce((one, other) => (other.result_chips < one.result_chips ? other : one));
  const high = Math.max(0, best.result_chips);
  const low = Math.min(0, worst.result_chips);
  const { width, height, pad } = FIELD;
  const y = (chips: number): number =>
    pad + ((high - chips) / (high - low || 1)) * (height - 2 * pad);
  const x = (handNo: number): number => pad + (handNo / last.hand_no) * (width - 2 * pad);
  const points = items.map((of) => ({ x: x(of.hand_no), y: y(of.result_chips), of }));
  const ends = [
    { y: y(high), of: best },
    { y: y(low), of: worst },
  ];
  const scale = [
    { y: y(0), of: null },
    ...ends.filter((end) => Math.abs(end.y - y(0)) >= LINE_HEIGHT),
  ];
  return { points, zero: y(0), scale, best, worst, last };
}

/** The same as a path: from the seat's first chip on. */
export function pathOf({ points, zero }: Course): string {
  return [{ x: FIELD.pad, y: zero }, ...points]
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
}
