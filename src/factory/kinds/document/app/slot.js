import { h } from '../../shared/app/lib/dom.js';
import { formatDay, formatExact, locale, moneyDigits } from '../../shared/app/lib/i18n.js';

/**
 * @typedef {'line' | 'lines' | 'date' | 'number' | 'money'} Sort what is written: one line, several, a day, a number, a price
 */

const plain = new Intl.NumberFormat(locale, {
  minimumFractionDigits: moneyDigits,
  maximumFractionDigits: Math.max(moneyDigits, 8),
});

/**
 * An amount without its currency. Parts of a cent, as of a price by the gram, stay.
 * @param {number} value
 */
export const formatPlain = (value) => plain.format(value);

/** `12.5` as `12.50`. */
function withCents(text) {
  const [, whole = '', part = ''] = /^(-?\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  return whole && moneyDigits > 0 ? `${whole}.${part.padEnd(moneyDigits, '0')}` : text;
}

/**
 * A place on a sheet where something is written. On the screen it is a control; on paper stands only what it says. It grows
 * with its text.
 * @param {object} options
 * @param {string} options.label
 * @param {string} options.value
 * @param {(value: string) => unknown} options.onchange told when it has been left
 * @param {string} [options.look] its class
 * @param {Sort} [options.sort]
 * @param {string} [options.hint] what stands there as long as nothing is written; the label unless it says otherwise
 * @param {number} [options.most] letters
 */
export function slot({ label, value, onchange, look = '', sort = 'line', hint = label, most = 2000 }) {
  const said = h('span', { class: 'said', 'aria-hidden': 'true', 'data-hint': hint });
  const isText = sort === 'line' || sort === 'lines';
  const told = (text) => {
    if (text === '' || isText) return text;
    if (sort === 'date') return formatDay(text);
    return sort === 'money' ? formatPlain(Number(text)) : formatExact(Number(text));
  };
  const show = () => {
    said.textContent = told(control.value);
    element.toggleAttribute('data-empty', control.value === '');
  };
  const common = {
    'aria-label': label,
    placeholder: hint,
    value,
    autocomplete: 'off',
    oninput: show,
    onchange: () => {
      if (sort === 'money') control.value = withCents(control.value);
      onchange(control.value);
    },
  };
  const control = isText
    ? h('textarea', {
        ...common,
        rows: 1,
        maxlength: most,
        onkeydown: (event) => {
          if (event.key === 'Enter' && sort === 'line') event.preventDefault();
        },
      })
    : h('input', {
        ...common,
        type: sort === 'date' ? 'date' : 'number',
        step: sort === 'date' ? null : 'any',
        inputmode: sort === 'date' ? null : 'decimal',
      });
  const element = h('div', { class: `slot ${look}` }, said, control);
  show();
  return element;
}
