/** Fails when what a first visit loads is over the budget: 60 kB of script, 12 kB of style, gzipped. */
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = { js: 60_000, css: 12_000 };
const assets = new URL('./dist/assets/', import.meta.url);

for (const [kind, budget] of Object.entries(BUDGET_BYTES)) {
  const files = readdirSync(assets).filter((name) => name.endsWith(`.${kind}`));
  const size = files.reduce(
    (total, name) => total + gzipSync(readFileSync(new URL(name, assets))).length,
    0,
  );
  console.log(`${kind}: ${size} of ${budget} bytes`);
  if (files.length === 0 || size > budget) process.exitCode = 1;
}
