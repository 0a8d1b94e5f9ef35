import { app } from '../../shared/app/lib/app.js';
import { h, icon, iconButton } from '../../shared/app/lib/dom.js';
import { formatValue, isNumeric, readValue, showValue } from '../../shared/app/lib/fields.js';
import { dayFromNow, t } from '../../shared/app/lib/i18n.js';
import { artwork } from '../../shared/app/lib/picture.js';
import { newEntryId } from '../../shared/app/lib/store.js';

const { fields, plural, singular } = app.entity;
const [primary, ...others] = fields;
const doneField = fields.find((field) => field.key === app.done);
const dueField = fields.find((field) => field.key === app.due);

/** The rows as a table, as cards or as a list to tick off. */
export function listView(rows, actions) {
  if (app.variant === 'cards')
    return h(
      'ul',
      { class: 'cards' },
      rows.map((row) => cardOf(row, actions)),
    );
  if (app.variant === 'checklist')
    return h(
      'ul',
      { class: 'checklist card' },
      rows.map((row) => taskOf(row, actions)),
    );
  return tableOf(rows, actions);
}

const nameOf = (row) => formatValue(primary, row[primary.key]) || singular;

/** A date with a word on how near it is, when it is a date to keep. */
function show(field, row) {
  const value = row[field.key];
  if (field !== dueField || !value || (doneField && row[doneField.key])) return showValue(field, value);
  const today = dayFromNow();
  if (value < today)
    return h(
      'span',
      { class: 'chip late' },
      icon('clock'),
      formatValue(field, value),
      h('span', { class: 'sr-only' }, t('overdue')),
    );
  if (value <= dayFromNow(3))
    return h('span', { class: 'chip soon' }, icon('clock'), formatValue(field, value));
  return showValue(field, value);
}

function tickOf(row, { change }) {
  if (!doneField) return null;
  const flip = (event) => change({ ...row, [doneField.key]: event.currentTarget.checked });
  return h('input', {
    type: 'checkbox',
    checked: row[doneField.key] === true,
    'aria-label': `${doneField.label}: ${nameOf(row)}`,
    onchange: flip,
  });
}

function buttonsOf(row, { edit, remove }) {
  return [
    iconButton('edit', `${t('editShort')}: ${nameOf(row)}`, () => edit(row)),
    iconButton('trash', `${t('delete')}: ${nameOf(row)}`, () => remove(row)),
  ];
}

function tableOf(rows, actions) {
  const { view, draw } = actions;
  const shown = fields.filter((field) => field.type !== 'longtext' || field === primary);
  const sortBy = (key) => {
    view.sort = { key, down: view.sort.key === key && !view.sort.down };
    draw();
  };
  const head = shown.map((field) => {
    const sorted = view.sort.key === field.key;
    return h(
      'th',
      {
        scope: 'col',
        class: isNumeric(field) ? 'number' : null,
        'aria-sort': sorted ? (view.sort.down ? 'descending' : 'ascending') : null,
      },
      h(
        'button',
        { type: 'button', onclick: () => sortBy(field.key) },
        field.label,
        sorted && icon(view.sort.down ? 'down' : 'up'),
      ),
    );
  });
  const body = rows.map((row) =>
    h(
      'tr',
      null,
      shown.map((field) => {
        if (field === doneField) return h('td', { 'data-label': field.label }, tickOf(row, actions));
        if (field === primary)
          return h(
            'th',
            { scope: 'row' },
            h('button', { type: 'button', class: 'open', onclick: () => actions.edit(row) }, nameOf(row)),
          );
        // A cell of nothing stays blank: dashes would outshine what is there. On a phone it goes.
        if (formatValue(field, row[field.key]) === '') return h('td', { class: 'blank' });
        return h(
          'td',
          { 'data-label': field.label, class: isNumeric(field) ? 'number' : null },
          show(field, row),
        );
      }),
      h('td', { class: 'row-actions' }, buttonsOf(row, actions)),
    ),
  );
  return h(
    'div',
    { class: 'card table-card' },
    h(
      'table',
      null,
      h('caption', { class: 'sr-only' }, plural),
      h('thead', null, h('tr', null, head, h('td', null))),
      h('tbody', null, body),
    ),
  );
}

function cardOf(row, actions) {
  const filled = others.filter((field) => field !== doneField && formatValue(field, row[field.key]) !== '');
  const notes = filled.filter((field) => field.type === 'longtext');
  const facts = filled.filter((field) => field.type !== 'longtext');
  return h(
    'li',
    { class: 'card entry' },
    h('div', { class: 'entry-art' }, artwork(app.name + nameOf(row), 400, 130)),
    h(
      'h2',
      null,
      h('button', { type: 'button', class: 'open', onclick: () => actions.edit(row) }, nameOf(row)),
    ),
    h(
      'dl',
      { class: 'facts' },
      facts.map((field) => h('div', null, h('dt', null, field.label), h('dd', null, show(field, row)))),
    ),
    notes.map((field) => h('p', { class: 'notes' }, row[field.key])),
    h(
      'div',
      { class: 'row entry-foot' },
      doneField && h('label', { class: 'check' }, tickOf(row, actions), h('span', null, doneField.label)),
      h('span', { class: 'spring' }),
      buttonsOf(row, actions),
    ),
  );
}

function taskOf(row, actions) {
  const facts = others.filter(
    (field) =>
      field !== doneField &&
      field.type !== 'longtext' &&
      field.type !== 'checkbox' &&
      formatValue(field, row[field.key]) !== '',
  );
  return h(
    'li',
    { class: doneField && row[doneField.key] ? 'task done' : 'task' },
    doneField && tickOf(row, actions),
    h(
      'div',
      { class: 'task-text' },
      h('button', { type: 'button', class: 'open', onclick: () => actions.edit(row) }, nameOf(row)),
      h(
        'div',
        { class: 'task-facts' },
        facts.map((field) => show(field, row)),
      ),
    ),
    h('div', { class: 'row-actions' }, buttonsOf(row, actions)),
  );
}

/**
 * One line to write several things down quickly: the only way to add that a list to tick off shows. What is more than a
 * name is said in the form, which begins with what the line holds.
 */
export function quickAdd(save, edit) {
  const add = (event) => {
    event.preventDefault();
    const value = readValue(primary, input.value);
    if (value === null) return;
    const start = others.map((field) => [
      field.key,
      field.type === 'select' && field.required ? field.options[0] : field.type === 'checkbox' ? false : null,
    ]);
    save({ id: newEntryId(), ...Object.fromEntries(start), [primary.key]: value });
    input.value = '';
    input.focus();
  };
  const input = h('input', {
    type: 'text',
    'aria-label': t('add', { what: singular }),
    placeholder: t('add', { what: singular }),
    'aria-keyshortcuts': 'n',
    title: t('shortcut', { key: 'N' }),
    autocomplete: 'off',
  });
  const openForm = () => {
    const value = readValue(primary, input.value);
    input.value = '';
    edit(null, { [primary.key]: value });
  };
  return h(
    'form',
    { class: 'quick-add', onsubmit: add },
    input,
    others.some((field) => field !== doneField) && iconButton('edit', t('addDetails'), openForm),
    h(
      'button',
      { type: 'submit', class: 'button primary' },
      icon('plus'),
      h('span', null, t('quickAddButton')),
    ),
  );
}
