import { describe, expect, it } from 'vitest';

import { clamp, keyAmount, parseAmount, snap, stepBy } from '../src/lib/sizing';

const RANGE = { min_to: 600, max_to: 9730, step: 50 };

describe('stepping by half a big blind', () => {
  it.each([
    [1140, 1, 1190],
    [1140, -1, 1090],
    [9680, 1, 9730],
    [9700, 1, 9730],
    [9730, 1, 9730],
    [620, -1, 600],
    [600, -1, 600],
    [1140, 10, 1640],
  ])('%i by %i gives %i', (amount, steps, expected) => {
    expect(stepBy(amount, steps, RANGE)).toBe(expected);
  });
});

describe('dragging', () => {
  it.each([
    [1141, 1150],
    [1124, 1100],
    [601, 600],
    [9729, 9730],
    [9716, 9730],
    [9712, 9700],
    [20_000, 9730],
  ])('%i lands on %i', (value, expected) => {
    expect(snap(value, RANGE)).toBe(expected);
  });

  it('reaches both ends even when neither is on the grid', () => {
    const odd = { min_to: 137, max_to: 213, step: 50 };
    expect(snap(137, odd)).toBe(137);
    expect(snap(213, odd)).toBe(213);
    expect(snap(160, odd)).toBe(150);
  });
});

describe('keys on the slider', () => {
  it.each([
    ['ArrowRight', 1190],
    ['ArrowUp', 1190],
    ['ArrowLeft', 1090],
    ['PageUp', 1640],
    ['PageDown', 640],
    ['Home', 600],
    ['End', 9730],
  ])('%s from 1,140 gives %i', (key, expected) => {
    expect(keyAmount(key, 1140, RANGE)).toBe(expected);
  });

  it('leave other keys alone', () => {
    expect(keyAmount('Tab', 1140, RANGE)).toBeNull();
  });
});

describe('typed amounts', () => {
  it.each([
    ['1140', 1140],
    ['1,140', 1140],
    [' 1 140 ', 1140],
    ['7.5bb', 750],
    ['7.5 BB', 750],
    ['100bb', 10_000],
    ['0', 0],
    ['1,234,567', 1_234_567],
    ['1\u202f140', 1140],
    ['7,5bb', 750],
    ['7,5 BB', 750],
    ['7,50bb', 750],
    ['0,750bb', 75],
    ['7.500bb', 750],
    ['1,140.5bb', 114_050],
  ])('%s means %i chips', (text, expected) => {
    expect(parseAmount(text, 100)).toBe(expected);
  });

  it.each([
    '',
    'pot',
    '12.5',
    '7,5',
    '7,50',
    '11,40',
    '1,1400',
    '1,140 500',
    '7 5',
    '7,5,0bb',
    '7,500bb',
    '1.140',
    ',5bb',
    '7,bb',
    '-300',
    '1e3',
    'bb',
    '3bbb',
    '٣',
  ])('%s is no amount', (text) => {
    expect(parseAmount(text, 100)).toBeNull();
  });
});

describe('amounts typed while big blinds are shown', () => {
  it.each([
    ['7', 700],
    ['7.5', 750],
    ['7,5', 750],
    ['7.5 BB', 750],
    ['100', 10_000],
    ['1,200', null],
    ['seven', null],
  ])('%s means %s chips', (text, expected) => {
    expect(parseAmount(text, 100, 'bb')).toBe(expected);
  });
});

it('clamps to the ends', () => {
  expect([clamp(0, RANGE), clamp(99_999, RANGE), clamp(777, RANGE)]).toEqual([600, 9730, 777]);
});
