/** A `fetch` that answers what the test laid out, in order, and remembers what it was asked. */

export interface Asked {
  method: string;
  path: string;
  key: string | null;
  ifMatch: string | null;
  body: unknown;
}

type Answer = { status: number; body: unknown; etag: string | undefined } | 'lost';

export class FakeServer {
  readonly seen: Asked[] = [];
  private answers: Answer[] = [];
  private readonly real = globalThis.fetch;

  next(status: number | 'lost', body: unknown = {}, etag?: string): this {
    this.answers.push(status === 'lost' ? 'lost' : { status, body, etag });
    return this;
  }

  install(): void {
    this.seen.length = 0;
    this.answers = [];
    globalThis.fetch = (input, init) => this.answer(input, init);
  }

  restore(): void {
    globalThis.fetch = this.real;
  }

  private answer(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    this.seen.push({
      method: init.method ?? 'GET',
      path: input as string,
      key: new Headers(init.headers).get('Idempotency-Key'),
      ifMatch: new Headers(init.headers).get('If-Match'),
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : null,
    });
    const answer = this.answers.shift();
    if (!answer) return Promise.reject(new Error(`nothing laid out for ${input as string}`));
    if (answer === 'lost') return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve(
      new Response(JSON.stringify(answer.body), {
        status: answer.status,
        headers: {
          'Content-Type': 'application/json',
          ...(answer.etag === undefined ? {} : { ETag: answer.etag }),
        },
      }),
    );
  }
}

export const answers = (): FakeServer => new FakeServer();

export function problem(status: number, type: string): [number, unknown] {
  return [status, { type: `http://localhost/v1/problems/${type}`, title: type, status }];
}
