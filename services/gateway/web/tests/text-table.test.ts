import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import TextTable from '../src/components/TextTable.svelte';
import { spoken } from '../src/lib/announce.svelte';
import { carryOut } from '../src/lib/command';
import type { Command } from '../src/lib/keys';
import { speak } from '../src/lib/language.svelte';
import { fromSnapshot } from '../src/lib/reducer';
import { DEFAULTS, adopt } from '../src/lib/settings.svelte';
import { TableSession } from '../src/lib/table.svelte';
import { commandRows, sizeLines, stackLines } from '../src/lib/text/describe';
import { de } from '../src/lib/text/de';
import { en } from '../src/lib/text/en';
import { answerTo } from '../src/lib/text/obey';
import { parseLine } from '../src/lib/text/parse';
import { GUARD_MS } from '../src/lib/turn.svelte';
import type { Snapshot } from '../src/lib/types';
import { FakeClock } from './clock';
import { answers } from './server';
import { ALL_IN_HAND, RIVER, YOU, event, legal, preset, range, snapshot } from './support';

const CHIPS = { unit: 'chips', bigBlind: 100 } as const;
const server = answers();
const clock = new FakeClock();
let table: TableSession;

beforeEach(() => {
  adopt({ ...DEFAULTS, speed: 0 });
  server.install();
});
afterEach(async () => {
  table?.close();
  server.restore();
  adopt({ ...DEFAULTS });
  await speak('en');
});

const obey = (command: Command): void =>
  carryOut(command, table, { history: () => undefined, help: () => undefined });

async function open(first: Snapshot, guarded = false): Promise<void> {
  server.next(200, first);
  table = new TableSession('t_1', { summary: () => undefined }, undefined, clock);
  await table.start();
  if (!guarded) clock.advance(GUARD_MS);
}

const ports = { obey, handName: () => '', rules: vi.fn(), picture: vi.fn() };
function type(line: string): { lines: readonly string[]; keep: boolean } {
  const { lines, keep } = answerTo(line, { table, ...ports });
  return { lines: lines(), keep };
}
const posted = (): unknown[] =>
  server.seen.filter(({ method }) => method === 'POST').map(({ body }) => body);
const turn = (over: Parameters<typeof legal>[0] = {}): Snapshot =>
  snapshot({ turn: { seat: YOU }, legal: legal(over) });
const after = (): Snapshot => {
  const base = snapshot();
  return {
    ...base,
    hand: { ...base.hand, over: true },
    match: {
      ...base.match,
      state: 'between_hands',
      stack: 9850,
      can_next_hand: true,
      can_settle: true,
    },
  };
};

describe('what is typed', () => {
  it.each([
    ['call', 'call', ''],
    ['  CALL ', 'call', ''],
    ['raise 900', 'raise', '900'],
    ['raise to 900', 'raise', '900'],
    ['Raise  7.5bb', 'raise', '7.5bb'],
    ['raise', 'raise', ''],
    ['r 1,140', 'raise', '1,140'],
    ['all in', 'allIn', ''],
    ['size 3', 'size', '3'],
    ['top up', 'topUp', ''],
    ['next hand', 'next', ''],
    ['?', 'help', ''],
    ['erhöhen auf 900', 'raise', '900'],
    ['abrechnen', 'settle', ''],
  ])('%s is the command %s with "%s"', (line, name, rest) => {
    expect(parseLine(line)).toEqual({ name, rest });
  });

  it.each(['', '   ', 'callx', 'call 300', 'fold now', '900', 'raise900'])(
    '"%s" is no command',
    (line) => expect(parseLine(line)).toBeNull(),
  );

  it.each([en, de])('has one meaning in each language', ({ commands }) => {
    const words = Object.values(commands).flat();
    expect(new Set(words).size).toBe(words.length);
  });

  it('has the same meaning in both, where both have the word', () => {
    for (const [name, words] of Object.entries(en.commands)) {
      for (const [other, german] of Object.entries(de.commands)) {
        if (other === name) continue;
        expect(words.filter((word) => german.includes(word))).toEqual([]);
      }
    }
  });

  it('of help is all there is', () => {
    const rows = commandRows({ unit: 'chips', bigBlind: 100 });
    expect(rows).toHaveLength(Object.keys(en.commands).length);
    for (const [form] of rows) expect(parseLine(form)).not.toBeNull();
  });
});

