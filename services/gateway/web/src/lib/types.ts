/**
 * The JSON that the gateway speaks, by the names that this client uses.
 *
 * `schema.d.ts` is generated from the gateway's OpenAPI document (`make openapi`); what is
 * narrower here is what the document's types cannot say.
 */
import type { components } from './schema';

type Schemas = components['schemas'];

/** Text such as "As". Amounts of chips are whole numbers. */
export type Card = string;

export type Street = Schemas['Hand']['street'];
export type ActionType = Schemas['ActionBody']['type'];
export type Consequence = Schemas['Resume']['consequence'];

export type Preset = Schemas['Preset'];
export type RaiseRange = Schemas['RaiseRange'];
export type Legal = Schemas['Legal'];
export type Pot = Schemas['Pot'];
export type LastAction = Schemas['LastAction'];
export type MatchState = Schemas['Match']['state'];
/** A match, as far as this client reads it. */
export type Match = Omit<
  Schemas['Match'],
  'table_id' | 'ruleset' | 'buy_in' | 'started_at' | 'settled_at'
>;
export type SeatResult = Schemas['SeatResult'];
export type ShownHand = Schemas['ShownHand'];
export type Ruleset = Pick<Schemas['LobbyPreset'], 'id' | 'small_blind' | 'big_blind'>;

export type HoleCards = Schemas['Seat']['cards'];
/** A seat; one that has no cards yet has null, which only a hand being played out here knows. */
export type Seat = Omit<Schemas['Seat'], 'cards'> & { readonly cards: HoleCards | null };

/** A table, as far as this client reads it. */
export type Snapshot = Omit<Schemas['Snapshot'], 'hand' | 'seats' | 'match' | 'log'> & {
  readonly hand: Omit<Schemas['Hand'], 'void' | 'result'>;
  readonly seats: readonly Seat[];
  readonly match: Match;
  readonly log: readonly TableEvent[];
};

type Told = Schemas['Snapshot']['log'][number];
type Each<T extends string, D> = T extends string
  ? { readonly seq: number; readonly type: T; readonly at: string; readonly data: D }
  : never;
type Apart<E> = E extends { type: infer T extends string; data: infer D } ? Each<T, D> : never;

/** What this client is told by the snapshot that follows, and not by the event. */
type Unplayed = 'hand.voided' | 'hand.ai_decided' | 'match.expiring' | 'match.voided';

/** An event that this client plays; the other ones are skipped by `isKnown`. */
export type TableEvent = Exclude<Apart<Told>, { type: Unplayed }>;
export type EventType = TableEvent['type'];

export type User = Schemas['User'];
export type BuyIn = Schemas['Bounds'];
export type LobbyPreset = Schemas['LobbyPreset'];
export type Resume = Schemas['Resume'];
/** The first page, as far as this client reads it. */
export type Lobby = Omit<Schemas['Lobby'], 'notices'> & Partial<Pick<Schemas['Lobby'], 'notices'>>;
export type RulesetInfo = Schemas['RulesetInfo'];
export type RulesetList = Schemas['RulesetList'];
export type Summary = Schemas['Summary'];
export type BoardRow = Schemas['BoardRow'];
export type BoardPage = Schemas['BoardPage'];
export type MyStanding = Schemas['MyStanding'];

export type HandRow = Schemas['HandRow'];
export type HandPage = Schemas['HandList'];
export type HandTag = HandRow['tags'][number];
/** A stored hand, as its player saw it. */
export type HandRecord = Schemas['HandRecord'];
export type FairnessProof = Schemas['FairnessProof'];
export type Graph = Schemas['Graph'];
export type MatchInfo = Schemas['Match'];
export type MatchPage = Schemas['MatchList'];
export type Me = Schemas['MeReply'];

/** Preferences as the account keeps them. */
export type SavedSettings = Schemas['Settings-Output'];
export type PresetKind = Schemas['PresetWish']['kind'];
export interface PresetWish {
  readonly kind: PresetKind;
  readonly value: string | null;
}
export type PresetSet = 'preflop' | 'postflop';
export type PresetRows = Readonly<Record<PresetSet, readonly PresetWish[]>>;
export type BetPresets = Schemas['BetPresets'];
export type Preview = Schemas['Preview'];

export interface Played {
  readonly snapshot: Snapshot;
  readonly events: readonly TableEvent[];
}
