/**
 * The service worker: keeps the built client, so that it opens at once and without a network.
 *
 * A new version is fetched beside the old one and waits until somebody asks for it: what is on
 * the screen never changes under a player's hands.
 */
import { PAGE, PREFIX, otherBuilds, outdated, shellPath } from './shell';
import type { Shell, ShellFile } from './shell';

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build. */
declare const __SHELL__: Shell;

/** Not in the type library yet: requests that never need to wake the worker. */
interface Routing {
  addRoutes?: (rule: {
    condition: { urlPattern: { pathname: string } };
    source: 'network';
  }) => Promise<void>;
}

const NAME = `${PREFIX}${__SHELL__.version}`;

self.addEventListener('install', (event) => {
  event.waitUntil(keep(__SHELL__.files));
  const routing = event as ExtendableEvent & Routing;
  void routing.addRoutes?.({
    condition: { urlPattern: { pathname: '/v1/*' } },
    source: 'network',
  });
});

self.addEventListener('activate', (event) => event.waitUntil(tidy()));

self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = shellPath(request, self.location.origin, __SHELL__);
  const older = otherBuilds(request, self.location.origin, __SHELL__);
  if (path !== null) event.respondWith(answer(path, request));
  else if (older !== null) event.respondWith(answerOlder(older, request));
});

/** Fetches what is not here yet; a file that is not of this build makes the whole fail. */
async function keep(files: readonly ShellFile[]): Promise<void> {
  const cache = await caches.open(NAME);
  await Promise.all(files.map((file) => keepOne(cache, file)));
}

async function keepOne(cache: Cache, { path, integrity }: ShellFile): Promise<void> {
  const same = path.startsWith('/assets/') ? await caches.match(path) : undefined;
  const response = same ?? (await fetch(path, { integrity, cache: 'no-cache' }));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await cache.put(path, response);
}

async function tidy(): Promise<void> {
  const old = outdated(await caches.keys(), NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  const kept = await cache.match(path);
  // The browser may throw away what is kept when space is short.
  return kept ?? fetch(path === PAGE ? new Request(PAGE) : request);
}

/** For pages that are open since before this build: `tidy` leaves them what they were built of. */
async function answerOlder(path: string, request: Request): Promise<Response> {
  return (await caches.match(path)) ?? fetch(request);
}
