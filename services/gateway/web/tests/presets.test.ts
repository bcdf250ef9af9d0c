import { describe, expect, it } from 'vitest';

import type { Row } from '../src/lib/presets';
import { ROW_MAX, added, labelOf, moved, removed, wishOf } from '../src/lib/presets';
import type { PresetKind } from '../src/lib/types';

const bb = (value: string): Row[number] => ({ kind: 'bb', value });

describe('a button that is typed', () => {
  it.each<[PresetKind, string, string | null]>([
    ['bb', '2.5', '2.5'],
    ['bb', '2,50', '2.5'],
    ['bb', '100', '100'],
    ['bb', '7 BB', '7'],
    ['pot_percent', '33.3', '33.3'],
    ['pot_percent', '500%', '500'],
    ['pot_fraction', '2/4', '1/2'],
    ['pot_fraction', ' 3 / 2 ', '3/2'],
    ['pot_fraction', '60/12', '5/1'],
    ['min', 'whatever', null],
  ])('%s %s is %s', (kind, typed, value) => {
    expect(wishOf(kind, typed)).toEqual({ kind, value });
  });

  it.each<[PresetKind, string]>([
    ['bb', ''],
    ['bb', '0'],
    ['bb', '2.25'],
    ['bb', '100.5'],
    ['bb', '1e1'],
    ['pot_percent', '0.99'],
    ['pot_percent', '500.01'],
    ['pot_percent', '33.333'],
    ['pot_fraction', '1/13'],
    ['pot_fraction', '61/12'],
    ['pot_fraction', '0/3'],
    ['pot_fraction', '0.5'],
  ])('%s %s is refused by its kind', (kind, typed) => {
    expect(wishOf(kind, typed)).toBe(kind);
  });

  it.each<[PresetKind, string | null, string]>([
    ['min', null, 'Min'],
    ['allin', null, 'All-in'],
    ['bb', '2.5', '2.5 BB'],
    ['pot_percent', '33.3', '33.3%'],
    ['pot_fraction', '1/1', 'Pot'],
    ['pot_fraction', '2/1', '2x pot'],
    ['pot_fraction', '2/3', '⅔ pot'],
    ['pot_fraction', '3/2', '1½ pot'],
    ['pot_fraction', '5/12', '5/12 pot'],
    // As a newer server may have.
    ['stack_percent' as PresetKind, '40', 'stack_percent 40'],
  ])('%s %s says %s', (kind, value, label) => {
    expect(labelOf({ kind, value })).toBe(label);
  });
});

describe('a row of buttons', () => {
  const row: Row = [bb('2'), bb('3'), bb('4')];

  it('takes ten, and not the eleventh', () => {
    const ten: Row = Array.from({ length: ROW_MAX }, (_none, index) => bb(String(index + 1)));
    expect(added(ten.slice(1), 'min', '')).toHaveLength(10);
    expect(added(ten, 'min', '')).toBe('limit');
  });

  it('takes nothing twice, however it is written', () => {
    expect(added(row, 'bb', '3.00')).toBe('duplicate');
    expect(added([{ kind: 'pot_fraction', value: '1/2' }], 'pot_fraction', '2/4')).toBe(
      'duplicate',
    );
  });

  it('keeps its last button', () => {
    expect(removed(row, 1)).toEqual([bb('2'), bb('4')]);
    expect(removed([bb('2')], 0)).toBe('last');
  });

  it('moves a button by a place, and not beyond its ends', () => {
    expect(moved(row, 0, 1)).toEqual([bb('3'), bb('2'), bb('4')]);
    expect(moved(row, 2, -1)).toEqual([bb('2'), bb('4'), bb('3')]);
    expect([moved(row, 0, -1), moved(row, 2, 1)]).toEqual([row, row]);
  });
});
