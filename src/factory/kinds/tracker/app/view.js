import { app } from '../../shared/app/lib/app.js';
import { optionClass } from '../../shared/app/lib/colours.js';
import { h } from '../../shared/app/lib/dom.js';
import { compareValues, formatValue } from '../../shared/app/lib/fields.js';
import { t } from '../../shared/app/lib/i18n.js';

const { fields } = app.entity;
const filterable = fields.filter((field) => field.type === 'select' || field.type === 'checkbox').slice(0, 3);

/** The rows that the view asks for, in its order. */
export function selectRows(rows, { search, filters, sort }) {
  const matches = (row) =>
    (!search ||
      fields.some((field) =>
        formatValue(field, row[field.key]).toLocaleLowerCase(app.lang).includes(search),
      )) &&
    filterable.every(
      ({ key, type }) =>
        !filters[key] || (type === 'checkbox' ? String(row[key] === true) : row[key]) === filters[key],
    );
  const field = fields.find(({ key }) => key === sort.key);
  const found = rows.filter(matches);
  return field
    ? found.sort((a, b) => compareValues(field, a[sort.key], b[sort.key]) * (sort.down ? -1 : 1))
    : found;
}

/** A choice for each field that can be filtered by, and one for the order. */
export function filterControls(view, draw) {
  const filters = filterable.map((field) => {
    const options =
      field.type === 'checkbox'
        ? [
            ['true', t('yes')],
            ['false', t('no')],
          ]
        : field.options.map((option) => [option, option]);
    const filter = choice(
      field.label,
      view.filters[field.key] ?? '',
      [['', `${field.label}: ${t('all')}`], ...options],
      (value) => {
        view.filters[field.key] = value;
        filter.className = value && field.type === 'select' ? optionClass(field, value) : '';
        draw();
      },
    );
    return filter;
  });
  const orders = fields
    .filter((field) => field.type !== 'longtext')
    .flatMap((field) => [
      [`${field.key}/up`, `${field.label} ↑`],
      [`${field.key}/down`, `${field.label} ↓`],
    ]);
  const start = view.sort.key ? `${view.sort.key}/${view.sort.down ? 'down' : 'up'}` : '';
  const sort = choice(t('sort'), start, [['', t('newestFirst')], ...orders], (value) => {
    const [key, direction] = value.split('/');
    view.sort = { key, down: direction === 'down' };
    draw();
  });
  sort.classList.add('sort');
  return [...filters, sort];
}

function choice(label, value, options, onpick) {
  const select = h(
    'select',
    { 'aria-label': label, onchange: () => onpick(select.value) },
    options.map(([option, text]) => h('option', { value: option, selected: option === value }, text)),
  );
  return select;
}
