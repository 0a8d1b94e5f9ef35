import { strings } from '../strings.js';
import { app } from './app.js';

/** The visitor's own regional settings where they speak the app's language, else the language's usual ones. */
export const locale = navigator.language.startsWith(app.lang) ? navigator.language : app.lang;

const plurals = new Intl.PluralRules(app.lang);

/**
 * A text of the interface. `{name}` is replaced by a value; with a number `n`, the plural form is chosen.
 * @param {string} key
 * @param {Record<string, unknown>} values
 */
export function t(key, values = {}) {
  const form = 'n' in values ? strings[`${key}_${plurals.select(Number(values.n))}`] : undefined;
  const text = form ?? strings[`${key}_other`] ?? strings[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const money = new Intl.NumberFormat(locale, { style: 'currency', currency: app.currency });
const days = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const months = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });

const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const tiny = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
const precise = new Intl.NumberFormat(locale, { maximumSignificantDigits: 12 });
const exact = new Intl.NumberFormat(locale, { maximumSignificantDigits: 15 });

/**
 * A large number in few letters, for the scale of a chart.
 * @param {number} value
 */
export const formatShort = (value) => short.format(value);
/**
 * Two decimals, and more where nothing would be left of the number: less than a millionth is an error of reckoning.
 * @param {number} value
 */
export const formatNumber = (value) =>
  (Math.abs(value) < 0.01 && Math.abs(value) > 1e-6 ? tiny : numbers).format(value);
/**
 * A number to as many digits as can be trusted after some steps of reckoning.
 * @param {number} value
 */
export const formatPrecise = (value) => precise.format(value);
/**
 * A number as somebody has typed it.
 * @param {number} value
 */
export const formatExact = (value) => exact.format(value);

/**
 * Always with the decimals of the currency, so that amounts below each other can be compared at a glance.
 * @param {number} value
 */
export const formatMoney = (value) => money.format(value);
export const moneyDigits = money.resolvedOptions().maximumFractionDigits ?? 2;
/**
 * The amount in whole cents, or in whatever the smallest part of the currency is.
 * @param {number} value
 */
export function roundMoney(value) {
  const parts = 10 ** moneyDigits;
  const rounded = Math.round(Math.abs(value) * parts * (1 + Number.EPSILON)) / parts;
  return value < 0 && rounded > 0 ? -rounded : rounded;
}

/**
 * A calendar day, written `YYYY-MM-DD`, as people of this place write it.
 * @param {string | null | undefined} day
 */
export const formatDay = (day) => (day ? days.format(new Date(`${day}T00:00:00Z`)) : '');
/**
 * Two days as one span of time.
 * @param {string} from
 * @param {string} to
 */
export const formatSpan = (from, to) =>
  days.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
/** @param {string} month */
export const formatMonth = (month) => months.format(new Date(`${month}-01T00:00:00Z`));

/** Today in the visitor's time zone as `YYYY-MM-DD`, or some days from it. */
export function dayFromNow(offset = 0) {
  const date = new Date();
  date.setDate(date.getDate() + offset);
  /** @param {number} number */
  const pad = (number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/**
 * A day as it is written in the data: `2027-05-04`, `@+60` for sixty days from now, `@05-04` for the next such day.
 * @param {string} text
 */
export function dayOf(text) {
  if (/^@[+-]\d+$/.test(text)) return dayFromNow(Number(text.slice(1)));
  if (!text.startsWith('@')) return text;
  const today = dayFromNow();
  const year = Number(today.slice(0, 4));
  /** @param {string} day */
  const exists = (day) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return Array.from({ length: 9 }, (_, ahead) => `${year + ahead}-${text.slice(1)}`).find(
    (day) => day >= today && exists(day),
  );
}
