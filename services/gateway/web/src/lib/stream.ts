/** A table's server-sent events, for networks where sockets do not work. */
import { BROKEN, parse } from './lines';
import type { Ear, Line } from './lines';
import type { Clock } from './pace';
import { HELLO_MS } from './socket';

export class StreamLine implements Line {
  private readonly source: EventSource;
  private deadline: number | null;

  constructor(
    tableId: string,
    since: number | null,
    private readonly ear: Ear,
    private readonly clock: Clock,
  ) {
    const from = since === null ? '' : `?since=${since}`;
    this.source = new EventSource(`/v1/tables/${encodeURIComponent(tableId)}/events${from}`);
    this.source.onmessage = ({ data }) => this.hear(data);
    // It would come back by itself, but how often and how soon is decided in one place.
    this.source.onerror = () => this.end(BROKEN.reason, BROKEN.retryMs);
    this.deadline = clock.set(() => this.end(BROKEN.reason, BROKEN.retryMs), HELLO_MS);
  }

  say(): void {
    // A stream has nothing to say back.
  }

  probe(): void {
    // Its keep-alives never reach this code; the browser reports a broken stream.
  }

  close(): void {
    this.quiet();
    this.source.onmessage = null;
    this.source.onerror = null;
    this.source.close();
  }

  private hear(data: unknown): void {
    const message = parse(data);
    if (!message) return;
    this.quiet();
    if (message.op === 'bye') this.end(message.reason, message.retry_ms);
    else this.ear.heard(message);
  }

  private quiet(): void {
    if (this.deadline !== null) this.clock.clear(this.deadline);
    this.deadline = null;
  }

  private end(reason: string, retryMs: number | null): void {
    if (this.source.onerror === null) return;
    this.close();
    this.ear.ended({ reason, retryMs });
  }
}
