/** Has the service worker keep the client on this device, and offers what is newer. */
import { m } from './messages';
import { remark } from './notices.svelte';

const LOOK_EVERY_MS = 3_600_000;

type Container = Pick<ServiceWorkerContainer, 'register' | 'controller' | 'addEventListener'>;

export async function keepShell(
  container: Container = navigator.serviceWorker,
  reload: () => void = () => location.reload(),
): Promise<void> {
  const registration = await register(container);
  if (registration) new Update(container, registration, reload).watch();
}

async function register(container: Container): Promise<ServiceWorkerRegistration | null> {
  try {
    return await container.register('/sw.js');
  } catch (error) {
    // A browser that keeps nothing, or a script that did not come: all works, with a network.
    if (error instanceof TypeError || error instanceof DOMException) return null;
    throw error;
  }
}

class Update {
  private next: ServiceWorker | null = null;
  private asked = false;

  constructor(
    private readonly container: Container,
    private readonly registration: ServiceWorkerRegistration,
    private readonly reload: () => void,
  ) {}

  watch(): void {
    const { container, registration } = this;
    this.offer(registration.waiting);
    registration.addEventListener('updatefound', () => this.follow(registration.installing));
    container.addEventListener('controllerchange', () => {
      if (this.asked) this.reload();
    });
    setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  /** A page may stay open for days. */
  private look(): void {
    // Without an answer there is another time.
    this.registration.update().catch(() => undefined);
  }

  private follow(worker: ServiceWorker | null): void {
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') this.offer(worker);
    });
  }

  /** Without a controller it is the first version here, and what is on the screen is that. */
  private offer(worker: ServiceWorker | null): void {
    if (!worker || !this.container.controller) return;
    const told = this.next !== null;
    this.next = worker;
    if (told) return;
    const action = { label: (): string => m.update.reload, run: () => this.take() };
    remark(() => m.update.ready, { action });
  }

  private take(): void {
    // Another window may have let it take over already.
    if (this.next?.state !== 'installed') return this.reload();
    this.asked = true;
    this.next.postMessage('take-over');
  }
}
