/** What was said before the language was changed is said in the other one from then on. */
import { readdirSync, readFileSync } from 'node:fs';

import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import KeysDialog from '../src/components/KeysDialog.svelte';
import NameDialog from '../src/components/NameDialog.svelte';
import TextTable from '../src/components/TextTable.svelte';
import { carryOut } from '../src/lib/command';
import { speak } from '../src/lib/language.svelte';
import { PresetDesk } from '../src/lib/presets.svelte';
import { Seating } from '../src/lib/seating.svelte';
import { session } from '../src/lib/session.svelte';
import { DEFAULTS, adopt } from '../src/lib/settings.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { GUARD_MS } from '../src/lib/turn.svelte';
import type { Snapshot } from '../src/lib/types';
import { assigned } from './assigned';
import { FakeClock } from './clock';
import { Stage } from './played';
import { answers, problem } from './server';
import { YOU, legal, preset, snapshot } from './support';

const server = answers();
const clock = new FakeClock();
const page = new Stage();
let table: TableSession;

const turn = (): Snapshot => {
  const presets = [preset('pot_50', '50%', 160, 'below the minimum raise to 1,140')];
  return snapshot({ turn: { seat: YOU }, legal: legal({ presets }) });
};

async function open(): Promise<TableSession> {
  server.next(200, turn());
  table = new TableSession('t_1', { summary: () => undefined }, undefined, clock);
  await table.start();
  clock.advance(GUARD_MS);
  return table;
}

/** What `read` reads, before and after the language is changed. */
async function inBoth(read: () => string): Promise<string[]> {
  flushSync();
  const before = read();
  await speak('de');
  flushSync();
  return [before, read()];
}

beforeEach(() => {
  server.install();
  adopt({ ...DEFAULTS });
  session.user = { id: 'u_1', display_name: 'Otter', kind: 'guest', username: null };
});

afterEach(async () => {
  table?.close();
  await page.clear();
  server.restore();
  adopt({ ...DEFAULTS });
  await speak('en');
});

describe('what is said before the language is changed', () => {
  const nowhere = { history: () => undefined, help: () => undefined };

  it('at the table', async () => {
    await open();
    carryOut({ do: 'shortcut', index: 0 }, table, nowhere);
    expect(await inBoth(() => table.notice)).toEqual([
      '50%: below the minimum raise to 1,140',
      '50 %: unter dem Mindest-Raise auf 1.140',
    ]);
  });

  it('of a refusal', async () => {
    await open();
    server.next(...problem(409, 'illegal-action')).next(200, turn());
    await table.act('call');
    const [english, german] = await inBoth(() => table.notice);
    expect([english, german]).toEqual([
      'That was not allowed here, so nothing changed.',
      expect.stringMatching(/^Das war .* nichts/),
    ]);
  });

  it('at the text table', async () => {
    await open();
    const props = { view: turnView(), handName: '', focus: false, onpicture: () => undefined };
    page.show(TextTable, { ...props, table, obey: () => undefined });
    page.choose('command', 'check', 'input');
    document.querySelector('form')?.requestSubmit();
    expect(await inBoth(() => page.text('answer'))).toEqual([
      'You cannot check: there are 300 to call.',
      'Du kannst nicht checken: Ein Call kostet 300.',
    ]);
  });

  it('in the dialog of keys', async () => {
    page.show(KeysDialog, { open: true, onclose: () => undefined });
    page.press('keys-reset');
    const [english, german] = await inBoth(() => page.text('keys-said'));
    expect(english).toBe('All keys are as they were in the beginning.');
    expect(german).toMatch(/^Alle Tasten/);
  });

  it('in the dialog of the name', async () => {
    page.show(NameDialog, { open: true, onclose: () => undefined });
    server.next(...problem(422, 'request-invalid'));
    document.querySelector('form')?.requestSubmit();
    const alert = (): string => document.querySelector('[role="alert"]')?.textContent ?? '';
    await vi.waitFor(() => {
      flushSync();
      expect(alert()).toBe('That name was not accepted.');
    });
    expect((await inBoth(alert))[1]).toBe('Dieser Name wurde nicht angenommen.');
  });

  it('of bet sizes', async () => {
    const desk = new PresetDesk('t_1');
    const row = [{ kind: 'bb', value: '2.5' }];
    server.next(200, { preflop: row, postflop: row, customised: true }, '"1"');
    await desk.load();
    desk.add('bb', '7.5');
    expect(await inBoth(() => desk.said)).toEqual([
      '7.5 BB added.',
      expect.stringMatching(/^7,5 BB/),
    ]);
  });

  it('in the lobby', async () => {
    const seating = new Seating('hu_river');
    const size = { min: 3000, max: 10_000, step: 50, default: 10_000 };
    const offer = { id: 'hu_river', small_blind: 50, big_blind: 100, buy_in: size };
    const lobby = { user: session.user, resume: null, presets: [offer], standing: null };
    server
      .next(200, lobby)
      .next(200, lobby)
      .next(...problem(409, 'invalid-buy-in'));
    await seating.lobby.load();
    await seating.sitDown(10_000);
    const [english, german] = await inBoth(() => seating.trouble);
    expect(english).not.toBe('');
    expect(german).not.toBe(english);
    seating.close();
  });
});

function turnView(): NonNullable<TableSession['view']> {
  if (!table.view) throw new Error('nothing is on the table');
  return table.view;
}

describe('what is kept in the client', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(svelte|ts)$/.test(name) && !/\.d\.ts$|messages\//.test(name))
    .map((name) => `src/${name}`);

  it.each(files)('%s is no sentence', (file) => {
    expect(assigned(file, readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('is found where it is wrong', () => {
    const wrong = `let a = $state(m.one); b = on ? p.two(1) : ''; this.c = r.three.x;
      d = () => m.four; const e = $derived(m.five); f = other.m;`;
    expect(assigned('wrong.ts', wrong)).toEqual([
      '$state(m.one)',
      "b = on ? p.two(1) : ''",
      'this.c = r.three.x',
    ]);
  });
});
