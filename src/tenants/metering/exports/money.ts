/** Millionths of a US dollar as US dollars, exact: `0.170000`. */
export function dollarsText(micro: number): string {
  const whole = Math.trunc(micro / 1_000_000);
  return `${whole}.${String(Math.abs(micro) % 1_000_000).padStart(6, '0')}`;
}
