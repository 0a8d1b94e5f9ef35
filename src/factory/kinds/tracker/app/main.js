import { app } from '../../shared/app/lib/app.js';
import { optionClass } from '../../shared/app/lib/colours.js';
import { openDialog, toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, put } from '../../shared/app/lib/dom.js';
import { takeWithFields } from '../../shared/app/lib/edit-app.js';
import { openEntries } from '../../shared/app/lib/entries.js';
import {
  compareValues,
  fieldControl,
  formatValue,
  readForm,
  readValue,
} from '../../shared/app/lib/fields.js';
import { download, fromCsv, parsed, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { dayFromNow, t } from '../../shared/app/lib/i18n.js';
import { emptyState, mountShell, onKeys, searchBox } from '../../shared/app/lib/shell.js';
import { asText, importRows, newEntryId, rowsOf } from '../../shared/app/lib/store.js';
import { listView, quickAdd } from './list.js';
import { chartPanel, statTiles } from './summary.js';

const entry = (value) => ({
  id: newEntryId(),
  ...Object.fromEntries(fields.map((field) => [field.key, readValue(field, value(field))])),
});

const { fields, singular } = app.entity;
const filterable = fields.filter((field) => field.type === 'select' || field.type === 'checkbox').slice(0, 3);
const store = openEntries();
const view = { search: '', filters: {}, sort: app.sort };

const remove = (row) => {
  store.set(store.get().filter((other) => other.id !== row.id));
  toast(t('deleted', { name: row[fields[0].key] ?? app.entity.singular }), () => store.undo());
};
const save = (row) => {
  const rows = store.get();
  const known = rows.some((other) => other.id === row.id);
  store.set(known ? rows.map((other) => (other.id === row.id ? row : other)) : [row, ...rows]);
  toast(t(known ? 'saved' : 'added'));
};
const change = (row) => store.set(store.get().map((other) => (other.id === row.id ? row : other)));
const edit = (row, known) => editEntry(row, save, remove, known);
const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));

const main = mountShell({ actions: exchangeActions(store, undo), wide: app.variant === 'cards' });
const stats = h('div');
const chart = h('div');
const list = h('div', { class: 'entries' });
const count = h('p', { class: 'muted small', role: 'status' });
const search = searchBox(t('searchIn', { what: app.entity.plural }), (text) => {
  view.search = text;
  draw();
});
const line = app.variant === 'checklist' && quickAdd(save, edit);
const add = () => (line ? focusIn(line, 'input') : edit(null));
const addButton = h(
  'button',
  {
    type: 'button',
    class: 'button primary',
    'aria-keyshortcuts': 'n',
    title: t('shortcut', { key: 'N' }),
    onclick: add,
  },
  icon('plus'),
  t('add', { what: app.entity.singular }),
);

main.append(
  stats,
  ...(line ? [line] : []),
  h(
    'div',
    { class: 'toolbar' },
    search,
    filterControls(view, () => draw()),
    !line && addButton,
  ),
  count,
  list,
  chart,
);

function draw() {
  const rows = store.get();
  const shown = selectRows(rows, view);
  put(stats, statTiles(shown));
  put(chart, app.features.includes('chart') && shown.length > 0 && chartPanel(shown));
  count.textContent =
    shown.length === rows.length ? '' : t('shownOf', { shown: shown.length, all: rows.length });
  count.hidden = shown.length === rows.length;
  put(list, shown.length > 0 ? listView(shown, { edit, remove, change, view, draw }) : nothing(rows.length));
}

function nothing(all) {
  if (all > 0) return emptyState(t('noMatch'), t('noMatchText'));
  const button =
    !line &&
    h(
      'button',
      { type: 'button', class: 'button primary', onclick: add },
      t('add', { what: app.entity.singular }),
    );
  return emptyState(t('firstTitle', { what: app.entity.singular }), t('firstText'), button);
}

onKeys({ n: add, '/': () => focusIn(search, 'input'), undo });
store.subscribe(draw);

/** Opens the form for a new entry, of which `known` is known already, or for `row`. */
function editEntry(row, save, remove, known = {}) {
  const firstDate = fields.find((field) => field.type === 'date');
  const start = (field) => {
    if (row) return row[field.key];
    if (known[field.key]) return known[field.key];
    if (field === firstDate && !app.features.includes('due')) return dayFromNow();
    return field.type === 'select' && field.required ? field.options[0] : null;
  };
  openDialog({
    title: row ? t('edit', { what: singular }) : t('newThing', { what: singular }),
    body: h(
      'div',
      { class: 'form-grid' },
      fields.map((field) => fieldControl(field, start(field))),
    ),
    actions: row ? [{ label: t('delete'), danger: true, onclick: () => remove(row) }] : [],
    onsave: (form) => save({ ...row, id: row?.id ?? newEntryId(), ...readForm(form, fields) }),
  });
}

/** The menu: files in and out, print, undo. */
function exchangeActions(store, undo) {
  const cells = (row) => fields.map((field) => row[field.key] ?? '');
  const exportCsv = () =>
    download(
      'export.csv',
      toCsv([fields.map((field) => field.label), ...store.get().map(cells)]),
      'text/csv',
    );
  const exportJson = () =>
    download(
      'backup.json',
      JSON.stringify({ app: app.name, fields, entries: store.get() }, null, 2),
      'application/json',
    );
  const put = (rows, by) => {
    if (rows.length === 0) return toast(t('importNothing'));
    importRows(store, rows, asText(by), (added, all) => [...added, ...all]);
  };
  const take = (text) => {
    if (!text.trimStart().startsWith('{')) return put(readCsv(text), fields);
    const saved = parsed(text);
    takeWithFields(saved.fields, (by) => put(rowsOf(saved.entries, by), by));
  };
  return [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'download', label: t('exportJson'), onclick: exportJson },
    {
      icon: 'upload',
      label: t('import'),
      onclick: () => pickFile('.csv,.json,text/csv,application/json', take),
    },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ];
}

/** Columns are found by their heading, so their order does not matter. */
function readCsv(text) {
  const [head = [], ...rows] = fromCsv(text);
  const known = (label) =>
    head.findIndex((cell) => cell.trim().toLocaleLowerCase(app.lang) === label.toLocaleLowerCase(app.lang));
  const columns = fields.map((field) => known(field.label));
  if (columns.every((column) => column < 0)) return [];
  return rows.map((row) => entry((field) => row[columns[fields.indexOf(field)]]));
}

/** The rows that the view asks for, in its order. */
function selectRows(rows, { search, filters, sort }) {
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
function filterControls(view, draw) {
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