describe('a command', () => {
  it('sends what the key or button would send', async () => {
    await open(turn());
    server.next(200, { version: 2, events: [], legal: null, snapshot: snapshot({ version: 2 }) });
    expect(type('raise 900')).toEqual({ lines: [], keep: false });
    await vi.waitFor(() =>
      expect(posted()).toEqual([{ turn_token: 'turn-1', type: 'raise', to: 900 }]),
    );
  });

  it('reaches every chip, and says big blinds too', async () => {
    await open(turn({ raise: range({ min_to: 601, max_to: 9733 }) }));
    server.next(200, { version: 2, events: [], legal: null, snapshot: snapshot({ version: 2 }) });
    type('raise 7.5bb');
    await vi.waitFor(() => expect(posted()).toMatchObject([{ to: 750 }]));
  });

  it('goes all-in with everything', async () => {
    await open(turn());
    server.next(200, { version: 2, events: [], legal: null, snapshot: snapshot({ version: 2 }) });
    type('all-in');
    await vi.waitFor(() => expect(posted()).toMatchObject([{ type: 'raise', to: 9700 }]));
  });

  it.each([
    ['check', {}, 'You cannot check: there are 300 to call.'],
    ['call', { can_check: true, to_call: 0 }, 'There is nothing to call. You may check.'],
    [
      'fold',
      { can_fold: false, can_check: true },
      'Checking is free, so there is nothing to fold for.',
    ],
    ['raise 599', {}, 'That is not allowed: you may go from 600 to 9,700. Nothing was sent.'],
    ['raise 9701', {}, 'That is not allowed: you may go from 600 to 9,700. Nothing was sent.'],
    ['raise pot', {}, '“pot” is no amount. Type one such as 900.'],
    ['raise 12.5', {}, '“12.5” is no amount. Type one such as 900.'],
    [
      'raise 900',
      { raise: null, no_raise_reason: 'no_opponent_can_call' },
      'You cannot raise: nobody is left who could call a raise.',
    ],
    ['all-in', { raise: null, call_all_in: true }, 'A call is all-in already. Type call.'],
    ['size 9', {}, 'There are bet sizes from 1 to 0.'],
    ['next', {}, 'The hand is not over yet.'],
    ['settle', {}, 'The hand is not over yet.'],
    ['skip', {}, 'There is nothing to skip.'],
    ['dance', {}, '“dance” is no command. Type help to hear what there is.'],
  ])('%s is refused with the reason, stays typed and sends nothing', async (line, over, why) => {
    await open(turn(over));
    expect(type(line)).toEqual({ lines: [why], keep: true });
    expect(posted()).toEqual([]);
  });

  it('is asked for again when the turn has come only now', async () => {
    await open(turn(), true);
    expect(type('call')).toEqual({ lines: [en.refusal.justNow], keep: true });
    expect(posted()).toEqual([]);
    clock.advance(GUARD_MS);
    server.next(200, { version: 2, events: [], legal: null, snapshot: snapshot({ version: 2 }) });
    type('call');
    await vi.waitFor(() => expect(posted()).toHaveLength(1));
  });

  it('is refused while another one is on its way', async () => {
    await open(turn());
    server.next(200, { version: 2, events: [], legal: null, snapshot: snapshot({ version: 2 }) });
    type('call');
    expect(type('fold').lines).toEqual([en.refusal.sending]);
    await vi.waitFor(() => expect(posted()).toEqual([{ turn_token: 'turn-1', type: 'call' }]));
  });

  it('of a bet size only sets the amount', async () => {
    const presets = [
      preset('min', 'Min', 600),
      preset('bb_2', '2 BB', 200, 'more than your stack'),
    ];
    await open(turn({ presets }));
    expect(type('size 1').lines).toEqual(['Set to 600. Type bet or raise to send it.']);
    expect(type('size 2').lines).toEqual(['2: 2 BB, not now: more than your stack']);
    expect([table.amount, posted()]).toEqual([600, []]);
  });

  it('between hands does what the match allows', async () => {
    await open(after());
    expect(type('top up').lines).toEqual(['You cannot fill up now.']);
    expect(type('call').lines).toEqual(['It is not your turn.']);
    server.next(409, {});
    type('next');
    await vi.waitFor(() => expect(server.seen.at(-1)?.path).toBe('/v1/matches/m_1/next-hand'));
  });

  it('opens the rules, and the table as a picture', async () => {
    await open(after());
    type('rules');
    type('picture');
    expect([ports.rules, ports.picture].map((port) => port.mock.calls.length)).toEqual([1, 1]);
  });
});

