/** Lets `vi.waitFor` wait longer than its second: a slow machine is no failure. */
import { vi } from 'vitest';

const PATIENCE = { timeout: 20_000 };
const waitFor = vi.waitFor;

vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { ...PATIENCE, ...options });
