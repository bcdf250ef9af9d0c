/** The typed client of the gateway's HTTP interface. */
import type {
  BetPresets,
  BoardPage,
  Consequence,
  FairnessProof,
  Graph,
  HandPage,
  HandRecord,
  Legal,
  Lobby,
  Match,
  MatchInfo,
  MatchPage,
  Me,
  MyStanding,
  Played,
  PresetRows,
  PresetWish,
  Preview,
  RulesetList,
  SavedSettings,
  Snapshot,
  Summary,
  TableEvent,
  User,
} from './types';

/** A refusal (RFC 9457). Callers switch on `type`, the last part of its address. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly type: string,
    readonly status: number,
    title: string,
    readonly detail: string | null,
    readonly extras: Readonly<Record<string, unknown>>,
  ) {
    super(title);
  }
}

/** What a refusal says about the fields that were sent, as sentences. */
export function fieldErrors(problem: Problem): string[] {
  const errors = problem.extras['errors'];
  if (!Array.isArray(errors)) return [];
  return (errors as unknown[]).flatMap((error) => {
    const message = (error as { message?: unknown } | null)?.message;
    return typeof message === 'string' && message ? [sentence(message)] : [];
  });
}

/** "Value error, a name has 1..40 characters" as "A name has 1 to 40 characters." */
function sentence(message: string): string {
  const text = message.replace(/^Value error, /, '').replaceAll(/(\d)\.\.(\d)/g, '$1 to $2');
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

/** No answer came: offline, connection refused, cut off, or no usable answer in time. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** One thing the player wants done, however often it has to be sent. */
export interface Intent {
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
}

const REQUEST_TIMEOUT_MS = 20_000;

/** 16 random bytes as text; works on plain http too, where `randomUUID` does not exist. */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function intent(path: string, body: unknown = {}): Intent {
  return { key: randomHex(), path, body };
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

interface Options {
  body?: unknown;
  key?: string;
  /** The version that a change is made on. */
  ifMatch?: string;
}

/** A thing and the version it is, for the next change. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string;
}

export async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  return (await tagged<T>(method, path, options)).value;
}

export async function tagged<T>(
  method: Method,
  path: string,
  options: Options = {},
): Promise<Tagged<T>> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (options.ifMatch) headers['If-Match'] = options.ifMatch;
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.key) headers['Idempotency-Key'] = options.key;
  const init: RequestInit = {
    method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  };
  const response = await reach(path, init);
  const body = await parsed(response);
  if (!response.ok) throw asProblem(response, body);
  if (body === undefined) throw new Unreachable(`${path}: the answer is not JSON`);
  return { value: body as T, etag: response.headers.get('ETag') ?? '' };
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`/v1${path}`, init);
  } catch (cause) {
    throw new Unreachable(path, { cause });
  }
}

/** The JSON of an answer, or undefined when it is not JSON (a proxy's error page, a cut). */
async function parsed(response: Response): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw new Unreachable(response.url, { cause });
  });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function asProblem(response: Response, body: unknown): Problem {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const address = typeof fields['type'] === 'string' ? fields['type'] : '';
  return new Problem(
    address.split('/').at(-1) || `http-${response.status}`,
    response.status,
    typeof fields['title'] === 'string' ? fields['title'] : response.statusText,
    typeof fields['detail'] === 'string' ? fields['detail'] : null,
    fields,
  );
}

export function send<T>({ path, body, key }: Intent): Promise<T> {
  return request<T>('POST', path, { body, key });
}

export interface ActionResult {
  version: number;
  events: TableEvent[];
  legal: Legal | null;
  snapshot: Snapshot;
}

export interface SeatWish {
  readonly ruleset: string;
  readonly buyIn: number;
  readonly supersede: boolean;
  /** What ending the open match was said to mean; refused when it means another thing. */
  readonly told: Consequence | null;
}

export interface SatDown extends Played {
  match: Match;
  table_id: string;
}

export interface ToppedUp {
  stack: number;
  added: number;
  total_buy_in: number;
  snapshot: Snapshot;
}

const segment = encodeURIComponent;

type Asked = Readonly<Record<string, string | number | null | undefined>>;

