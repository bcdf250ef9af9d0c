/** Builds the service worker when everything else is built, and tells it what that is. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';

import { build } from 'vite';
import type { Plugin } from 'vite';

import type { Shell, ShellFile } from './shell.ts';

const WORKER = 'sw.js';
/** Pictures for home screens, which the system keeps by itself, and what is only another form. */
const LEFT_OUT = /^\/(sw\.js|icons\/.*|.*\.gz)$/;

const digest = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64');

/** The files of a built client, with what they are. */
export function shellOf(dist: string): Shell {
  const files: ShellFile[] = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: `/${relative(dist, file).split(sep).join(posix.sep)}`,
      integrity: `sha256-${digest(readFileSync(file))}`,
    }))
    .filter(({ path }) => !LEFT_OUT.test(path))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
  return { version, files };
}

export function serviceWorker(): Plugin {
  let dist = '';
  return {
    name: 'riverboat-service-worker',
    apply: 'build',
    configResolved(config) {
      dist = resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { __SHELL__: JSON.stringify(shellOf(dist)) },
        build: {
          target: 'es2022',
          outDir: dist,
          emptyOutDir: false,
          modulePreload: false,
          rolldownOptions: {
            input: join(import.meta.dirname, 'sw.ts'),
            output: { format: 'iife', entryFileNames: WORKER },
          },
        },
      });
    },
  };
}