describe('what the table says', () => {
  const dealt = (): Snapshot => {
    const base = turn();
    return {
      ...base,
      hand: { ...base.hand, street: 'flop', board: ['Ah', 'Td', '2c'], pot_total: 650 },
    };
  };

  it('names cards in words', async () => {
    await open(dealt());
    expect(type('cards').lines).toEqual(['You hold ace of spades, king of hearts.']);
    expect(type('board').lines).toEqual(['Flop: ace of hearts, ten of diamonds, two of clubs.']);
    expect(type('pot').lines).toEqual(['The pot is 650.']);
    expect(answerTo('cards', { table, ...ports, handName: () => 'Pair of aces' }).lines()[1]).toBe(
      'That is Pair of aces.',
    );
  });

  it('tells the turn with the server’s numbers verbatim', async () => {
    await open(turn({ to_call: 337, raise: range({ min_to: 677, max_to: 9733 }) }));
    expect(type('turn').lines).toEqual([
      'Your turn. Call 337. Minimum raise to 677.',
      'At most 9,733.',
      'You can type: fold, call, raise amount, all-in.',
    ]);
  });

  it('tells stacks, bets and who is all-in or folded', () => {
    const base = snapshot();
    const [you, river] = base.seats;
    if (!you || !river) throw new Error('two seats');
    const view = fromSnapshot({
      ...base,
      seats: [
        { ...you, folded: true, bet: 50 },
        { ...river, stack: 0, bet: 10_000, all_in: true },
      ],
    });
    expect(stackLines(view, CHIPS)).toEqual([
      'You, BTN/SB: 10,000 behind; 50 in this round; folded.',
      'River, BB: 0 behind; 10,000 in this round; all-in.',
    ]);
  });

  it('numbers the bet sizes, with the reason of grey ones', () => {
    const presets = [preset('min', 'Min', 600), preset('bb_2', '2 BB', 200, 'no raise')];
    expect(sizeLines(legal({ presets }), CHIPS)).toEqual([
      '1: Min, 600',
      '2: 2 BB, not now: no raise',
    ]);
    expect(sizeLines(null, CHIPS)).toEqual(['There are no bet sizes now.']);
  });

  it('tells what happened, with cards in words', async () => {
    await open({
      ...after(),
      log: [
        event(1, 'street.dealt', { street: 'flop', cards: ['Ah', 'Td', '2c'] }),
        event(2, 'pot.awarded', { pot_no: 0, chips: 200, winners: [{ seat: RIVER, chips: 200 }] }),
      ],
    });
    expect(type('log').lines).toEqual([
      'Flop: ace of hearts, ten of diamonds, two of clubs.',
      'River wins 200.',
    ]);
    expect(type('turn').lines[0]).toBe('River wins 200');
    expect(type('result').lines).toEqual([
      'Your result so far is 0.0 BB. Stack 9,850, total buy-in 10,000.',
    ]);
  });

  it('is German, and so are the commands', async () => {
    await open(dealt());
    await speak('de');
    expect(type('karten').lines).toEqual(['Du hältst Pik-Ass, Herz-König.']);
    expect(type('check').lines).toEqual(['Du kannst nicht checken: Ein Call kostet 300.']);
    expect(type('hilfe').lines).toContain('auffüllen: Füllt deinen Stack auf.');
  });
});

