import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { compress } from '../worker/compressed.ts';
import { shellOf } from '../worker/plugin.ts';

const LONG = 'export const cards = 52;\n'.repeat(100);
let dist: string;

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'dist-'));
  mkdirSync(join(dist, 'assets'));
});
afterEach(() => rmSync(dist, { recursive: true }));

test('text gets a small twin that is the same when unpacked', () => {
  const file = join(dist, 'assets', 'index-1.js');
  writeFileSync(file, LONG);
  compress(dist);
  const small = readFileSync(`${file}.gz`);
  expect(small.length).toBeLessThan(LONG.length / 10);
  expect(gunzipSync(small).toString()).toBe(LONG);
  expect(readFileSync(file).toString()).toBe(LONG);
});

test.each(['font.woff2', 'icon.png', 'index-1.js.gz'])('%s is left as it is', (name) => {
  writeFileSync(join(dist, name), LONG);
  compress(dist);
  expect(existsSync(join(dist, `${name}.gz`))).toBe(false);
});

test('what is short anyway is left as it is', () => {
  writeFileSync(join(dist, 'short.js'), 'export {};');
  compress(dist);
  expect(existsSync(join(dist, 'short.js.gz'))).toBe(false);
});

test('the service worker keeps files, not their twins', () => {
  writeFileSync(join(dist, 'index-1.js'), LONG);
  compress(dist);
  expect(shellOf(dist).files.map(({ path }) => path)).toEqual(['/index-1.js']);
});
