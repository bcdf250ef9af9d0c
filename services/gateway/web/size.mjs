/** Fails when what a first visit loads is over the budget: 60 kB of script, 12 kB of style, gzipped. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = { js: 60_000, css: 12_000 };
const dist = new URL('./dist/', import.meta.url);
const read = (path) => readFileSync(new URL(path, dist));

/** What the page asks for, and what that imports before it runs; not what it may ask for later. */
function firstLoad() {
  const page = read('index.html').toString();
  const found = new Set(
    [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1]),
  );
  for (const path of found) {
    if (!path.endsWith('.js')) continue;
    const imports = read(path)
      .toString()
      .matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g);
    for (const match of imports) found.add(`assets/${match[1]}`);
  }
  return [...found];
}

const files = firstLoad();
for (const [kind, budget] of Object.entries(BUDGET_BYTES)) {
  const ours = files.filter((path) => path.endsWith(`.${kind}`));
  const size = ours.reduce((total, path) => total + gzipSync(read(path)).length, 0);
  console.log(`${kind}: ${size} of ${budget} bytes`);
  if (ours.length === 0 || size > budget) process.exitCode = 1;
}
