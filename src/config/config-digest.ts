import { Secret } from '../lib/secret.ts';

/**
 * A text that is the same for values that are the same, in whatever order their fields stand, with their secrets in clear: to be
 * shown to nobody, and kept as a keyed digest at most.
 */
export function plainTextOf(value: unknown): string {
  if (value instanceof Secret) return JSON.stringify(value.reveal());
  if (Array.isArray(value)) return `[${value.map(plainTextOf).join()}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== null && field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${plainTextOf(field)}`);
  return `{${fields.join()}}`;
}
