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
