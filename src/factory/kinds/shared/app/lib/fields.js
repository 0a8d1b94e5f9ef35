import { optionClass } from './colours.js';
import { h, icon, newId } from './dom.js';
import {
  dayFromNow,
  formatDay,
  formatMoney,
  formatNumber,
  locale,
  moneyDigits,
  roundMoney,
  t,
} from './i18n.js';

const inputTypes = {
  number: 'number',
  currency: 'number',
  date: 'date',
  time: 'time',
  email: 'email',
  phone: 'tel',
  url: 'url',
};

/** @param {Pick<import('./app.js').Field, 'type'>} field */
export const isNumeric = ({ type }) => type === 'number' || type === 'currency';

/**
 * The step of a control: no smaller part of money than its currency has.
 * @param {import('./app.js').Field} field
 */
export const stepOf = (field) =>
  field.type === 'currency' ? String(10 ** -moneyDigits) : isNumeric(field) ? 'any' : null;

/**
 * A labelled control for one field of an entry. Its name is the field's key.
 * @param {import('./app.js').Field} field
 * @param {unknown} [value]
 */
export function fieldControl(field, value) {
  const id = newId('field');
  const common = { id, name: field.key, required: field.required };
  if (field.type === 'checkbox') {
    return h(
      'label',
      { class: 'check' },
      h('input', { type: 'checkbox', id, name: field.key, checked: value === true }),
      field.label,
    );
  }
  const label = h(
    'label',
    { for: id },
    field.unit ? `${field.label} (${field.unit})` : field.label,
    field.required && h('span', { class: 'must', title: t('required') }, ' *'),
  );
  return h(
    'div',
    { class: field.type === 'longtext' ? 'field full' : 'field' },
    label,
    control(field, value, common),
  );
}

function control(field, value, common) {
  if (field.type === 'longtext') return h('textarea', { ...common, rows: 3, value: value ?? '' });
  if (field.type === 'select' || field.type === 'rating') {
    const options = field.type === 'rating' ? [1, 2, 3, 4, 5] : field.options;
    const show = (option) => (field.type === 'rating' ? '★'.repeat(option) : option);
    return h(
      'select',
      common,
      !(field.required && value) && h('option', { value: '' }, '–'),
      options.map((option) => h('option', { value: option, selected: option === value }, show(option))),
    );
  }
  return h('input', {
    ...common,
    type: inputTypes[field.type] ?? 'text',
    step: stepOf(field),
    min: isNumeric(field) ? field.min : null,
    max: isNumeric(field) ? field.max : null,
    inputmode: isNumeric(field) ? 'decimal' : null,
    placeholder: field.type === 'url' ? 'https://' : null,
    autocomplete: 'off',
    value: (field.type === 'currency' && value ? roundMoney(value) : value) ?? '',
  });
}

/**
 * The values of a form made of such controls.
 * @param {HTMLFormElement} form
 * @param {import('./app.js').Field[]} fields
 */
export function readForm(form, fields) {
  const data = new FormData(form);
  return Object.fromEntries(fields.map((field) => [field.key, readTyped(field, data.get(field.key))]));
}

/**
 * What a control holds: those for numbers write them with a point, wherever the visitor lives.
 * @param {import('./app.js').Field} field
 * @param {unknown} raw
 */
export const readTyped = (field, raw) => readValue(field, isNumeric(field) && raw ? Number(raw) : raw);

/**
 * A text or a number as the value of a field; null when it is empty or is no such value.
 * @param {import('./app.js').Field} field
 * @param {unknown} raw
 */
export function readValue(field, raw) {
  const text = String(raw ?? '').trim();
  if (field.type === 'checkbox')
    return ['on', 'true', '1', 'yes', 'x', '✓', t('yes').toLowerCase()].includes(text.toLowerCase());
  if (text === '') return null;
  if (isNumeric(field) || field.type === 'rating') {
    const number = typeof raw === 'number' ? raw : parseNumber(text);
    return field.type === 'currency' && number !== null ? roundMoney(number) : number;
  }
  if (field.type === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : null;
  return text;
}

/**
 * `1,234.50`, `1.234,50` and `12 €` are numbers as well: the last mark followed by other than 3 digits is the point.
 * @param {string} text
 */
function parseNumber(text) {
  const plain = text.replace(/[^\d.,-]/g, '');
  const point = plain.match(/[.,](?=\d*$)(?!\d{3}$)/)?.index ?? -1;
  const whole = (point < 0 ? plain : plain.slice(0, point)).replace(/[.,]/g, '');
  const number = Number(point < 0 ? whole : `${whole}.${plain.slice(point + 1)}`);
  return plain && Number.isFinite(number) ? number : null;
}

/** A value as text. */
export function formatValue(field, value) {
  if (value === null || value === undefined || value === '') return '';
  if (field.type === 'currency') return formatMoney(value);
  if (field.type === 'number')
    return field.unit ? `${formatNumber(value)} ${field.unit}` : formatNumber(value);
  if (field.type === 'date') return formatDay(value);
  if (field.type === 'rating') return '★'.repeat(value) + '☆'.repeat(5 - value);
  if (field.type === 'checkbox') return value ? t('yes') : t('no');
  return String(value);
}

/** A value, of which there is one, as an element: a coloured label for a choice, a link for an address. */
export function showValue(field, value) {
  const text = formatValue(field, value);
  if (field.type === 'select') return h('span', { class: `chip ${optionClass(field, value)}` }, text);
  if (field.type === 'rating')
    return h('span', { class: 'stars', role: 'img', 'aria-label': `${value}/5` }, text);
  if (field.type === 'email') return h('a', { href: `mailto:${value}` }, text);
  if (field.type === 'phone') return h('a', { href: `tel:${value}` }, text);
  if (field.type === 'url' && /^https?:\/\//.test(value)) {
    return h(
      'a',
      { href: value, target: '_blank', rel: 'noreferrer' },
      text.replace(/^https?:\/\/(www\.)?/, ''),
    );
  }
  if (field.type === 'checkbox')
    return h('span', { class: value ? 'chip good' : 'chip' }, value && icon('check'), text);
  return h('span', null, text);
}

/** Compares two values of a field; empty ones come last. */
export function compareValues(field, a, b) {
  const empty = (value) => value === null || value === undefined || value === '';
  if (empty(a) || empty(b)) return Number(empty(a)) - Number(empty(b));
  if (field.type === 'select') return field.options.indexOf(a) - field.options.indexOf(b);
  return typeof a === 'string' ? a.localeCompare(b, locale, { numeric: true, sensitivity: 'base' }) : a - b;
}

/** The first entries: `@+3` stands for the day three days from now; money is rounded as that of visitors is. */
export function seedRows(rows, fields) {
  const value = (field, raw) => {
    if (/^@[+-]\d+$/.test(raw)) return dayFromNow(Number(raw.slice(1)));
    return field.type === 'currency' && typeof raw === 'number' ? roundMoney(raw) : raw;
  };
  return rows.map((row, index) => ({
    id: `seed${index}`,
    ...Object.fromEntries(
      fields.filter(({ key }) => key in row).map((field) => [field.key, value(field, row[field.key])]),
    ),
  }));
}
