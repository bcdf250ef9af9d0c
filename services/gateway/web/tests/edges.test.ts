import { expect, it } from 'vitest';

import { edges } from '../src/lib/edges';
import type { Edges } from '../src/lib/edges';

/** A box of 100 pixels with more in it. */
function tall(height: number): HTMLElement {
  const box = document.createElement('div');
  for (const [name, value] of Object.entries({ clientHeight: 100, scrollHeight: height }))
    Object.defineProperty(box, name, { value });
  return box;
}

it('what is out of sight is told as a box is scrolled, and nothing once it is gone', () => {
  const box = tall(300);
  const told: Edges[] = [];
  const stop = edges((now) => told.push(now))(box);
  for (const top of [0, 120, 199.5]) {
    box.scrollTop = top;
    box.dispatchEvent(new Event('scroll'));
  }
  stop();
  expect(told.slice(-4)).toEqual([
    { above: false, below: true },
    { above: true, below: true },
    { above: true, below: false },
    { above: false, below: false },
  ]);
  box.dispatchEvent(new Event('scroll'));
  expect(told.at(-1)).toEqual({ above: false, below: false });
});

it('of a box that holds all of it nothing is out of sight', () => {
  const box = tall(100);
  const told: Edges[] = [];
  edges((now) => told.push(now))(box);
  box.dispatchEvent(new Event('scroll'));
  expect(told).toContainEqual({ above: false, below: false });
});
