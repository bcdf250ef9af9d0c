/** A stored hand being shown, and the buttons and keys that move it on. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import Replayer from '../src/components/Replayer.svelte';
import { LEAST_MS, Replay } from '../src/lib/replay.svelte';
import { change } from '../src/lib/settings.svelte';
import { FakeClock } from './clock';
import { FOLDED_HAND, Stage, match, record } from './played';

const page = new Stage();

beforeEach(() => change({ unit: 'chips', motion: 'on' }));
afterEach(() => page.clear());

describe('a replay', () => {
  const clock = new FakeClock();
  const onlooker = vi.fn();
  let replay: Replay;

  beforeEach(() => {
    onlooker.mockClear();
    replay = new Replay(record(), match(), onlooker, clock);
  });
  afterEach(() => replay.pause());

  it('goes on with motion and back without', () => {
    replay.forward();
    expect([replay.at, replay.animating]).toEqual([1, true]);
    expect(onlooker).toHaveBeenCalledOnce();
    replay.back();
    expect([replay.at, replay.animating]).toEqual([0, false]);
    expect(onlooker).toHaveBeenCalledOnce();
  });

  it('stays within the hand', () => {
    replay.back();
    expect(replay.at).toBe(0);
    replay.seek(999);
    expect(replay.at).toBe(replay.last);
    replay.forward();
    expect(replay.at).toBe(replay.last);
  });

  it('plays by itself to the end, then starts over', () => {
    replay.toggle();
    clock.advance(60_000);
    expect([replay.at, replay.playing, clock.pending]).toEqual([replay.last, false, 0]);
    replay.toggle();
    expect([replay.at, replay.playing]).toEqual([0, true]);
  });

  it('plays faster when asked, at once', () => {
    replay.toggle();
    replay.setSpeed(4);
    clock.advance(LEAST_MS / 4);
    expect(replay.at).toBe(1);
  });

  it('is no longer driven on once somebody looks around', () => {
    replay.toggle();
    replay.seek(3);
    clock.advance(60_000);
    expect([replay.at, replay.playing]).toEqual([3, false]);
  });
});

describe('the replayer', () => {
  const riverCards = (): (string | undefined)[] =>
    page.all('opponent-card').map((card) => card.dataset['card']);

  function press(key: string, target: EventTarget = window): KeyboardEvent {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
    flushSync();
    return event;
  }

  beforeEach(() => page.show(Replayer, { record: record(), match: match() }));

  it('shows the table of the step, and says what happened', () => {
    expect(page.all('own-card')).toHaveLength(0);
    expect(page.text('replay-told')).toBe('Before the blinds.');
    for (let step = 0; step < 3; step += 1) page.press('replay-forward');
    expect(page.text('replay-told')).toBe('You raise to 300');
    expect(riverCards()).toEqual(['', '']);
    expect(page.text('pot')).toContain('400');
  });

  it('jumps to a street, and hides again what was hidden then', () => {
    page.press('jump-end');
    expect(page.text('replay-result')).toContain('+10,000 for you');
    expect(riverCards()).toEqual(['Qd', 'Qh']);
    page.press('jump-flop');
    expect(page.find('jump-flop').getAttribute('aria-current')).toBe('step');
    expect(page.all('board-card').map((card) => card.dataset['card'])).toEqual(['Qs', '7s', '2s']);
    expect(riverCards()).toEqual(['', '']);
    expect(page.all('replay-result')).toHaveLength(0);
  });

  it('is moved by the scrubber, which says where it is', () => {
    page.choose('replay-scrubber', '3', 'input');
    const said = page.find('replay-scrubber').getAttribute('aria-valuetext');
    expect(said).toMatch(/^Step 4 of \d+: You raise to 300$/);
  });

  it('obeys the keys', () => {
    press('ArrowRight');
    press('ArrowRight');
    press('ArrowLeft');
    expect(page.text('replay-step')).toMatch(/^Step 2 of/);
    press('End');
    expect(page.find('replay-last').getAttribute('aria-disabled')).toBe('true');
    press('Home');
    press(' ');
    expect(page.find('replay-toggle').getAttribute('aria-label')).toBe('Pause');
  });

  it('leaves keys to fields and to what Space presses', () => {
    expect(press('ArrowRight', page.find('replay-scrubber')).defaultPrevented).toBe(false);
    expect(press(' ', page.find('replay-forward')).defaultPrevented).toBe(false);
    expect(page.text('replay-step')).toMatch(/^Step 1 of/);
  });

  it('buttons that lead nowhere do nothing', () => {
    expect(page.find('replay-first').getAttribute('aria-disabled')).toBe('true');
    page.press('replay-back');
    expect(page.text('replay-step')).toMatch(/^Step 1 of/);
  });
});

it('says that a hand was called off where it ends', () => {
  const called = record({ state: 'void', tags: ['not_counted'] }, FOLDED_HAND.slice(0, 6));
  page.show(Replayer, { record: called, match: match() });
  expect(document.body.textContent).not.toContain('called off');
  page.press('replay-last');
  expect(document.body.textContent).toContain('called off');
});
