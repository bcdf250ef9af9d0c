/** A `fetch` that answers by address, as often as it is asked, and remembers what it was asked. */
import { vi } from 'vitest';

type Answer = unknown | ((query: URLSearchParams) => unknown);

/** Instead of a body: a refusal. */
export class Refusal {
  constructor(
    readonly status: number,
    readonly type: string,
  ) {}
}

export class PathServer {
  readonly seen: string[] = [];
  private readonly answers = new Map<string, Answer>();
  private readonly real = globalThis.fetch;

  /** What is at an address, without "/v1" and question mark: a body, or what makes one. */
  at(path: string, answer: Answer): this {
    this.answers.set(path, answer);
    return this;
  }

  install(): void {
    this.seen.length = 0;
    this.answers.clear();
    globalThis.fetch = vi.fn((input: RequestInfo | URL) => Promise.resolve(this.answer(input)));
  }

  restore(): void {
    globalThis.fetch = this.real;
  }

  private answer(input: RequestInfo | URL): Response {
    const url = new URL(input as string, 'http://localhost');
    const path = url.pathname.replace(/^\/v1/, '');
    this.seen.push(path + url.search);
    if (!this.answers.has(path)) throw new Error(`nothing laid out for ${path}`);
    const answer = this.answers.get(path);
    const body = typeof answer === 'function' ? (answer(url.searchParams) as unknown) : answer;
    if (!(body instanceof Refusal)) return reply(200, body);
    const type = `http://localhost/v1/problems/${body.type}`;
    return reply(body.status, { type, title: body.type, status: body.status });
  }
}

function reply(status: number, body: unknown): Response {
  const headers = { 'Content-Type': 'application/json' };
  return new Response(JSON.stringify(body), { status, headers });
}
