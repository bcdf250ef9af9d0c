/** Writes a gzipped twin beside every built file that gets much smaller by it; the gateway sends it. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

import type { Plugin } from 'vite';

const TEXT = /\.(js|css|html|svg|webmanifest)$/;
/** What is smaller than this is sent in one packet anyway. */
const WORTHWHILE_BYTES = 1_000;

/** Compresses the text files under a directory. */
export function compress(dist: string): void {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    const content = readFileSync(file);
    if (content.length < WORTHWHILE_BYTES) continue;
    writeFileSync(`${file}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  }
}

export function compressed(): Plugin {
  let dist = '';
  return {
    name: 'riverboat-compressed',
    apply: 'build',
    configResolved(config) {
      dist = resolve(config.root, config.build.outDir);
    },
    // After every other plugin has written what it writes.
    closeBundle: { order: 'post', sequential: true, handler: () => compress(dist) },
  };
}
