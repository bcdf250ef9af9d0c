import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import Customise from '../src/components/Customise.svelte';
import { m } from '../src/lib/messages';
import { change } from '../src/lib/settings.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { FakeClock } from './clock';
import type { Asked } from './server';
import { YOU, legal, preset, range, snapshot } from './support';

interface Wish {
  kind: string;
  value: string | null;
}

/** An account and a table, as far as the dialog asks them. */
class Account {
  revision = 3;
  rows: Record<'preflop' | 'postflop', Wish[]> = {
    preflop: [
      { kind: 'min', value: null },
      { kind: 'bb', value: '2.5' },
      { kind: 'pot_percent', value: '30' },
    ],
    postflop: [{ kind: 'pot_fraction', value: '2/3' }],
  };
  asked: Asked[] = [];
  yourTurn = true;
  reachable = true;

  answer(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const method = init.method ?? 'GET';
    const path = (input as string).replace('/v1', '');
    const ifMatch = new Headers(init.headers).get('If-Match');
    const body = init.body ? (JSON.parse(init.body as string) as unknown) : null;
    this.asked.push({ method, path, key: null, ifMatch, body });
    if (!this.reachable) return Promise.reject(new TypeError('Failed to fetch'));
    if (path.endsWith('/preview')) return this.preview((body as { presets: Wish[] }).presets);
    if (path !== '/me/bet-presets') return json(200, snapshot());
    if (method !== 'GET') {
      if (ifMatch !== `"${this.revision}"`) return problem(412, 'precondition-failed');
      this.revision += 1;
      this.rows =
        method === 'PUT'
          ? (body as Account['rows'])
          : { ...this.rows, preflop: [{ kind: 'allin', value: null }] };
    }
    return json(200, { ...this.rows, customised: true }, `"${this.revision}"`);
  }

  private preview(wishes: Wish[]): Promise<Response> {
    if (!this.yourTurn) return problem(409, 'not-your-turn');
    const presets = wishes.map(({ kind }, index) =>
      kind === 'pot_percent'
        ? preset('pot_30', '30%', 160, 'below the minimum raise to 600')
        : preset(`p${index}`, kind, 600 + index),
    );
    return json(200, { version: 1, presets });
  }
}

function json(status: number, body: unknown, etag?: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(etag ? { ETag: etag } : {}) };
  return Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
}

const problem = (status: number, type: string): Promise<Response> =>
  json(status, { type: `http://localhost/v1/problems/${type}`, title: type, status });

const real = globalThis.fetch;
let account: Account;
let table: TableSession;
let page: Record<string, unknown>;

