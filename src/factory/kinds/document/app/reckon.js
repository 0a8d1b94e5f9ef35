/**
 * Money to the cent. Numbers come as they are typed, `12.5`, and are reckoned as whole numbers, as 0.1 and its like are
 * none in a computer.
 */

/** @typedef {{ units: bigint, digits: number }} Decimal so many units of 10^-digits */

/**
 * @param {string} text a number with a point
 * @returns {Decimal | null} null where it is none
 */
export function decimal(text) {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d{1,12})(?:\.(\d{0,8}))?$/.exec(text.trim()) ?? [];
  return whole ? { units: BigInt(`${sign}${whole}${part}`), digits: part.length } : null;
}

/**
 * Divides, and rounds halves away from zero, as invoices do.
 * @param {bigint} value
 * @param {bigint} by
 */
function rounded(value, by) {
  const size = value < 0n ? -value : value;
  const result = (2n * size + by) / (2n * by);
  return value < 0n ? -result : result;
}

/**
 * What a line costs, in cents, or in whatever the smallest part of the currency is; null where it has no price. Without a
 * quantity it is one.
 * @param {{ quantity: string, price: string }} line
 * @param {number} moneyDigits digits that the currency has after its point
 */
export function costOf({ quantity, price }, moneyDigits) {
  const each = decimal(price);
  const count = decimal(quantity) ?? { units: 1n, digits: 0 };
  if (!each) return null;
  const value = each.units * count.units * 10n ** BigInt(moneyDigits);
  return rounded(value, 10n ** BigInt(each.digits + count.digits));
}

/**
 * Sum, tax and total of lines, in cents. The tax is rounded once, on the sum.
 * @param {{ quantity: string, price: string }[]} lines
 * @param {string} tax in percent
 * @param {number} moneyDigits
 */
export function totals(lines, tax, moneyDigits) {
  const sum = lines.reduce((all, line) => all + (costOf(line, moneyDigits) ?? 0n), 0n);
  const rate = decimal(tax) ?? { units: 0n, digits: 0 };
  const taxed = rounded(sum * rate.units, 100n * 10n ** BigInt(rate.digits));
  return { sum, tax: taxed, total: sum + taxed };
}
