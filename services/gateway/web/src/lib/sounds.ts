/** Sounds made on the spot by the browser's own synthesiser: nothing to load, off until asked. */
import { settings } from './settings.svelte';
import type { TableEvent } from './types';

/** A tone: how high in hertz, when and how long in seconds, how loud from 0 to 1. */
interface Tone {
  hertz: number;
  at: number;
  lasts: number;
  loud: number;
  shape: OscillatorType;
}

export type Sound = 'turn' | 'chips' | 'card' | 'win';

const tone = (
  hertz: number,
  at: number,
  lasts: number,
  loud: number,
  shape: OscillatorType = 'sine',
): Tone => ({ hertz, at, lasts, loud, shape });

const SOUNDS: Readonly<Record<Sound, readonly Tone[]>> = {
  turn: [tone(660, 0, 0.18, 0.12), tone(880, 0.12, 0.3, 0.12)],
  chips: [tone(2600, 0, 0.04, 0.05, 'triangle'), tone(3100, 0.05, 0.05, 0.05, 'triangle')],
  card: [tone(420, 0, 0.05, 0.05, 'triangle')],
  win: [tone(523, 0, 0.2, 0.1), tone(659, 0.1, 0.2, 0.1), tone(784, 0.2, 0.4, 0.1)],
};

/** What an event sounds like; null when it is silent. `you` is the player's own seat. */
export function soundOf(event: TableEvent, you: number | null): Sound | null {
  switch (event.type) {
    case 'action.taken':
      return event.data.added > 0 ? 'chips' : null;
    case 'blinds.posted':
      return 'chips';
    case 'cards.dealt':
    case 'street.dealt':
      return 'card';
    case 'pot.awarded':
      return event.data.winners.some(({ seat }) => seat === you) ? 'win' : 'chips';
    default:
      return null;
  }
}

let context: AudioContext | null = null;

/** Whether this sound is wanted: all, all but the chime, or the chime alone. */
function isWanted(sound: Sound): boolean {
  if (!settings.sound) return false;
  return sound === 'turn' ? settings.turnChime : !settings.onlyMyTurn;
}

const BUZZ_MS = 80;

/** Shakes the device for a moment, where that is wanted and there is something to shake. */
export function buzz(): void {
  if (settings.vibration && typeof navigator.vibrate === 'function') navigator.vibrate(BUZZ_MS);
}

/** Plays, when it is wanted, there is a synthesiser, and the browser lets it be heard. */
export function play(sound: Sound): void {
  if (!isWanted(sound) || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // Browsers hold sound back until the page was touched; what came before is not made up for.
  if (context.state === 'suspended') return void context.resume();
  for (const each of SOUNDS[sound]) ring(context, each);
}

function ring(on: AudioContext, { hertz, at, lasts, loud, shape }: Tone): void {
  const start = on.currentTime + at;
  const oscillator = on.createOscillator();
  const volume = on.createGain();
  oscillator.type = shape;
  oscillator.frequency.value = hertz;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  oscillator.connect(volume).connect(on.destination);
  oscillator.start(start);
  oscillator.stop(start + lasts);
}
