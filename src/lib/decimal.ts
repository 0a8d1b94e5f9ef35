/** Decimals of a fraction that is kept. */
const decimals = 9;

/** What 1 is in these units. */
export const one = 10n ** BigInt(decimals);

/**
 * A number as a whole count of billionths, exactly as it is written in decimal: 0.1 is 100,000,000, which no sum of floating-point
 * numbers promises. What lies beyond nine decimals is rounded half up.
 * @param value finite
 */
export function toBillionths(value: number): bigint {
  const [mantissa = '', power = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = decimals - fraction.length + Number(power);
  const digits = BigInt(whole + fraction);
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfUp(digits, 10n ** BigInt(-shift));
  return value < 0 ? -scaled : scaled;
}

/** The quotient of two whole numbers, rounded half up; both are 0 or more, and the divisor is not 0. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
