/** Calendar days and months in UTC as whole numbers, so that they compare and store as such. */

export const dayMs = 86_400_000;

/** Days since 1970-01-01. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

/** Months since January 1970. */
export function monthOf(time: number): number {
  const date = new Date(time);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first millisecond of a day. */
export function startOfDay(day: number): number {
  return day * dayMs;
}

/** The first millisecond of a month. */
export function startOfMonth(month: number): number {
  return Date.UTC(1970, month, 1);
}

/** A time as ISO 8601, in UTC with milliseconds. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A day as `YYYY-MM-DD`. */
export function dayName(day: number): string {
  return new Date(startOfDay(day)).toISOString().slice(0, 10);
}
