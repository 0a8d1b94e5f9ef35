import { locale } from '../../shared/app/lib/i18n.js';

/** The first day of a week: 1 is Monday, 7 Sunday, by the visitor's own region. */
const firstDay = (() => {
  try {
    // Browsers have it under either name, and some not at all.
    /** @type {any} */
    const own = new Intl.Locale(locale);
    return Number((own.getWeekInfo?.() ?? own.weekInfo)?.firstDay ?? 1);
  } catch {
    return 1;
  }
})();

const utc = (day) => new Date(`${day}T00:00:00Z`);
const written = (date) => date.toISOString().slice(0, 10);

/** Some days after a day; days are `YYYY-MM-DD`. */
export const dayAfter = (day, count) => written(new Date(utc(day).getTime() + count * 86_400_000));

/** The first day of the week of a day. */
export function weekOf(day) {
  const weekday = utc(day).getUTCDay() || 7;
  return dayAfter(day, -((weekday - firstDay + 7) % 7));
}

/** The weeks that a month touches, each with its seven days. */
export function weeksOf(month) {
  const last = dayAfter(monthAfter(month, 1), -1);
  const weeks = [];
  for (let day = weekOf(month); day <= last; day = dayAfter(day, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => dayAfter(day, index)));
  return weeks;
}

/** The first day of a month some months later. */
export function monthAfter(month, count) {
  const date = utc(month);
  date.setUTCMonth(date.getUTCMonth() + count, 1);
  return written(date);
}

const format = (options) => {
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (day) => made.format(utc(day));
};
export const weekdayName = format({ weekday: 'short' });
export const wholeDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
export const monthName = format({ month: 'long', year: 'numeric' });
export const shortDay = format({ weekday: 'short', day: 'numeric', month: 'numeric' });
