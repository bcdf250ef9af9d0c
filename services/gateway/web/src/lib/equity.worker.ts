/** Counts boards beside the page, so that the cards go on moving meanwhile. */
import { equityOf } from './equity';
import type { Question } from './odds.svelte';

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  postMessage({ id: data.id, shares: equityOf(data.hands, data.board).shares });
});
