import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

import { mockGateway } from './mock/gateway.ts';
import { compressed } from './worker/compressed.ts';
import { serviceWorker } from './worker/plugin.ts';

/** What the gateway sends with the built client; `npm run preview` checks that the client obeys it. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

export default defineConfig(({ mode }) => {
  const gateway = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:8000';
  const proxy = { '/v1': { target: gateway, ws: true } };
  return {
    plugins: [svelte(), serviceWorker(), compressed(), ...(mode === 'mock' ? [mockGateway()] : [])],
    // Unit tests mount real components, so they need Svelte's browser build.
    ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
    build: {
      target: 'es2022',
      outDir: 'dist',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // `npm run size` counts what matters; how long each plugin took says nothing is wrong.
      reportCompressedSize: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
    server: mode === 'mock' ? {} : { proxy },
    preview: {
      headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY },
      ...(mode === 'mock' ? {} : { proxy }),
    },
    // Slow machines are no failure.
    test: {
      environment: 'happy-dom',
      include: ['tests/**/*.test.ts'],
      setupFiles: ['tests/patient.ts'],
      testTimeout: 30_000,
    },
  };
});
