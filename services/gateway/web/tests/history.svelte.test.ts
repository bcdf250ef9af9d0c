import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { go } from '../src/lib/router.svelte';
import History from '../src/routes/History.svelte';
import { PathServer, Refusal } from './paths';
import { Stage, row, soon } from './played';

const server = new PathServer();
const page = new Stage();

beforeEach(() => server.install());
afterEach(async () => {
  await page.clear();
  server.restore();
});

it('says that what is shown is from before when another filter is not answered', async () => {
  server.at('/hands', (query: URLSearchParams) =>
    query.get('tag') ? new Refusal(500, 'internal') : { items: [row(3)], next_cursor: null },
  );
  go('/history');
  const props = $state({ query: '' });
  page.show(History, props);
  await soon(() => page.find('history'));
  expect(page.text('history-stale')).toBe('');
  props.query = 'tag=not_counted';
  flushSync();
  await soon(() => expect(page.text('history-stale')).toContain('the hands from before'));
});
