/** Answers `/v1` inside the development server (`npm run dev:mock`). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';

import { MockTable } from './hand.ts';

const user = { id: 'u_1', display_name: 'Otter-41', kind: 'guest' };
let table: MockTable | null = null;

const row = (
  rank: number | null,
  name: string,
  bb: string,
  hands: number,
  you = false,
): unknown => ({
  rank,
  name,
  kind: 'guest',
  bb_per_100: bb,
  hands,
  net_chips: 0,
  net_bb: bb,
  ai_decided_hands: you ? 0 : 3,
  ai_decided_percent: you ? '0.0' : '0.6',
  margin_95: '38.21',
  void_hands: 1,
  last_played: '2026-01-01T12:00:00Z',
  you,
});

const boards = {
  ranked: [
    row(1, 'Pelican-7', '+14.20', 2310),
    row(2, 'Mallard-88', '+3.05', 912),
    row(3, 'Heron-12', '−1.40', 540),
  ],
  qualifying: [row(null, 'Otter-41', '+4.20', 312, true), row(null, 'Beaver-3', '−22.75', 41)],
};

type Answer = [status: number, body: unknown];

function problem(status: number, type: string): Answer {
  return [status, { type: `http://localhost/v1/problems/${type}`, title: type, status }];
}

function resume(): unknown {
  if (!table || table.settled) return null;
  const { hand, legal, match } = table.snapshot();
  return {
    match_id: match.id,
    table_id: 't_1',
    state: match.state,
    hand_no: hand.no,
    your_turn: legal !== null,
    kept_until: match.kept_until,
    consequence: hand.over ? 'settle' : 'ai_decides',
  };
}

function lobby(): unknown {
  return {
    user,
    resume: resume(),
    next_commit_root: null,
    standing: { hands: 312, hands_to_rank: 188, bb_per_100: '+4.20' },
    presets: [
      {
        id: 'hu_river',
        small_blind: 50,
        big_blind: 100,
        buy_in: { min: 3000, max: 10_000, step: 50, default: 10_000 },
      },
    ],
  };
}

function answer(
  method: string,
  path: string,
  query: URLSearchParams,
  body: Record<string, unknown>,
): Answer {
  if (path === '/sessions/guest') return [201, { user }];
  if (path === '/me') {
    if (method === 'PATCH') user.display_name = String(body['display_name']);
    return [200, { user }];
  }
  if (path === '/lobby') return [200, lobby()];
  // The stand-in keeps nothing for anybody.
  if (path.startsWith('/me/')) return problem(404, 'not-found');
  if (path.endsWith('/me'))
    return [200, { row: boards.qualifying[0], hands_to_rank: 188, ranked_hands: 500 }];
  if (path.startsWith('/leaderboards/')) {
    const section = query.get('section') === 'ranked' ? 'ranked' : 'qualifying';
    return [
      200,
      {
        board: 'hu_river',
        section,
        as_of: new Date().toISOString(),
        ranked_hands: 500,
        items: boards[section],
        next_cursor: null,
      },
    ];
  }
  // Nothing live here: the client asks from time to time.
  if (path === '/ws-tickets' || path.endsWith('/events')) return problem(404, 'not-found');
  if (path === '/matches') return sitDown(body);
  if (!table) return problem(404, 'not-found');
  if (path.endsWith('/summary')) return [200, { summary: table.summary() }];
  if (path.endsWith('/actions')) {
    if (!table.act(body as Parameters<MockTable['act']>[0])) return problem(409, 'stale-turn');
    return played();
  }
  if (path.endsWith('/next-hand')) {
    table.nextHand();
    return played();
  }
  if (path.endsWith('/top-up'))
    return [200, { added: table.topUp(), snapshot: (table.take(), table.snapshot()) }];
  if (path.endsWith('/settle')) {
    table.settled = true;
    return [200, { summary: table.summary() }];
  }
  return [200, table.snapshot()];
}

function sitDown(body: Record<string, unknown>): Answer {
  if (table && !table.settled && body['supersede'] !== true) return problem(409, 'active-match');
  table = new MockTable(Number(body['buy_in']));
  const snapshot = table.snapshot();
  return [201, { match: snapshot.match, table_id: 't_1', snapshot, events: table.take() }];
}

function played(): Answer {
  if (!table) return problem(404, 'not-found');
  const snapshot = table.snapshot();
  return [
    200,
    { version: snapshot.version, events: table.take(), legal: snapshot.legal, snapshot },
  ];
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [status, body] = answer(
    request.method ?? 'GET',
    url.pathname,
    url.searchParams,
    await read(request),
  );
  response.writeHead(status, {
    'Content-Type': status < 400 ? 'application/json' : 'application/problem+json',
  });
  response.end(JSON.stringify(body));
}

export function mockGateway(): Plugin {
  const use = (middlewares: {
    use: (
      path: string,
      handler: (request: IncomingMessage, response: ServerResponse) => void,
    ) => void;
  }): void => {
    middlewares.use('/v1', (request, response) => void serve(request, response));
  };
  return {
    name: 'mock-gateway',
    configureServer: (server) => use(server.middlewares),
    configurePreviewServer: (server) => use(server.middlewares),
  };
}