const find = (testid: string): HTMLElement => {
  const element = document.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
  if (!element) throw new Error(`no ${testid}`);
  return element;
};
const said = (): string => find('customise-said').textContent;
const rows = (): string[] =>
  [...find('customise-list').children].map((row) =>
    (row.querySelector('div')?.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
  );
const labels = (): string[] =>
  [...find('customise-list').querySelectorAll('b')].map((label) => label.textContent);
const button = (name: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[aria-label="${name}"]`);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const saved = (): Asked | undefined =>
  account.asked.filter(({ method }) => method === 'PUT').at(-1);

async function show(): Promise<void> {
  table = new TableSession('t_1', { summary: () => undefined }, undefined, new FakeClock());
  await table.start();
  page = mount(Customise, {
    target: document.body,
    props: { tableId: 't_1', table, open: true, onclose: () => undefined },
  });
  await vi.waitFor(() => expect(labels().length).toBeGreaterThan(0));
}

async function add(kind: string, typed: string): Promise<void> {
  const select = find('customise-kind') as HTMLSelectElement;
  select.value = kind;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  flushSync();
  const field = document.querySelector<HTMLInputElement>('[data-testid="customise-value"]');
  if (field) {
    field.value = typed;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  find('customise-add').closest('form')?.requestSubmit();
  await vi.waitFor(() => expect(said()).not.toBe(''));
}

beforeEach(() => {
  change({ unit: 'chips', speed: 0 });
  account = new Account();
  globalThis.fetch = (input, init) => {
    if ((input as string) !== '/v1/tables/t_1') return account.answer(input, init);
    const spot = legal({ raise: range(), presets: [] });
    return json(200, snapshot({ turn: { seat: YOU }, legal: spot }));
  };
});
afterEach(async () => {
  table.close();
  await unmount(page);
  document.body.innerHTML = '';
  globalThis.fetch = real;
});

describe('the dialog of the bet sizes', () => {
  it('shows what each comes to in the present spot, and why it is grey', async () => {
    await show();
    await vi.waitFor(() =>
      expect(rows()).toEqual(['Min 600', '2.5 BB 601', '30% 160 below the minimum raise to 600']),
    );
    expect(find('customise-spot').textContent).toBe(m.customise.preview);
  });

  it('tries each change at once, before anything is saved', async () => {
    await show();
    await add('pot_fraction', '3/4');
    expect(labels()).toEqual(['Min', '2.5 BB', '30%', '¾ pot']);
    await vi.waitFor(() => expect(rows().at(-1)).toBe('¾ pot 603'));
    expect(saved()).toBeUndefined();
    expect(document.body.textContent).toContain(m.customise.discard);
  });

  it('says that there is no spot while it is not your turn', async () => {
    account.yourTurn = false;
    await show();
    await vi.waitFor(() =>
      expect(find('customise-spot').textContent).toBe(m.customise.previewWaits),
    );
    expect(rows()).toEqual(['Min', '2.5 BB', '30%']);
  });

  it('refuses the eleventh with its reason', async () => {
    await show();
    for (const size of ['4', '5', '6', '7', '8', '9', '10']) await add('bb', size);
    await vi.waitFor(() => expect(labels()).toHaveLength(10));
    expect(find('customise-add').getAttribute('aria-disabled')).toBe('true');
    await add('bb', '11');
    await vi.waitFor(() => expect(said()).toBe(m.customise.refusal.limit(10)));
    expect(labels()).toHaveLength(10);
  });

  it('refuses a size that no button has, and one that is there', async () => {
    await show();
    await add('bb', '2.25');
    await vi.waitFor(() => expect(said()).toBe(m.customise.refusal.bb));
    await add('bb', '2.50');
    await vi.waitFor(() => expect(said()).toBe(m.customise.refusal.duplicate));
    expect(labels()).toHaveLength(3);
  });

  it('lets a row be dragged to another place, with a pointer of any kind', async () => {
    await show();
    const place = (row: Element): number => [...find('customise-list').children].indexOf(row);
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: Element,
    ) {
      return new DOMRect(0, place(this) * 44, 300, 44);
    });
    const point = (type: string, clientY: number): PointerEvent =>
      new PointerEvent(type, { clientY, button: 0, bubbles: true, cancelable: true });
    const before = labels();
    document.querySelector('[data-do="drag"]')?.dispatchEvent(point('pointerdown', 20));
    flushSync();
    expect(find('customise-list').querySelectorAll('.held')).toHaveLength(1);
    dispatchEvent(point('pointermove', 60));
    flushSync();
    expect(labels()).toEqual([before[1], before[0], before[2]]);
    dispatchEvent(point('pointermove', 900));
    flushSync();
    expect(labels()).toEqual([before[1], before[2], before[0]]);
    dispatchEvent(point('pointerup', 900));
    dispatchEvent(point('pointermove', 0));
    flushSync();
    expect(labels()).toEqual([before[1], before[2], before[0]]);
    expect(find('customise-list').querySelectorAll('.held')).toHaveLength(0);
    vi.restoreAllMocks();
  });

  it('moves by button and by arrow key, keeps the focus, and says where it is now', async () => {
    await show();
    button('Move Min down').click();
    await vi.waitFor(() => expect(document.activeElement).toBe(button('Move Min down')));
    expect(labels()).toEqual(['2.5 BB', 'Min', '30%']);
    expect(said()).toBe('Min is now number 2 of 3.');
    button('Move 30% up').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }),
    );
    await vi.waitFor(() => expect(labels()).toEqual(['2.5 BB', '30%', 'Min']));
    button('Move 2.5 BB up').click();
    await vi.waitFor(() => expect(said()).toBe('2.5 BB is the first already.'));
  });

  it('removes all but the last', async () => {
    await show();
    button('Remove Min').click();
    await vi.waitFor(() => expect(labels()).toEqual(['2.5 BB', '30%']));
    button('Remove 2.5 BB').click();
    await vi.waitFor(() => expect(labels()).toEqual(['30%']));
    button('Remove 30%').click();
    await vi.waitFor(() => expect(said()).toBe(m.customise.refusal.last));
    expect(labels()).toEqual(['30%']);
  });

  it('saves both rows on the version that was read', async () => {
    await show();
    find('customise-postflop').click();
    flushSync();
    await add('pot_percent', '75');
    find('customise-save').click();
    await vi.waitFor(() => expect(said()).toBe(m.customise.saved));
    expect(document.body.textContent).not.toContain(m.customise.discard);
    expect(saved()).toMatchObject({
      ifMatch: '"3"',
      body: {
        preflop: [{ kind: 'min' }, { kind: 'bb' }, { kind: 'pot_percent' }],
        postflop: [
          { kind: 'pot_fraction', value: '2/3' },
          { kind: 'pot_percent', value: '75' },
        ],
      },
    });
  });

  it('shows the newer version after another device was faster, and brings yours back', async () => {
    await show();
    await add('bb', '7');
    account.revision = 9;
    account.rows = { ...account.rows, preflop: [{ kind: 'allin', value: null }] };
    find('customise-save').click();
    await vi.waitFor(() => expect(said()).toBe(m.customise.elsewhere));
    expect(labels()).toEqual(['All-in']);
    find('customise-mine').click();
    flushSync();
    expect(labels()).toEqual(['Min', '2.5 BB', '30%', '7 BB']);
    find('customise-save').click();
    await vi.waitFor(() => expect(said()).toBe(m.customise.saved));
    expect(saved()?.ifMatch).toBe('"9"');
  });

  it('goes back to the defaults', async () => {
    await show();
    find('customise-reset').click();
    await vi.waitFor(() => expect(said()).toBe(m.customise.wasReset));
    expect(labels()).toEqual(['All-in']);
    expect(account.asked.find(({ method }) => method === 'DELETE')?.ifMatch).toBe('"3"');
  });

  it('keeps what is on the desk when the account cannot be reached', async () => {
    await show();
    await add('bb', '7');
    account.reachable = false;
    find('customise-save').click();
    await vi.waitFor(() => expect(said()).toBe(m.customise.lost));
    expect(labels()).toContain('7 BB');
    account.reachable = true;
    find('customise-save').click();
    await vi.waitFor(() => expect(said()).toBe(m.customise.saved));
  });
});
