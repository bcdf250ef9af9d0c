/** Addresses of the client, with the browser's own history. */

export type Route =
  | { name: 'lobby' }
  | { name: 'table'; id: string }
  | { name: 'summary'; id: string }
  | { name: 'history'; query: string }
  | { name: 'hand'; id: string }
  | { name: 'leaderboard' }
  | { name: 'profile' }
  | { name: 'settings' }
  /** `table`: whose rules; '' for all help there is. */
  | { name: 'help'; table: string }
  | { name: 'missing' };

const WITH_ID: Readonly<Record<string, 'table' | 'summary' | 'hand'>> = {
  table: 'table',
  match: 'summary',
  hand: 'hand',
};
const PLAIN: Readonly<Record<string, 'leaderboard' | 'profile' | 'settings'>> = {
  leaderboard: 'leaderboard',
  me: 'profile',
  settings: 'settings',
};

/** The screen of an address; `query` is what stands behind its question mark. */
export function parseRoute(path: string, query = ''): Route {
  const [first = '', second = '', ...rest] = path.split('/').filter(Boolean).map(decode);
  if (first === 'help' && second === 'rules' && rest.length === 1)
    return { name: 'help', table: rest[0] ?? '' };
  if (rest.length > 0) return { name: 'missing' };
  if (!first) return { name: 'lobby' };
  const withId = second && Object.hasOwn(WITH_ID, first) ? WITH_ID[first] : undefined;
  if (withId) return { name: withId, id: second };
  if (second) return { name: 'missing' };
  if (first === 'help') return { name: 'help', table: '' };
  if (first === 'history') return { name: 'history', query: query.replace(/^\?/, '') };
  const plain = Object.hasOwn(PLAIN, first) ? PLAIN[first] : undefined;
  return { name: plain ?? 'missing' };
}

/** A segment that is not valid percent-encoding is taken as it stands. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const paths = {
  lobby: '/',
  leaderboard: '/leaderboard',
  help: '/help',
  rulesOf: (table: string) => `/help/rules/${encodeURIComponent(table)}`,
  profile: '/me',
  settings: '/settings',
  history: '/history',
  historyOf: (matchId: string) => `/history?match=${encodeURIComponent(matchId)}`,
  hand: (id: string) => `/hand/${encodeURIComponent(id)}`,
  table: (id: string) => `/table/${encodeURIComponent(id)}`,
  summary: (id: string) => `/match/${encodeURIComponent(id)}`,
};

const here = (): Route => parseRoute(location.pathname, location.search);

export const router = $state<{ route: Route }>({ route: here() });

/** Opens an address. `stay` keeps the place on the page: the same screen, asked otherwise. */
export function go(path: string, how: { replace?: boolean; stay?: boolean } = {}): void {
  if (how.replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  router.route = here();
  if (!how.stay) scrollTo(0, 0);
}

/** Follows back and forward, and clicks on this client's own links. Returns the undo. */
export function startRouter(): () => void {
  const onPop = (): void => {
    router.route = here();
  };
  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || !isOwnPlainClick(event, link)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  };
  addEventListener('popstate', onPop);
  document.addEventListener('click', onClick);
  return () => {
    removeEventListener('popstate', onPop);
    document.removeEventListener('click', onClick);
  };
}

function isOwnPlainClick(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  const plain = event.button === 0 && !modified && !event.defaultPrevented;
  const elsewhere = link.target || link.hash || link.hasAttribute('download');
  return plain && link.origin === location.origin && !elsewhere;
}
