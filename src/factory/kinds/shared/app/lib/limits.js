import { h } from './dom.js';
import { dayFromNow, formatDay, formatExact, t } from './i18n.js';

/** What is larger is a slip of the finger: nothing that is reckoned from it could be read. */
const most = 1e12;

/**
 * What is wrong with a number by the limits `{min, max, above, step}` of its field, in words for who typed it; empty
 * when nothing is.
 * @param {number} value
 * @param {{ min?: number, max?: number, above?: number, step?: number }} limits
 */
export function wrongNumber(value, { min = -most, max = most, above = -Infinity, step = 0 } = {}) {
  if (!Number.isFinite(value)) return t('hintNumber');
  const [least, greatest] = [formatExact(min), formatExact(max)];
  if (value < min || value > max) {
    if (min !== -most && max !== most) return t('hintBetween', { from: least, to: greatest });
    return value < min ? t('hintLeast', { least }) : t('hintMost', { greatest });
  }
  if (value <= above) return t('hintAbove', { bound: formatExact(above) });
  if (step > 0 && Math.abs(Math.round(value / step) * step - value) > 1e-9)
    return step === 1 ? t('hintWhole') : t('hintStep', { step: formatExact(step) });
  return '';
}

/**
 * The same for a day that has been.
 * @param {string} day
 * @param {{ min: string }} limits
 */
export function wrongDay(day, { min }) {
  if (!day) return t('hintDay');
  const today = dayFromNow();
  return day < min || day > today ? t('hintBetween', { from: formatDay(min), to: formatDay(today) }) : '';
}

/**
 * Where it stands below its control what is wrong: `hint.say('…')`.
 * @param {HTMLElement} input
 */
export function hintFor(input) {
  const element = h('p', { class: 'field-hint', id: `${input.id}-hint`, hidden: true });
  input.setAttribute('aria-describedby', element.id);
  /** @param {string} message */
  const say = (message) => {
    element.textContent = message;
    element.hidden = message === '';
    input.setAttribute('aria-invalid', String(message !== ''));
  };
  return { element, say };
}
