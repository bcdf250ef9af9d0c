import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { shellOf } from '../worker/plugin.ts';
import { otherBuilds, outdated, shellPath } from '../worker/shell.ts';

const ORIGIN = 'https://river.test';
const SHELL = {
  version: 'abc',
  files: ['/assets/index-1.js', '/favicon.svg', '/index.html'].map((path) => ({
    path,
    integrity: 'sha256-x',
  })),
};

const asked = (path: string, mode = 'cors', method = 'GET') => ({
  method,
  mode,
  url: new URL(path, ORIGIN).href,
});
const answers = (request: ReturnType<typeof asked>) => shellPath(request, ORIGIN, SHELL);

describe('what the service worker answers', () => {
  test.each(['/', '/table/t_1', '/leaderboard', '/match/m_1?from=lobby', '/nowhere'])(
    'a visit to %s gets the page',
    (path) => expect(answers(asked(path, 'navigate'))).toBe('/index.html'),
  );

  test.each(['/assets/index-1.js', '/favicon.svg'])('%s is kept', (path) =>
    expect(answers(asked(path))).toBe(path),
  );

  test.each([
    asked('/v1/lobby'),
    asked('/v1/lobby', 'navigate'),
    asked('/v1/tables/t_1/events'),
    asked('/openapi.json', 'navigate'),
    asked('/asyncapi.yaml', 'navigate'),
    asked('/healthz', 'navigate'),
    asked('/icons/icon-192.png', 'navigate'),
    asked('/assets/of-another-build.js'),
    asked('/leaderboard'),
    asked('/', 'navigate', 'POST'),
    asked('https://elsewhere.test/favicon.svg'),
  ])('$mode $method $url is left to the server', (request) => expect(answers(request)).toBeNull());
});

test('pages of the build before get their own assets, and nothing else is looked for', () => {
  const older = (request: ReturnType<typeof asked>) => otherBuilds(request, ORIGIN, SHELL);
  expect(older(asked('/assets/of-another-build.js'))).toBe('/assets/of-another-build.js');
  const others = [
    asked('/assets/index-1.js'),
    asked('/v1/lobby'),
    asked('/', 'navigate'),
    asked('/assets/of-another-build.js', 'cors', 'POST'),
    asked('https://elsewhere.test/assets/index-1.js'),
  ];
  expect(others.map(older)).toEqual(others.map(() => null));
});

test('the caches of this build and the one before stay', () => {
  const names = ['riverboat-a', 'fonts', 'riverboat-b', 'riverboat-c'];
  expect(outdated(names, 'riverboat-c')).toEqual(['riverboat-a']);
  expect(outdated(['riverboat-c'], 'riverboat-c')).toEqual([]);
});

describe('the shell of a build', () => {
  let dist = '';
  beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'shell-'));
    mkdirSync(join(dist, 'assets'));
    mkdirSync(join(dist, 'icons'));
    for (const name of ['index.html', 'sw.js', 'assets/index-1.js', 'icons/icon-192.png'])
      writeFileSync(join(dist, name), name);
  });
  afterEach(() => rmSync(dist, { recursive: true }));

  test('is every file but the worker and the icons', () => {
    const paths = shellOf(dist).files.map((file) => file.path);
    expect(paths).toEqual(['/assets/index-1.js', '/index.html']);
  });

  test('has another version when any file is another', () => {
    const before = shellOf(dist);
    expect(shellOf(dist)).toEqual(before);
    writeFileSync(join(dist, 'index.html'), 'new');
    const after = shellOf(dist);
    expect(after.version).not.toBe(before.version);
    expect(after.files[0]).toEqual(before.files[0]);
    expect(after.files[1]?.integrity).not.toBe(before.files[1]?.integrity);
  });
});
