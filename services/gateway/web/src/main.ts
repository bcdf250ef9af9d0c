import { mount } from 'svelte';

import App from './App.svelte';
import './app.css';
import { startLanguage } from './lib/language.svelte';
import { isNotFetched } from './lib/screens';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
await startLanguage();
mount(App, { target });

// After all that the first look needs. The development server's files are nothing to keep.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1000));
  const gone = (error: unknown): void => {
    if (!isNotFetched(error)) throw error;
  };
  later(() => void import('./lib/update').then(({ keepShell }) => keepShell(), gone));
}
