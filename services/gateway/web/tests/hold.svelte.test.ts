import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import StepButton from '../src/components/StepButton.svelte';
import { FIRST_REPEAT_MS, NEXT_REPEAT_MS } from '../src/lib/repeat';
import { stepBy } from '../src/lib/sizing';
import { range } from './support';

const RANGE = range({ min_to: 600, max_to: 9700 });
let page: Record<string, unknown>;
let amount: number;
let props: { label: string; sign: '+'; disabled: boolean; onstep: () => boolean };

function show(from: number): HTMLElement {
  amount = from;
  const given = $state<typeof props>({
    label: 'more',
    sign: '+',
    disabled: false,
    onstep: () => {
      const next = stepBy(amount, 1, RANGE);
      if (next === amount) return false;
      amount = next;
      return true;
    },
  });
  props = given;
  page = mount(StepButton, { target: document.body, props });
  flushSync();
  return document.querySelector('button') as HTMLElement;
}

const press = (button: HTMLElement, type: string, over: PointerEventInit = {}): void =>
  void button.dispatchEvent(new PointerEvent(type, { button: 0, bubbles: true, ...over }));

beforeEach(() => vi.useFakeTimers());

afterEach(async () => {
  vi.useRealTimers();
  await unmount(page);
  document.body.innerHTML = '';
});

describe('holding + down', () => {
  it.each(['mouse', 'touch', 'pen'])('steps at once, then on and on: %s', (pointerType) => {
    const button = show(1140);
    press(button, 'pointerdown', { pointerType });
    expect(amount).toBe(1190);
    vi.advanceTimersByTime(FIRST_REPEAT_MS - 1);
    expect(amount).toBe(1190);
    vi.advanceTimersByTime(1 + 3 * NEXT_REPEAT_MS);
    expect(amount).toBe(1390);
    press(button, 'pointerup');
    vi.advanceTimersByTime(5000);
    expect(amount).toBe(1390);
  });

  it.each(['pointerleave', 'pointercancel', 'blur'])('stops on %s', (type) => {
    const button = show(1140);
    press(button, 'pointerdown');
    if (type === 'blur') button.dispatchEvent(new FocusEvent('blur'));
    else press(button, type);
    vi.advanceTimersByTime(5000);
    expect(amount).toBe(1190);
  });

  it('stops at the bound, which it reaches exactly', () => {
    const button = show(9640);
    press(button, 'pointerdown');
    vi.advanceTimersByTime(5000);
    expect(amount).toBe(9700);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops when the turn ends', () => {
    const button = show(1140);
    press(button, 'pointerdown');
    props.disabled = true;
    flushSync();
    vi.advanceTimersByTime(5000);
    expect([amount, button.getAttribute('aria-disabled')]).toEqual([1190, 'true']);
  });

  it('leaves other mouse buttons alone', () => {
    const button = show(1140);
    press(button, 'pointerdown', { button: 2 });
    vi.advanceTimersByTime(5000);
    expect(amount).toBe(1140);
  });

  it('takes every click of a key that is held, and of assistive tools', () => {
    const button = show(1140);
    for (let repeats = 0; repeats < 3; repeats += 1) button.click();
    expect(amount).toBe(1290);
  });
});
