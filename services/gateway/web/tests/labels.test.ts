import { describe, expect, it } from 'vitest';

import {
  greyText,
  noRaiseText,
  passiveLabel,
  raiseLabel,
  turnAnnouncement,
} from '../src/lib/labels';
import { legal, preset, range } from './support';

const CHIPS = { unit: 'chips', bigBlind: 100 } as const;
const BLINDS = { unit: 'bb', bigBlind: 100 } as const;

describe('the raise button', () => {
  it('says the total of this round', () => {
    expect(raiseLabel(range(), 900, CHIPS)).toBe('Raise to 900');
    expect(raiseLabel(range({ kind: 'bet' }), 300, CHIPS)).toBe('Bet 300');
  });

  it('says ALL-IN at the maximum and only there', () => {
    expect(raiseLabel(range(), 9700, CHIPS)).toBe('ALL-IN 9,700');
    expect(raiseLabel(range(), 9650, CHIPS)).toBe('Raise to 9,650');
  });

  it('shows odd server numbers verbatim', () => {
    expect(raiseLabel(range({ min_to: 737 }), 737, CHIPS)).toBe('Raise to 737');
  });

  it('speaks in big blinds when asked to', () => {
    expect(raiseLabel(range(), 950, BLINDS)).toBe('Raise to 9.5 BB');
    expect(raiseLabel(range(), 9700, BLINDS)).toBe('ALL-IN 97 BB');
  });
});

describe('the check or call button', () => {
  it.each([
    [{ can_check: true, to_call: 0 }, 'Check'],
    [{ to_call: 300 }, 'Call 300'],
    [{ to_call: 40, call_all_in: true }, 'Call 40 · ALL-IN'],
    [{ to_call: 1237 }, 'Call 1,237'],
  ])('%o reads %s', (over, expected) => {
    expect(passiveLabel(legal(over), CHIPS)).toBe(expected);
  });
});

describe('the announcement of a turn', () => {
  it('names the call and the minimum raise', () => {
    expect(turnAnnouncement(legal(), CHIPS)).toBe('Your turn. Call 300. Minimum raise to 600.');
  });

  it('names a free check and the minimum bet', () => {
    const free = legal({ can_check: true, to_call: 0, raise: range({ kind: 'bet', min_to: 100 }) });
    expect(turnAnnouncement(free, CHIPS)).toBe('Your turn. You may check. Minimum bet 100.');
  });

  it('says when only all-in is left, and why nothing can be raised', () => {
    const short = legal({ raise: range({ min_to: 450, max_to: 450 }) });
    expect(turnAnnouncement(short, CHIPS)).toBe('Your turn. Call 300. All-in is 450.');
    const none = legal({ raise: null, no_raise_reason: 'no_opponent_can_call' });
    expect(turnAnnouncement(none, CHIPS)).toMatch(/No raise: nobody is left/);
  });

  it('shows a reason it does not know as it comes', () => {
    expect(noRaiseText('brand_new_reason')).toBe('brand new reason');
  });
});

describe('the reason of a grey shortcut', () => {
  const low = preset('bb_2', '2 BB', 200, 'below the minimum raise to 1,140');
  const raise = range({ min_to: 1140, full_min_to: 1140 });

  it('is in the unit shown', () => {
    expect(greyText(low, raise, CHIPS)).toBe('below the minimum raise to 1,140');
    expect(greyText(low, raise, BLINDS)).toBe('below the minimum raise to 11.4 BB');
  });

  it('stays as the server wrote it when its number is not the one we know', () => {
    expect(greyText(low, range({ full_min_to: 140 }), BLINDS)).toBe(
      'below the minimum raise to 1,140',
    );
    const over = preset('pot', 'Pot', 900, 'more than your stack');
    expect(greyText(over, raise, BLINDS)).toBe('more than your stack');
    expect(greyText(over, null, BLINDS)).toBe('more than your stack');
  });
});
