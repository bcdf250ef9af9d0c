/** A WebSocket that speaks `holdem.v1`, and notices when nobody is there any more. */
import { BROKEN, parse } from './lines';
import type { Ear, Ending, Line, Message, Order } from './lines';
import type { Clock } from './pace';

const SUBPROTOCOL = 'holdem.v1';
/** How long the server's first word may take; some proxies let a socket open and say nothing. */
export const HELLO_MS = 5000;
/** How long the answer to a ping may take. */
export const PONG_MS = 8000;

export function socketAddress(ticket: string): string {
  const { protocol, host } = location;
  const scheme = protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${host}/v1/ws?ticket=${encodeURIComponent(ticket)}`;
}

export class SocketLine implements Line {
  private readonly socket: WebSocket;
  private farewell: Ending = BROKEN;
  private open = true;
  /** Until the server must have said something. */
  private deadline: number | null;
  /** The next ping; null before the server has greeted us and after the end. */
  private ping: number | null = null;

  constructor(
    ticket: string,
    private readonly ear: Ear,
    private readonly clock: Clock,
  ) {
    this.socket = new WebSocket(socketAddress(ticket), SUBPROTOCOL);
    this.socket.onmessage = ({ data }) => this.hear(parse(data));
    this.socket.onclose = () => this.end();
    this.deadline = clock.set(() => this.end(), HELLO_MS);
  }

  say(order: Order): void {
    // A socket that is not open yet would throw.
    if (this.ping !== null) this.socket.send(JSON.stringify(order));
  }

  probe(): void {
    if (this.deadline !== null || this.ping === null) return;
    this.say({ op: 'ping' });
    this.deadline = this.clock.set(() => this.end(), PONG_MS);
  }

  close(): void {
    this.open = false;
    this.relax();
    if (this.ping !== null) this.clock.clear(this.ping);
    this.ping = null;
    this.socket.onclose = null;
    this.socket.onmessage = null;
    this.socket.close();
  }

  private hear(message: Message | null): void {
    if (!message) return;
    this.relax();
    if (message.op === 'bye') {
      this.farewell = { reason: message.reason, retryMs: message.retry_ms };
      this.end();
      return;
    }
    if (message.op === 'hello') this.pingEvery(message.ping_s * 1000);
    this.ear.heard(message);
  }

  /** However much is heard: the server wants to hear from us, too. */
  private pingEvery(ms: number): void {
    if (this.ping !== null) this.clock.clear(this.ping);
    this.ping = this.clock.set(() => {
      this.pingEvery(ms);
      this.probe();
    }, ms);
  }

  private relax(): void {
    if (this.deadline !== null) this.clock.clear(this.deadline);
    this.deadline = null;
  }

  private end(): void {
    if (!this.open) return;
    this.close();
    this.ear.ended(this.farewell);
  }
}
