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

/** Whether a text is a day that there is, as in 2026-02-28. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayIn(text) === text;
}

/** Whether a text is such a day, or a time of one in UTC to the second, as in 2026-02-28T06:00:00Z. */
export function isMoment(text: string): boolean {
  const [day = '', time] = text.split('T');
  return isDay(day) && (time === undefined || (/^\d{2}:\d{2}:\d{2}Z$/.test(time) && dayIn(text) === day));
}

/** The day of a time in UTC; null: there is no such time. */
function dayIn(text: string): string | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

/** A duration for people: `150 ms`, `2.5 seconds`. */
export function durationInWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} second${ms === 1000 ? '' : 's'}`;
}

/** A wait for people, in minutes: `a minute`, `15 minutes`. */
export function minutesInWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}
