import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { DEFAULT_KEYS, withKey } from '../src/lib/keys';
import { fromAccount, toAccount } from '../src/lib/settings-account';
import { look } from '../src/lib/settings-look';
import { SettingsSync } from '../src/lib/settings-sync.svelte';
import { DEFAULTS, adopt, change, settings } from '../src/lib/settings.svelte';
import type { SavedSettings } from '../src/lib/types';
import { FakeClock } from './clock';
import { answers, problem } from './server';

const ACCOUNT = {
  amounts: 'chips',
  animation_speed: 1,
  auto_next_hand: true,
  auto_top_up: false,
  confirm_all_in: false,
  contrast: 'system',
  four_colour_deck: true,
  keyboard: { enabled: true, keys: withKey(DEFAULT_KEYS, 'fold', 'x') },
  language: 'de',
  left_handed: false,
  reduced_motion: 'system',
  show_equity: true,
  show_hand_strength: true,
  sounds: { muted: false, your_turn: true, only_my_turn: false },
  text_table: false,
  theme: 'dark',
  vibration: false,
} as unknown as SavedSettings;
const having = (over: Partial<SavedSettings>): SavedSettings => ({ ...ACCOUNT, ...over });

const server = answers();
let clock: FakeClock;
let sync: SettingsSync;

const writes = (): typeof server.seen => server.seen.filter(({ method }) => method === 'PUT');

beforeEach(() => {
  localStorage.clear();
  adopt({ ...DEFAULTS });
  server.install();
  clock = new FakeClock();
  sync = new SettingsSync(clock);
});
afterEach(() => server.restore());

