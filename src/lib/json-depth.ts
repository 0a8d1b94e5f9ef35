/** Whether a JSON value has more than so many levels of objects and lists in each other. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}
