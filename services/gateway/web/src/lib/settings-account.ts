/** Preferences as the account writes them, and what of two versions is kept. */
import type { Language, Preference, Preferences } from './settings.svelte';
import { DEFAULTS, PREFERENCES, usable } from './settings.svelte';
import type { SavedSettings } from './types';

/** As a server of another version may keep them: not all that is known here. */
type Kept = {
  readonly [K in keyof SavedSettings]?: SavedSettings[K] extends object
    ? Partial<SavedSettings[K]>
    : SavedSettings[K];
};

/**
 * The account's preferences, in this client's words. What it does not have, or has in a way
 * that is not known here, is as in `otherwise`.
 */
export function fromAccount(saved: Kept, otherwise: Readonly<Preferences> = DEFAULTS): Preferences {
  const { keyboard, sounds, language } = saved;
  const found: Readonly<Record<Preference, unknown>> = {
    unit: saved.amounts,
    fourColour: saved.four_colour_deck,
    keys: keyboard?.enabled,
    speed: saved.animation_speed,
    motion: saved.reduced_motion,
    theme: saved.theme,
    contrast: saved.contrast,
    leftHanded: saved.left_handed,
    keyMap: keyboard?.keys,
    sound: sounds?.muted === undefined ? undefined : !sounds.muted,
    turnChime: sounds?.your_turn,
    onlyMyTurn: sounds?.only_my_turn,
    vibration: saved.vibration,
    confirmAllIn: saved.confirm_all_in,
    autoNextHand: saved.auto_next_hand,
    autoTopUp: saved.auto_top_up,
    equity: saved.show_equity,
    handName: saved.show_hand_strength,
    language: language === undefined ? undefined : languageOf(language),
    textTable: saved.text_table,
  };
  return usable(found, otherwise);
}

/** The account's preferences with ours in them; what this client does not know stays. */
export function toAccount(saved: SavedSettings, ours: Readonly<Preferences>): SavedSettings {
  const { language }: Kept = saved;
  return {
    ...saved,
    amounts: ours.unit,
    four_colour_deck: ours.fourColour,
    keyboard: { ...saved.keyboard, enabled: ours.keys, keys: ours.keyMap },
    animation_speed: ours.speed,
    reduced_motion: ours.motion,
    theme: ours.theme,
    contrast: ours.contrast,
    left_handed: ours.leftHanded,
    sounds: {
      ...saved.sounds,
      muted: !ours.sound,
      your_turn: ours.turnChime,
      only_my_turn: ours.onlyMyTurn,
    },
    vibration: ours.vibration,
    confirm_all_in: ours.confirmAllIn,
    auto_next_hand: ours.autoNextHand,
    auto_top_up: ours.autoTopUp,
    show_equity: ours.equity,
    show_hand_strength: ours.handName,
    text_table: ours.textTable,
    // A tag that says more than ours, such as de-AT, is kept.
    language: language && languageOf(language) === ours.language ? language : tagOf(ours.language),
  };
}

/** BCP 47's word for no language in particular: the browser's. */
const UNDETERMINED = 'und';

const tagOf = (language: Language): string => (language === 'system' ? UNDETERMINED : language);

/** A language that this client does not speak is English, as the account's interface says. */
function languageOf(tag: string): Language {
  const [language] = tag.split('-');
  if (language === UNDETERMINED) return 'system';
  return language === 'de' ? 'de' : 'en';
}

/** What was changed here and not yet saved wins; everything else is the account's. */
export function merge(
  here: Readonly<Preferences>,
  unsaved: ReadonlySet<Preference>,
  account: Readonly<Preferences>,
): Preferences {
  const kept = PREFERENCES.filter((name) => unsaved.has(name));
  return { ...account, ...Object.fromEntries(kept.map((name) => [name, here[name]])) };
}

/** The names in `text`; anything else in it is left out. */
export function parseUnsaved(text: string | null): Set<Preference> {
  const names = (text ?? '').split(' ').filter((name) => Object.hasOwn(DEFAULTS, name));
  return new Set(names as Preference[]);
}
