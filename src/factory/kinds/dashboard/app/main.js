import { app } from '../../shared/app/lib/app.js';
import { columns, line, sharesOf } from '../../shared/app/lib/charts.js';
import { shade } from '../../shared/app/lib/colours.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, iconButton, put } from '../../shared/app/lib/dom.js';
import { openEntries } from '../../shared/app/lib/entries.js';
import { formatValue, isNumeric, readTyped, readValue, stepOf } from '../../shared/app/lib/fields.js';
import { download, fromCsv, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { formatMoney, formatNumber, t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { newEntryId, recall, remember } from '../../shared/app/lib/store.js';

const { fields, plural } = app.entity;
const [labelField, ...measures] = fields;
const store = openEntries();
let shape = recall('shape', 'line');
let chosen = measures[0];

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const exportCsv = () =>
  download(
    'data.csv',
    toCsv([
      fields.map((field) => field.label),
      ...store.get().map((row) => fields.map((field) => row[field.key] ?? '')),
    ]),
    'text/csv',
  );
const importCsv = () =>
  pickFile('.csv,text/csv', (text) => {
    const [, ...lines] = fromCsv(text);
    const rows = lines.map((cells) => ({
      id: newEntryId(),
      ...Object.fromEntries(fields.map((field, index) => [field.key, readValue(field, cells[index])])),
    }));
    if (rows.length === 0) return toast(t('importNothing'));
    store.set(rows);
    toast(t('imported', { n: rows.length }), () => store.undo());
  });

const main = mountShell({
  wide: true,
  actions: [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'upload', label: t('importCsv'), onclick: importCsv },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const tiles = h('div');
const charts = h('div', { class: 'dash-charts' });
const table = h('div', { class: 'card table-card' });
const addButton = h(
  'button',
  { type: 'button', class: 'button', onclick: addRow },
  icon('plus'),
  t('addRow'),
);
main.append(
  tiles,
  charts,
  h('div', { class: 'row' }, h('h2', null, t('data')), h('span', { class: 'spring' }), addButton),
  table,
);

const format = (field, value) => (field.type === 'currency' ? formatMoney(value) : formatNumber(value));
const sum = (rows, field) => rows.reduce((total, row) => total + (row[field.key] ?? 0), 0);

function drawFigures(rows) {
  put(
    tiles,
    h(
      'dl',
      { class: 'stats' },
      measures.slice(0, 4).map((field) => tile(field, rows)),
    ),
  );
  const points = rows.map((row, index) => ({
    label: formatValue(labelField, row[labelField.key]) || '–',
    value: row[chosen.key] ?? 0,
    colour: shade(index),
  }));
  const draw = shape === 'line' ? line : columns;
  const pick = (field) => () => {
    chosen = field;
    drawFigures(store.get());
  };
  const reshape = (next) => () => {
    shape = next;
    remember('shape', shape);
    drawFigures(store.get());
  };
  put(
    charts,
    h(
      'section',
      { class: 'card panel' },
      h(
        'div',
        { class: 'row' },
        h('h2', null, chosen.label),
        h('span', { class: 'spring' }),
        segments(measures.map((field) => [field.label, field === chosen, pick(field)])),
        segments([
          [t('line'), shape === 'line', reshape('line')],
          [t('columns'), shape === 'columns', reshape('columns')],
        ]),
      ),
      points.length > 0
        ? draw(points, (value) => format(chosen, value), chosen.label)
        : h('p', { class: 'muted' }, t('noData')),
    ),
    h('section', { class: 'card panel' }, h('h2', null, t('shares')), shares(points)),
  );
}

/** Each row keeps its colour when another figure is shown; of many rows only the largest have one. */
function shares(points) {
  const sorted = points.filter((point) => point.value > 0).sort((a, b) => b.value - a.value);
  const rest = sorted.slice(5).reduce((total, point) => total + point.value, 0);
  const largest = () => sorted.slice(0, 5).map((point, index) => ({ ...point, colour: shade(index) }));
  const shown = points.length <= 6 ? sorted : largest();
  if (shown !== sorted && rest > 0) shown.push({ label: t('others'), value: rest, colour: shade(-1) });
  return shown.length > 0
    ? sharesOf(shown, (value) => format(chosen, value), chosen.label)
    : h('p', { class: 'muted' }, t('noData'));
}

/** A figure with its change from the last but one row to the last. */
function tile(field, rows) {
  const [before, last] = rows.slice(-2).map((row) => row[field.key] ?? 0);
  const change = rows.length > 1 && before ? (last - before) / Math.abs(before) : null;
  const whole = field.total === 'average' ? sum(rows, field) / (rows.length || 1) : sum(rows, field);
  return h(
    'div',
    { class: 'stat' },
    h('dt', null, `${field.label}, ${t(field.total === 'average' ? 'average' : 'total')}`),
    h('dd', null, format(field, whole)),
    change !== null &&
      h(
        'dd',
        { class: change < 0 ? 'change down' : 'change' },
        icon(change < 0 ? 'down' : 'up'),
        `${formatNumber(Math.abs(change) * 100)} %`,
        h('span', { class: 'muted' }, ` ${t('lastChange')}`),
      ),
  );
}

function segments(entries) {
  return h(
    'div',
    { class: 'segments' },
    entries.map(([label, on, onclick]) =>
      h('button', { type: 'button', 'aria-pressed': String(on), onclick }, label),
    ),
  );
}

function drawTable(rows) {
  const body = rows.map((row, index) =>
    h(
      'tr',
      null,
      fields.map((field) => h('td', null, cell(row, field, index))),
      h(
        'td',
        { class: 'row-actions' },
        iconButton(
          'trash',
          `${t('delete')}: ${formatValue(labelField, row[labelField.key]) || index + 1}`,
          () => remove(row),
        ),
      ),
    ),
  );
  put(
    table,
    h(
      'table',
      null,
      h('caption', { class: 'sr-only' }, plural),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          fields.map((field) => h('th', { scope: 'col' }, field.label)),
          h('td', null),
        ),
      ),
      h('tbody', null, body),
    ),
  );
}

/** The figures follow while one types; the table itself is only drawn again when rows come or go. */
function cell(row, field, index) {
  const change = () => {
    const value = readTyped(field, input.value);
    store.set(store.get().map((other) => (other.id === row.id ? { ...other, [field.key]: value } : other)));
  };
  const input = h('input', {
    type: isNumeric(field) ? 'number' : 'text',
    step: stepOf(field),
    value: row[field.key] ?? '',
    'aria-label': `${field.label}, ${index + 1}`,
    onchange: change,
  });
  return input;
}

function addRow() {
  store.set([
    ...store.get(),
    { id: newEntryId(), ...Object.fromEntries(fields.map(({ key }) => [key, null])) },
  ]);
  focusIn(table, 'tbody tr:last-child input');
}

function remove(row) {
  store.set(store.get().filter((other) => other.id !== row.id));
  toast(t('deleted', { name: formatValue(labelField, row[labelField.key]) }), () => store.undo());
}

onKeys({ n: addRow, undo });
store.subscribe((rows) => {
  drawFigures(rows);
  const typed = [...table.querySelectorAll('input')].map((input) => input.value).join('\n');
  const wanted = rows.flatMap((row) => fields.map(({ key }) => String(row[key] ?? ''))).join('\n');
  if (!table.firstChild || typed !== wanted) drawTable(rows);
});
