import { describe, expect, it } from 'vitest';

import { cardName, cardSign, rankLabel } from '../src/lib/cards';
import { chipColumns } from '../src/lib/chipstack';
import { chips, duration, momentOrNothing, result, signOf, signed } from '../src/lib/format';

describe('numbers', () => {
  it.each([
    ['+12.5', '+12.5', 'up'],
    ['12.5', '+12.5', 'up'],
    ['-3.05', '−3.05', 'down'],
    ['−3.05', '−3.05', 'down'],
    ['0.00', '0.00', 'even'],
    ['+1234.5', '+1,234.5', 'up'],
    ['-123456.1234', '−123,456.1234', 'down'],
    ['+0.0', '+0.0', 'even'],
  ])('%s is shown as %s', (text, shown, sign) => {
    expect(signed(text)).toBe(shown);
    expect(signOf(text)).toBe(sign);
  });

  it('of results have a decimal in big blinds, as the server writes them', () => {
    expect([result(700, 'bb', 100), result(-125_055, 'bb', 100), result(0, 'bb', 100)]).toEqual([
      '+7.0 BB',
      '−1,250.55 BB',
      '0.0 BB',
    ]);
    expect([result(1250, 'chips', 100), result(0, 'chips', 100)]).toEqual(['+1,250', '0']);
  });

  it('of chips and big blinds', () => {
    expect(chips(9700)).toBe('9,700');
    expect(chips(9730, 'bb', 100)).toBe('97.3 BB');
  });

  it.each([
    [83_520, '23 h 12 m'],
    [720, '12 m'],
    [45, '45 s'],
    [-3, '0 s'],
  ])('%i seconds left reads %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

it('tells a time only when there is one', () => {
  expect(momentOrNothing('2026-11-12T09:41:00Z')).toContain('2026');
  expect([null, '1970-01-01T00:00:00Z', 'soon'].map(momentOrNothing)).toEqual(['', '', '']);
});

describe('cards', () => {
  it('have names for people who hear them', () => {
    expect(cardName('As')).toBe('ace of spades');
    expect(cardName('Td')).toBe('ten of diamonds');
  });

  it('have signs for people who read them', () => {
    expect([cardSign('Kh'), rankLabel('Tc')]).toEqual(['K♥', '10']);
  });
});

it('draws an amount with few chips, biggest first', () => {
  expect(chipColumns(1650)).toEqual([
    { value: 1000, count: 1 },
    { value: 500, count: 1 },
    { value: 100, count: 1 },
  ]);
  expect(chipColumns(99_000).every((column) => column.count <= 5)).toBe(true);
  expect(chipColumns(0)).toEqual([]);
});
