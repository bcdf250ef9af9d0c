/** What is wrong is told in one place: the banner says it, whatever waits says that it waits. */
import { createRawSnippet, flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import ConnectionBanner from '../src/components/ConnectionBanner.svelte';
import Loading from '../src/components/Loading.svelte';
import NameDialog from '../src/components/NameDialog.svelte';
import SessionGate from '../src/components/SessionGate.svelte';
import { announce, spoken } from '../src/lib/announce.svelte';
import { request } from '../src/lib/api';
import { language, m, speak } from '../src/lib/language.svelte';
import { Loader } from '../src/lib/load.svelte';
import { notices, remark, tell } from '../src/lib/notices.svelte';
import { connection } from '../src/lib/online.svelte';
import { openSession, session } from '../src/lib/session.svelte';
import { PathServer, Refusal } from './paths';
import { Stage } from './played';

const server = new PathServer();
const page = new Stage();
const user = { id: 'u_1', display_name: 'Otter', kind: 'guest', username: null } as const;
const children = createRawSnippet(() => ({ render: () => '<p>a page</p>' }));
const away = new Refusal(503, 'draining');

beforeEach(() => {
  vi.useFakeTimers();
  server.install();
  session.user = user;
  notices.waiting = [];
});
afterEach(async () => {
  await page.clear();
  vi.useRealTimers();
  server.restore();
  connection.trouble = false;
  session.state = 'open';
  await speak('en');
});

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  flushSync();
}

const saying = (sentence: string): number => document.body.textContent.split(sentence).length - 1;
const REACHED = /cannot be reached/g;
const told = (): number => document.body.textContent.match(REACHED)?.length ?? 0;

it('by the banner, and not again by a page that waits for its player', async () => {
  server.at('/sessions/guest', away);
  page.show(ConnectionBanner, {});
  page.show(SessionGate, { children });
  await openSession();
  await pass(3000);
  expect([told(), saying(m.connection.again)]).toEqual([1, 1]);
});

it('by the banner, and not again by what waits for an answer', async () => {
  server.at('/x', away);
  const loader = new Loader<string>(() => request('GET', '/x'));
  await loader.load();
  page.show(ConnectionBanner, {});
  page.show(Loading as never, { of: loader, children } as never);
  await pass(3000);
  expect([told(), saying(m.connection.again)]).toEqual([1, 1]);
  loader.close();
});

it('by the banner, and not again by a dialog that goes on saving', async () => {
  server.at('/me', away);
  page.show(ConnectionBanner, {});
  page.show(NameDialog, { open: true, onclose: () => undefined });
  document.querySelector('form')?.requestSubmit();
  await pass(3000);
  expect([told(), saying(m.session.nameWaiting)]).toEqual([1, 1]);
});

it('in no language but the one that is spoken: what was told last is gone', async () => {
  announce('Your turn.');
  await speak('en');
  expect(spoken.text).toContain('Your turn.');
  await speak('de');
  expect([language.now, spoken.text]).toEqual(['de', '']);
});

it('in the language that is spoken now, when it was told in another', async () => {
  page.show(ConnectionBanner, {});
  const action = { label: () => m.update.reload, run: () => undefined };
  remark(() => m.update.ready, { action });
  flushSync();
  expect(page.text('match-notice')).toContain('There is a new version of Riverboat. Reload');
  await speak('de');
  flushSync();
  expect(page.text('match-notice')).toContain('Es gibt eine neue Version von Riverboat. Neu laden');
  notices.waiting = [];
  tell([
    { seq: 71, at: 'now', read: false, type: 'match.voided', data: { match_id: 'm_1' } } as never,
  ]);
  flushSync();
  expect(page.text('match-notice')).toContain('abgebrochen');
  await speak('en');
  flushSync();
  expect(page.text('match-notice')).toContain('called off');
});