/** What stands behind the address: "?limit=20"; nothing for what is not asked. */
function asked(query: Asked): string {
  const said = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

export interface BoardQuery {
  readonly board: 'hu_river' | 'bots';
  readonly section: 'ranked' | 'qualifying';
  /** `all` when left out. */
  readonly window?: string;
  /** Of River; any when left out. */
  readonly version?: string;
}

const within = ({ window, version }: Omit<BoardQuery, 'section'>): Asked => ({
  window: window || null,
  version: version || null,
});

/** Which of one's own hands: see `GET /v1/hands`. */
export interface HandQuery {
  readonly match?: string;
  readonly from?: string;
  readonly to?: string;
  readonly pos?: string;
  readonly min_pot?: string;
  readonly tag?: string;
  readonly limit?: number;
}

export const api = {
  me: () => request<{ user: User }>('GET', '/me'),
  newGuest: () => request<{ user: User }>('POST', '/sessions/guest', { body: {} }),
  rename: (name: string) =>
    request<{ user: User }>('PATCH', '/me', { body: { display_name: name } }),
  lobby: () => request<Lobby>('GET', '/lobby'),
  table: (id: string) => request<Snapshot>('GET', `/tables/${segment(id)}`),
  summary: (matchId: string) =>
    request<{ summary: Summary }>('GET', `/matches/${segment(matchId)}/summary`),
  board: (page: BoardQuery, cursor: string | null = null) =>
    request<BoardPage>(
      'GET',
      `/leaderboards/${page.board}${asked({ section: page.section, ...within(page), cursor })}`,
    ),
  standing: (page: Omit<BoardQuery, 'section'> = { board: 'hu_river' }) =>
    request<MyStanding>('GET', `/leaderboards/${page.board}/me${asked(within(page))}`),
  profile: () => request<Me>('GET', '/me'),
  matches: (cursor: string | null = null) =>
    request<MatchPage>('GET', `/matches${asked({ limit: 20, cursor })}`),
  match: (id: string) => request<{ match: MatchInfo }>('GET', `/matches/${segment(id)}`),
  graph: (matchId: string) => request<Graph>('GET', `/matches/${segment(matchId)}/graph`),
  hands: (filters: HandQuery, cursor: string | null = null) =>
    request<HandPage>('GET', `/hands${asked({ ...filters, cursor })}`),
  hand: (id: string) => request<HandRecord>('GET', `/hands/${segment(id)}`),
  proof: (handId: string) => request<FairnessProof>('GET', `/hands/${segment(handId)}/fairness`),
  rulesets: () => request<RulesetList>('GET', '/rulesets'),
  settings: () => tagged<SavedSettings>('GET', '/me/settings'),
  saveSettings: (settings: SavedSettings, ifMatch: string) =>
    tagged<SavedSettings>('PUT', '/me/settings', { body: settings, ifMatch }),
  presets: () => tagged<BetPresets>('GET', '/me/bet-presets'),
  savePresets: (rows: PresetRows, ifMatch: string) =>
    tagged<BetPresets>('PUT', '/me/bet-presets', { body: rows, ifMatch }),
  resetPresets: (ifMatch: string) => tagged<BetPresets>('DELETE', '/me/bet-presets', { ifMatch }),
  preview: (tableId: string, presets: readonly PresetWish[]) =>
    request<Preview>('POST', `/tables/${segment(tableId)}/preview`, { body: { presets } }),
};

export const intents = {
  sitDown: ({ ruleset, buyIn, supersede, told }: SeatWish, seed: string) =>
    intent('/matches', {
      ruleset,
      buy_in: buyIn,
      supersede,
      consequence: told,
      client_seed: seed,
    }),
  act: (tableId: string, body: { turn_token: string; type: string; to?: number }) =>
    intent(`/tables/${segment(tableId)}/actions`, body),
  nextHand: (matchId: string, afterHandNo: number, seed: string) =>
    intent(`/matches/${segment(matchId)}/next-hand`, {
      after_hand_no: afterHandNo,
      client_seed: seed,
    }),
  topUp: (matchId: string) => intent(`/matches/${segment(matchId)}/top-up`),
  settle: (matchId: string) => intent(`/matches/${segment(matchId)}/settle`),
};
