/** The language the client speaks: the one that was chosen, else the browser's. */
import { hush } from './announce.svelte';
import type { Messages } from './messages/en';
import { en } from './messages/en';
import { settings } from './settings.svelte';

export type Spoken = 'en' | 'de';

/** Other languages than English come when they are asked for. */
const FETCH: Readonly<Record<Spoken, () => Promise<Messages>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import('./messages/de')).de,
};

export const language = $state<{
  now: Spoken;
  /** The wanted one could not be fetched. */
  lost: boolean;
}>({ now: 'en', lost: false });

let words = $state.raw<Messages>(en);

/** The words of the language now spoken; whoever shows them shows the others when it changes. */
export const m = new Proxy({} as Messages, {
  get: (_words, name) => words[name as keyof Messages],
});

/** The first of the browser's languages that we speak, else English. */
export function browserLanguage(wishes: readonly string[] = navigator.languages): Spoken {
  const known = wishes.map((wish) => wish.toLowerCase().split('-')[0]);
  return known.find((wish): wish is Spoken => wish !== undefined && wish in FETCH) ?? 'en';
}

export function wanted(): Spoken {
  return settings.language === 'system' ? browserLanguage() : settings.language;
}

let latest = 0;

/** Speaks `next` as soon as it is here; when it does not come, what is spoken stays. */
export async function speak(next: Spoken): Promise<void> {
  const turn = (latest += 1);
  try {
    const fetched = await FETCH[next]();
    if (turn !== latest) return;
    if (next !== language.now) hush();
    words = fetched;
    language.now = next;
    language.lost = false;
    document.documentElement.lang = next;
  } catch (error) {
    // A module that does not come is a TypeError.
    if (!(error instanceof TypeError)) throw error;
    if (turn === latest) language.lost = true;
  }
}

/** Speaks what is wanted, and from now on whatever comes to be wanted. Returns how to stop. */
export async function startLanguage(): Promise<() => void> {
  const retry = (): void => void speak(wanted());
  addEventListener('online', retry);
  addEventListener('languagechange', retry);
  await speak(wanted());
  const stop = $effect.root(() => {
    $effect(() => {
      const next = wanted();
      if (next !== language.now) void speak(next);
    });
  });
  return () => {
    stop();
    removeEventListener('online', retry);
    removeEventListener('languagechange', retry);
  };
}
