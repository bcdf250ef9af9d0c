import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import NameDialog from '../src/components/NameDialog.svelte';
import { connection } from '../src/lib/online.svelte';
import { session } from '../src/lib/session.svelte';
import { answers, problem } from './server';

const server = answers();
const user = { id: 'u_1', display_name: 'Otter-41', kind: 'guest', username: null } as const;
let closed = 0;
let dialog: Record<string, unknown>;

const alert = (): string => document.querySelector('[role="alert"]')?.textContent ?? '';

function save(name: string): void {
  const field = document.querySelector<HTMLInputElement>('[data-testid="name-input"]');
  if (!field) throw new Error('no field');
  field.value = name;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  document
    .querySelector('form')
    ?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
}

beforeEach(() => {
  server.install();
  closed = 0;
  session.user = user;
  dialog = mount(NameDialog, {
    target: document.body,
    props: { open: true, onclose: () => (closed += 1) },
  });
  flushSync();
});

afterEach(async () => {
  await unmount(dialog);
  document.body.innerHTML = '';
  server.restore();
});

describe('changing your name', () => {
  it('says why a name was refused, as the server says it', async () => {
    const [status, body] = problem(422, 'request-invalid');
    const message = 'Value error, a name has 1..40 characters';
    server.next(status, { ...(body as object), errors: [{ field: 'body.display_name', message }] });
    save('x'.repeat(60));
    await vi.waitFor(() => expect(alert()).toBe('A name has 1 to 40 characters.'));
    expect(closed).toBe(0);
  });

  it('goes on trying while the server cannot be reached', async () => {
    vi.useFakeTimers();
    server.next('lost').next(200, { user: { ...user, display_name: 'Mark' } });
    save('Mark');
    await vi.advanceTimersByTimeAsync(100);
    expect([alert(), connection.trouble]).toEqual(['Not saved yet. Still trying…', true]);
    await vi.advanceTimersByTimeAsync(500);
    vi.useRealTimers();
    expect([closed, connection.trouble, session.user?.display_name]).toEqual([1, false, 'Mark']);
  });
});
