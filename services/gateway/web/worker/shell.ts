/** Which requests the service worker answers from the shell, the built client that it keeps. */

export interface ShellFile {
  /** Path on the server, such as `/assets/index-abc.js`. */
  readonly path: string;
  /** What the file must be, as in `<script integrity>`. */
  readonly integrity: string;
}

export interface Shell {
  /** Names the content of all files together. */
  readonly version: string;
  readonly files: readonly ShellFile[];
}

export const PAGE = '/index.html';

interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/**
 * The file of the shell that answers a request; null when only the server can.
 *
 * Everything under `/v1` is the server's alone: cards and chips are never kept here. A visit to
 * one of the client's own addresses gets its page, which then finds out what there is.
 */
export function shellPath(asked: Asked, origin: string, shell: Shell): string | null {
  const url = new URL(asked.url);
  if (asked.method !== 'GET' || url.origin !== origin) return null;
  if (isServers(url.pathname)) return null;
  if (shell.files.some((file) => file.path === url.pathname)) return url.pathname;
  return asked.mode === 'navigate' && !isFile(url.pathname) ? PAGE : null;
}

/**
 * The asset of another build that a request is for, else null: a page that was opened before
 * this worker took over still fetches its own screens, which the server may have no longer.
 */
export function otherBuilds(asked: Asked, origin: string, shell: Shell): string | null {
  const { origin: from, pathname } = new URL(asked.url);
  const other = asked.method === 'GET' && from === origin && pathname.startsWith('/assets/');
  return other && shellPath(asked, origin, shell) === null ? pathname : null;
}

const SERVERS = ['v1', 'healthz', 'readyz', 'metrics', 'openapi.json', 'asyncapi.yaml'];

function isServers(path: string): boolean {
  return SERVERS.includes(path.split('/')[1] ?? '');
}

function isFile(path: string): boolean {
  return /\.[^/]+$/.test(path);
}

/** Caches that may go: all of ours but this one and the one before it, which open pages use. */
export function outdated(names: readonly string[], current: string): string[] {
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== current);
  return others.slice(0, -1);
}

export const PREFIX = 'riverboat-';
