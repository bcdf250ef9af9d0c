/** Addresses of the client: five screens, with the browser's own history. */

export type Route =
  | { name: 'lobby' }
  | { name: 'table'; id: string }
  | { name: 'summary'; id: string }
  | { name: 'leaderboard' }
  | { name: 'help' }
  | { name: 'missing' };

export function parseRoute(path: string): Route {
  const [first = '', second = '', ...rest] = path.split('/').filter(Boolean).map(decode);
  if (rest.length > 0) return { name: 'missing' };
  if (!first) return { name: 'lobby' };
  if (first === 'table' && second) return { name: 'table', id: second };
  if (first === 'match' && second) return { name: 'summary', id: second };
  if (!second && (first === 'leaderboard' || first === 'help')) return { name: first };
  return { name: 'missing' };
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
  table: (id: string) => `/table/${encodeURIComponent(id)}`,
  summary: (id: string) => `/match/${encodeURIComponent(id)}`,
};

export const router = $state<{ route: Route }>({ route: parseRoute(location.pathname) });

export function go(path: string, how: { replace?: boolean } = {}): void {
  if (how.replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  router.route = parseRoute(location.pathname);
  scrollTo(0, 0);
}

/** Follows back and forward, and clicks on this client's own links. Returns the undo. */
export function startRouter(): () => void {
  const onPop = (): void => {
    router.route = parseRoute(location.pathname);
  };
  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || !isOwnPlainClick(event, link)) return;
    event.preventDefault();
    go(link.pathname);
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
  return plain && link.origin === location.origin && !link.target && !link.hash;
}
