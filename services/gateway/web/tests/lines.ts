/** A browser's sockets and event streams, with the test at the other end. */
import type { Message } from '../src/lib/lines';

type Bye = Extract<Message, { op: 'bye' }>;

export const TABLE = 'table:t_1';
export const HELLO: Message = { op: 'hello', ping_s: 15 };

class FakeLine {
  closed = false;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor(readonly address: string) {}

  hear(...messages: readonly Message[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }

  close(): void {
    this.closed = true;
  }
}

export class FakeSocket extends FakeLine {
  static made: FakeSocket[] = [];
  readonly said: Record<string, unknown>[] = [];
  onclose: (() => void) | null = null;

  constructor(
    address: string,
    readonly subprotocol: string,
  ) {
    super(address);
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    this.said.push(JSON.parse(text) as Record<string, unknown>);
  }

  /** The network or the server ends it. */
  drop(bye?: Omit<Bye, 'op'>): void {
    if (bye) this.hear({ op: 'bye', ...bye });
    this.onclose?.();
  }

  get subs(): Record<string, unknown>[] {
    return this.said.filter((order) => order['op'] === 'sub' && order['ch'] === TABLE);
  }
}

export class FakeSource extends FakeLine {
  static made: FakeSource[] = [];
  onerror: (() => void) | null = null;

  constructor(address: string) {
    super(address);
    FakeSource.made.push(this);
  }

  drop(): void {
    this.onerror?.();
  }
}

const real = { WebSocket: globalThis.WebSocket, EventSource: globalThis.EventSource };

export function installLines(): void {
  FakeSocket.made = [];
  FakeSource.made = [];
  Object.assign(globalThis, { WebSocket: FakeSocket, EventSource: FakeSource });
}

export function restoreLines(): void {
  Object.assign(globalThis, real);
}
