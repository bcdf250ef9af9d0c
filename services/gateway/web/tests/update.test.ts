import { beforeEach, expect, test, vi } from 'vitest';

import { notices } from '../src/lib/notices.svelte';
import { keepShell } from '../src/lib/update';

class FakeWorker extends EventTarget {
  readonly told: unknown[] = [];
  constructor(public state: ServiceWorkerState) {
    super();
  }
  postMessage(message: unknown): void {
    this.told.push(message);
  }
  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

class FakeRegistration extends EventTarget {
  waiting: FakeWorker | null = null;
  installing: FakeWorker | null = null;
  find(worker: FakeWorker): void {
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
    worker.become('installed');
  }
}

class FakeContainer extends EventTarget {
  controller: FakeWorker | null = new FakeWorker('activated');
  readonly registration = new FakeRegistration();
  failure: Error | null = null;
  register = (): Promise<FakeRegistration> =>
    this.failure ? Promise.reject(this.failure) : Promise.resolve(this.registration);
}

let container: FakeContainer;
const reload = vi.fn();
const start = (): Promise<void> =>
  keepShell(container as unknown as Parameters<typeof keepShell>[0], reload);
const press = (): void => notices.waiting[0]?.action?.run();

beforeEach(() => {
  vi.useFakeTimers();
  container = new FakeContainer();
  notices.waiting = [];
  reload.mockReset();
});

test('a version that waits is offered, takes over when asked, and the page is loaded anew', async () => {
  const next = new FakeWorker('installed');
  container.registration.waiting = next;
  await start();
  expect(notices.waiting).toHaveLength(1);
  expect(next.told).toEqual([]);
  press();
  expect(next.told).toEqual(['take-over']);
  expect(reload).not.toHaveBeenCalled();
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).toHaveBeenCalledOnce();
});

test('a version that is found later is offered when all of it is here, once', async () => {
  await start();
  expect(notices.waiting).toEqual([]);
  container.registration.find(new FakeWorker('installing'));
  const newest = new FakeWorker('installing');
  container.registration.find(newest);
  expect(notices.waiting).toHaveLength(1);
  press();
  expect(newest.told).toEqual(['take-over']);
});

test('another window that takes it over reloads only itself', async () => {
  const next = new FakeWorker('installed');
  container.registration.waiting = next;
  await start();
  next.become('activated');
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).not.toHaveBeenCalled();
  press();
  expect(reload).toHaveBeenCalledOnce();
});

test('the first version of all is not news', async () => {
  container.controller = null;
  await start();
  container.registration.find(new FakeWorker('installing'));
  expect(notices.waiting).toEqual([]);
});

test.each([new TypeError('not fetched'), new DOMException('forbidden', 'SecurityError')])(
  'without a worker the client works on: %s',
  async (failure) => {
    container.failure = failure;
    await start();
    expect(notices.waiting).toEqual([]);
  },
);
