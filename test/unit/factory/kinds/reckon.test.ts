import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, decimal, totals } from '../../../../src/factory/kinds/document/app/reckon.js';

const line = (quantity: string, price: string) => ({ quantity, price });

describe('money on documents', () => {
  it.each([
    ['1', '1.005', 101n],
    ['3', '1.005', 302n],
    ['3', '0.1', 30n],
    ['', '12', 1200n],
    ['2.5', '80', 20_000n],
    ['0.333', '9.99', 333n],
    ['1000000', '0.0005', 50_000n],
    ['-1', '1.005', -101n],
    ['1', '-0.005', -1n],
    ['0', '5', 0n],
  ])('%s × %s is %s cents', (quantity, price, cents) => {
    expect(costOf(line(quantity, price), 2)).toBe(cents);
  });

  it.each(['', 'x', '1e9', '1,5', '.5', '1'.repeat(13), '--1', 'Infinity'])(
    'has no cost for a price of %j',
    (price) => {
      expect(decimal(price)).toBeNull();
      expect(costOf(line('2', price), 2)).toBeNull();
    },
  );

  it('rounds as the currency does', () => {
    expect(costOf(line('3', '0.5'), 0)).toBe(2n);
    expect(costOf(line('1', '0.0005'), 3)).toBe(1n);
  });

  it('taxes the sum once', () => {
    const lines = [line('1', '0.05'), line('1', '0.05'), line('1', '0.05')];
    expect(totals(lines, '10', 2)).toEqual({ sum: 15n, tax: 2n, total: 17n });
    expect(totals(lines, '', 2)).toEqual({ sum: 15n, tax: 0n, total: 15n });
    expect(totals([line('1', '19.99')], '8.25', 2)).toEqual({ sum: 1999n, tax: 165n, total: 2164n });
  });

  it('is never off by half a cent or more, whatever the numbers', () => {
    const number = fc.tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 9999 }));
    const typed = ([whole, part]: readonly [number, number]) => `${whole}.${String(part).padStart(4, '0')}`;
    const units = ([whole, part]: readonly [number, number]) => BigInt(whole) * 10_000n + BigInt(part);
    fc.assert(
      fc.property(number, number, (quantity, price) => {
        const cost = costOf(line(typed(quantity), typed(price)), 2) ?? -1n;
        const off = cost * 1_000_000n - units(quantity) * units(price);
        expect(2n * (off < 0n ? -off : off)).toBeLessThanOrEqual(1_000_000n);
      }),
    );
  });
});