describe('preferences in the account', () => {
  it('keep what this client does not know', () => {
    const known = { ...fromAccount(ACCOUNT), keys: false, sound: true };
    const newer = { ...ACCOUNT, from_a_newer_release: 7 } as SavedSettings;
    const sent = toAccount(newer, known);
    expect(sent).toEqual({ ...newer, keyboard: { ...ACCOUNT.keyboard, enabled: false } });
    expect(fromAccount(sent)).toEqual(known);
  });

  it('of another version leave here what they do not have, or have in unknown words', async () => {
    adopt({ sound: false, keys: false, textTable: true, language: 'de', speed: 2 });
    const { keyboard, sounds, language, text_table, ...older } = ACCOUNT;
    expect([keyboard, sounds, language, text_table]).not.toContain(undefined);
    server.next(200, { ...older, animation_speed: 1.5, theme: 'light' }, '"4"');
    await sync.signedIn('u_1');
    expect([sync.state, settings]).toEqual([
      'saved',
      expect.objectContaining({
        ...{ sound: false, keys: false, textTable: true, language: 'de', speed: 2 },
        ...{ theme: 'light', autoNextHand: true },
      }),
    ]);
    server.next(200, ACCOUNT, '"5"');
    change({ leftHanded: true });
    await vi.waitFor(() => expect(sync.state).toBe('saved'));
    expect(writes()[0]).toMatchObject({ body: { left_handed: true, language: 'de' } });
  });

  it('come back from the account as they were sent, each of them', () => {
    const other = {
      ...DEFAULTS,
      keyMap: withKey(DEFAULT_KEYS, 0, 'q'),
      sound: true,
      turnChime: false,
      onlyMyTurn: true,
      vibration: true,
      confirmAllIn: true,
      autoNextHand: true,
      autoTopUp: true,
      equity: false,
      handName: false,
    };
    expect(fromAccount(toAccount(ACCOUNT, other))).toEqual(other);
  });

  it('are taken over when somebody is known', async () => {
    server.next(200, having({ theme: 'light', amounts: 'bb' }), '"4"');
    await sync.signedIn('u_1');
    expect(settings).toMatchObject({ theme: 'light', unit: 'bb', sound: true });
    expect([sync.state, writes()]).toEqual(['saved', []]);
  });

  it('stay silent in an account that never chose, whatever its defaults say', async () => {
    server.next(200, ACCOUNT, '"0"');
    await sync.signedIn('u_1');
    expect([settings.sound, writes()]).toEqual([false, []]);
  });

  it('begin with what was chosen in this browser', async () => {
    adopt({ leftHanded: true });
    server.next(200, ACCOUNT, '"0"').next(200, having({ left_handed: true }), '"1"');
    await sync.signedIn('u_1');
    expect(writes()[0]).toMatchObject({
      ifMatch: '"0"',
      body: { left_handed: true, sounds: { muted: true } },
    });
  });

  it('meet what was changed before anybody was known: yours wins, the rest is theirs', async () => {
    change({ theme: 'light' });
    expect(server.seen).toEqual([]);
    server.next(200, having({ theme: 'dark', amounts: 'bb' }), '"4"').next(200, ACCOUNT, '"5"');
    await sync.signedIn('u_1');
    expect(settings).toMatchObject({ theme: 'light', unit: 'bb' });
    expect(writes()[0]).toMatchObject({ ifMatch: '"4"', body: { theme: 'light', amounts: 'bb' } });
  });

  it('lose none of two changes made on two devices', async () => {
    server.next(200, ACCOUNT, '"4"');
    await sync.signedIn('u_1');
    server
      .next(...problem(412, 'precondition-failed'))
      .next(200, having({ four_colour_deck: false }), '"5"')
      .next(200, ACCOUNT, '"6"');
    change({ contrast: 'high' });
    await vi.waitFor(() => expect(sync.state).toBe('saved'));
    expect(settings).toMatchObject({ contrast: 'high', fourColour: false });
    expect(writes()[1]).toMatchObject({
      ifMatch: '"5"',
      body: { contrast: 'high', four_colour_deck: false },
    });
    expect(sync.merged).toBe(true);
  });

  it('wait in this browser while the account cannot be reached', async () => {
    server.next(200, ACCOUNT, '"4"');
    await sync.signedIn('u_1');
    server.next('lost');
    change({ motion: 'on' });
    await vi.waitFor(() => expect(sync.state).toBe('waiting'));
    expect(JSON.parse(localStorage.getItem('riverboat.settings') ?? '')).toMatchObject({
      motion: 'on',
    });
    server.next(200, ACCOUNT, '"5"');
    clock.advance(5000);
    await vi.waitFor(() => expect(sync.state).toBe('saved'));
    expect(writes().at(-1)).toMatchObject({ ifMatch: '"4"', body: { reduced_motion: 'on' } });
  });

  it('are still to be saved after a reload', async () => {
    change({ motion: 'on' });
    const later = new SettingsSync(clock);
    server.next(200, ACCOUNT, '"4"').next(200, ACCOUNT, '"5"');
    await later.signedIn('u_1');
    expect(writes()[0]).toMatchObject({ body: { reduced_motion: 'on' } });
  });

  it('stay in this browser when the account does not take them', async () => {
    server.next(200, ACCOUNT, '"4"');
    await sync.signedIn('u_1');
    server.next(...problem(422, 'request-invalid'));
    change({ unit: 'bb' });
    await vi.waitFor(() => expect(sync.state).toBe('refused'));
    expect(settings.unit).toBe('bb');
  });
});

describe('how the page looks', () => {
  it('follows the choice', () => {
    adopt({ theme: 'light', contrast: 'high', motion: 'on', leftHanded: true });
    expect(look()).toEqual({ theme: 'light', contrast: 'high', motion: 'still', hand: 'left' });
  });

  it('follows the system where that is the choice', () => {
    const asked = vi
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => ({ matches: !query.includes('contrast') }) as MediaQueryList);
    adopt({ theme: 'system', contrast: 'system', motion: 'system' });
    expect(look()).toEqual({ theme: 'light', contrast: 'normal', motion: 'still', hand: 'right' });
    adopt({ theme: 'dark', motion: 'off' });
    expect(look()).toMatchObject({ theme: 'dark', motion: 'full' });
    asked.mockRestore();
  });
});
