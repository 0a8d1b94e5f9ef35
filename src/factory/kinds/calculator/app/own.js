import { app } from '../../shared/app/lib/app.js';
import { locale } from '../../shared/app/lib/i18n.js';
import { compile } from './reckon.js';

const { inputs, results } = app.formula;
const isMoney = (unit) => unit === app.currency;

const names = inputs.map(({ key }) => key);
const lines = results.map((result, index) => {
  const known = [...names, ...results.slice(0, index).map(({ key }) => key)];
  return { ...result, run: compile(result.expression, known) };
});

/**
 * A result with its unit. What cannot be reckoned, such as a share of nothing, is a dash.
 * @param {{ unit?: string | undefined, decimals?: number | undefined }} result
 * @param {number} value
 */
function shown({ unit = '', decimals }, value) {
  if (!Number.isFinite(value)) return '–';
  /** @type {Intl.NumberFormatOptions} */
  const style = isMoney(unit) ? { style: 'currency', currency: unit } : {};
  const digits =
    decimals === undefined
      ? isMoney(unit)
        ? {}
        : { maximumFractionDigits: 2 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const text = new Intl.NumberFormat(locale, { ...style, ...digits }).format(value);
  return unit === '' || isMoney(unit) ? text : `${text} ${unit}`;
}

/** What the plan of the app says is asked for and reckoned. */
export const formula = {
  inputs: inputs.map(({ key, label, unit = '', value = 0, min, max }) => ({
    key,
    label,
    unit: isMoney(unit) ? 'money' : unit,
    start: value,
    min,
    max,
  })),
  compute(values) {
    const all = { ...values };
    return lines.map(({ key, label, run, unit, decimals }) => {
      all[key] = run(all);
      return { label, value: shown({ unit, decimals }, all[key]), format: 'text' };
    });
  },
};
