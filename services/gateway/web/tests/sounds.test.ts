import { afterEach, describe, expect, it, vi } from 'vitest';

import { adopt } from '../src/lib/settings.svelte';
import type { Sound } from '../src/lib/sounds';
import { ALL_IN_HAND, YOU, RIVER } from './support';

/** A synthesiser that only counts. */
class Synthesiser {
  static made = 0;
  static state: 'running' | 'suspended' = 'running';
  static woken = 0;
  static struck: number[] = [];
  readonly currentTime = 0;
  readonly destination = {};
  constructor() {
    Synthesiser.made += 1;
  }
  get state(): string {
    return Synthesiser.state;
  }
  resume(): Promise<void> {
    Synthesiser.woken += 1;
    return Promise.resolve();
  }
  createOscillator(): unknown {
    const frequency = { value: 0 };
    return {
      frequency,
      connect: (next: unknown) => next,
      start: () => Synthesiser.struck.push(frequency.value),
      stop: () => undefined,
    };
  }
  createGain(): unknown {
    const nothing = (): void => undefined;
    const gain = {
      setValueAtTime: nothing,
      linearRampToValueAtTime: nothing,
      exponentialRampToValueAtTime: nothing,
    };
    return { gain, connect: (next: unknown) => next };
  }
}

async function fresh(): Promise<(sound: Sound) => void> {
  vi.resetModules();
  Object.assign(Synthesiser, { made: 0, state: 'running', woken: 0, struck: [] });
  vi.stubGlobal('AudioContext', Synthesiser);
  const { settings } = await import('../src/lib/settings.svelte');
  settings.sound = true;
  return (await import('../src/lib/sounds')).play;
}

afterEach(() => {
  vi.unstubAllGlobals();
  adopt({ sound: false });
});

describe('sounds', () => {
  it('are off until somebody asks for them', async () => {
    const play = await fresh();
    const { change } = await import('../src/lib/settings.svelte');
    change({ sound: false });
    play('turn');
    expect(Synthesiser.made).toBe(0);
    change({ sound: true });
    play('turn');
    expect([Synthesiser.made, Synthesiser.struck]).toEqual([1, [660, 880]]);
  });

  it('are the chime and nothing else, or all but the chime, as is wanted', async () => {
    const play = await fresh();
    const { change } = await import('../src/lib/settings.svelte');
    change({ onlyMyTurn: true });
    play('chips');
    play('win');
    expect(Synthesiser.struck).toEqual([]);
    play('turn');
    expect(Synthesiser.struck).toEqual([660, 880]);
    change({ onlyMyTurn: false, turnChime: false });
    play('turn');
    expect(Synthesiser.struck).toEqual([660, 880]);
    play('card');
    expect(Synthesiser.struck).toEqual([660, 880, 420]);
  });

  it('come with a shake only where that is wanted and there is something to shake', async () => {
    await fresh();
    const { buzz } = await import('../src/lib/sounds');
    const { change } = await import('../src/lib/settings.svelte');
    const shaken: unknown[] = [];
    vi.stubGlobal('navigator', { vibrate: (ms: number) => shaken.push(ms) });
    buzz();
    expect(shaken).toEqual([]);
    change({ vibration: true });
    buzz();
    expect(shaken).toEqual([80]);
    vi.stubGlobal('navigator', {});
    expect(buzz).not.toThrow();
  });

  it('use one synthesiser for all', async () => {
    const play = await fresh();
    play('card');
    play('chips');
    expect([Synthesiser.made, Synthesiser.struck.length]).toEqual([1, 3]);
  });

  it('wake a synthesiser that the browser holds back, and do not make up for what was missed', async () => {
    const play = await fresh();
    Synthesiser.state = 'suspended';
    play('turn');
    expect([Synthesiser.woken, Synthesiser.struck]).toEqual([1, []]);
  });

  it('are left out where there is no synthesiser', async () => {
    const play = await fresh();
    vi.stubGlobal('AudioContext', undefined);
    expect(() => play('win')).not.toThrow();
  });

  it('tell chips, cards and a win apart', async () => {
    const { soundOf } = await import('../src/lib/sounds');
    const heard = (you: number): unknown[] => ALL_IN_HAND.map((event) => soundOf(event, you));
    expect(new Set(heard(YOU))).toEqual(new Set([null, 'chips', 'card', 'win']));
    expect(heard(YOU).at(21)).toBe('win');
    expect(heard(RIVER).at(21)).toBe('chips');
  });
});
