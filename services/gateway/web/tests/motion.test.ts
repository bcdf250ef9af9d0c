/** What moves is moved by the compositor: nothing has to be drawn anew for each of its frames. */
import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

const CHEAP = new Set(['transform', 'translate', 'rotate', 'scale', 'opacity']);

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(svelte|css)$/.test(name))
  .map((name) => `src/${name}`);

/** Bodies of the animations in a style sheet, each as far as its closing brace. */
function animations(source: string): string[] {
  return source
    .split('@keyframes')
    .slice(1)
    .map((rest) => /^[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/.exec(rest)?.[0] ?? rest);
}

const changed = (source: string): string[] =>
  animations(source).flatMap((body) =>
    [...body.matchAll(/([a-z-]+)\s*:/g)].map(([, property = '']) => property),
  );

describe('an animation', () => {
  it('is found', () => {
    const found = files.flatMap((file) => animations(readFileSync(file, 'utf8')));
    expect(found.length).toBeGreaterThan(5);
    expect(changed('@keyframes a { from { box-shadow: 0; top: 1px } 50% {} } p { x: y }')).toEqual([
      'box-shadow',
      'top',
    ]);
  });

  it.each(files)('of %s changes nothing that must be drawn', (file) => {
    const dear = changed(readFileSync(file, 'utf8')).filter((property) => !CHEAP.has(property));
    expect(dear).toEqual([]);
  });
});