describe('the text table', () => {
  let page: Record<string, unknown>;
  const find = (testid: string): HTMLElement => {
    const found = document.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
    if (!found) throw new Error(`no ${testid}`);
    return found;
  };

  async function show(): Promise<void> {
    await open(turn());
    if (!table.view) throw new Error('no view');
    const props = {
      table,
      view: table.view,
      handName: '',
      obey,
      focus: true,
      onpicture: ports.picture,
    };
    page = mount(TextTable, { target: document.body, props });
    flushSync();
  }

  function enter(line: string): void {
    const field = find('command') as HTMLInputElement;
    field.value = line;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    field.form?.requestSubmit();
    flushSync();
  }

  afterEach(async () => {
    await unmount(page);
    document.body.innerHTML = '';
  });

  it('is headings, a log, and a field that has the focus and a name', async () => {
    await show();
    expect([...document.querySelectorAll('h2')].map((one) => one.textContent)).toEqual([
      'Now',
      'Your cards',
      'Board',
      'Stacks and bets',
      'Match',
      'Hand log',
    ]);
    expect(document.activeElement).toBe(find('command'));
    expect(document.querySelector('label[for="command"]')?.textContent).toBe('Command');
    expect(document.querySelectorAll('[role="log"]')).toHaveLength(1);
  });

  it('answers in a live region, and keeps what was refused', async () => {
    await show();
    enter('stack');
    expect(find('answer').textContent).toContain('River, BB: 10,000 behind.');
    expect(find('answer').getAttribute('role')).toBe('status');
    expect((find('command') as HTMLInputElement).value).toBe('');
    enter('check');
    expect(find('answer').textContent).toContain('You cannot check');
    expect((find('command') as HTMLInputElement).value).toBe('check');
  });

  it('plays a match to its end by typed commands, and tells it with cards in words', async () => {
    const left: string[] = [];
    const flop = turn({ can_check: true, raise: range({ kind: 'bet', max_to: 11_700 }) });
    server.next(200, { ...flop, log: ALL_IN_HAND.slice(0, 12) });
    table = new TableSession('t_1', { summary: (id) => left.push(id) }, undefined, clock);
    await table.start();
    clock.advance(GUARD_MS);
    const props = {
      table,
      get view() {
        if (!table.view) throw new Error('no view');
        return table.view;
      },
      handName: '',
      obey,
      focus: true,
      onpicture: ports.picture,
    };
    page = mount(TextTable, { target: document.body, props });
    const log = (): string => document.querySelector('[role="log"]')?.textContent ?? '';
    flushSync();
    expect(log()).toContain('Flop: queen of spades, seven of spades, two of spades');

    const over = { ...after(), log: ALL_IN_HAND };
    server.next(200, { version: 9, events: ALL_IN_HAND.slice(12), legal: null, snapshot: over });
    enter('all-in');
    await vi.waitFor(() => expect(table.bar).toBe('hand_over'));
    flushSync();
    expect(posted().at(-1)).toMatchObject({ type: 'bet', to: 11_700 });
    for (const line of [
      'You bet 11,700, all-in',
      'River shows queen of diamonds, queen of hearts',
      'You win 20,000',
    ])
      expect(log()).toContain(line);
    expect(find('text-now').textContent).toContain('You win 20,000 with a flush, ace high');
    expect(spoken.text).toContain('You win 20,000');

    clock.advance(GUARD_MS);
    server.next(200, { summary: { match_id: 'm_1', hands: 1 } });
    enter('settle');
    await vi.waitFor(() => expect(left).toEqual(['m_1']));
  });
});
