import { app } from '../../shared/app/lib/app.js';
import { optionClass } from '../../shared/app/lib/colours.js';
import { openDialog, toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, iconButton, put } from '../../shared/app/lib/dom.js';
import { takeWithFields } from '../../shared/app/lib/edit-app.js';
import { openEntries } from '../../shared/app/lib/entries.js';
import { fieldControl, formatValue, isNumeric, readForm, showValue } from '../../shared/app/lib/fields.js';
import { download, parsed, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { dayFromNow, t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys, searchBox } from '../../shared/app/lib/shell.js';
import { asText, importRows, newEntryId, rowsOf } from '../../shared/app/lib/store.js';

const { fields, singular } = app.entity;
const [primary] = fields;
const column = fields.find((field) => field.key === app.column) ?? fields[0];
const store = openEntries();
let search = '';

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const main = mountShell({ wide: true, actions: exchangeActions(store, undo) });
const searchField = searchBox(t('search'), (text) => {
  search = text;
  draw();
});
const addButton = h(
  'button',
  {
    type: 'button',
    class: 'button primary',
    title: t('shortcut', { key: 'N' }),
    onclick: () => edit(null, column.options[0]),
  },
  icon('plus'),
  t('add', { what: singular }),
);
const lanes = h('div', { class: 'lanes' });
main.append(h('div', { class: 'toolbar' }, searchField, addButton), lanes);

function edit(row, lane) {
  openDialog({
    title: row ? t('edit', { what: singular }) : t('newThing', { what: singular }),
    body: h(
      'div',
      { class: 'form-grid' },
      fields.map((field) => fieldControl(field, row ? row[field.key] : field === column ? lane : null)),
    ),
    actions: row ? [{ label: t('delete'), danger: true, onclick: () => remove(row) }] : [],
    onsave: (form) => {
      const next = { ...row, id: row?.id ?? newEntryId(), ...readForm(form, fields) };
      next[column.key] ??= lane;
      const rows = store.get();
      store.set(row ? rows.map((other) => (other.id === row.id ? next : other)) : [...rows, next]);
    },
  });
}

function remove(row) {
  store.set(store.get().filter((other) => other.id !== row.id));
  toast(t('deleted', { name: row[primary.key] }), () => store.undo());
}

/** Puts a card into a lane, before another card or at the end. */
function move(id, lane, beforeId = null) {
  const rows = store.get();
  const card = rows.find((row) => row.id === id);
  if (!card || id === beforeId) return;
  const rest = rows.filter((row) => row.id !== id);
  const at = beforeId ? rest.findIndex((row) => row.id === beforeId) : rest.length;
  store.set([...rest.slice(0, at), { ...card, [column.key]: lane }, ...rest.slice(at)]);
}

/** Moves a card to the next lane and keeps the keyboard on it. */
function shift(row, step) {
  const lane = column.options[column.options.indexOf(row[column.key]) + step];
  if (!lane) return;
  move(row.id, lane);
  toast(t('movedTo', { name: row[primary.key], lane }));
  focusIn(lanes, `[data-id="${row.id}"] .open`);
}

function draw() {
  const rows = store.get();
  const shown = rows.filter(
    (row) =>
      !search ||
      fields.some((field) => formatValue(field, row[field.key]).toLocaleLowerCase(app.lang).includes(search)),
  );
  put(
    lanes,
    column.options.map((lane) =>
      laneOf(
        lane,
        shown.filter((row) => row[column.key] === lane),
      ),
    ),
  );
}

function laneOf(lane, rows) {
  const allow = (event) => {
    event.preventDefault();
    element.classList.add('target');
  };
  const drop = (event) => {
    event.preventDefault();
    const before = event.target.closest('.ticket');
    move(event.dataTransfer.getData('text/plain'), lane, before?.dataset.id);
    draw();
  };
  const leave = (event) => !element.contains(event.relatedTarget) && element.classList.remove('target');
  const element = h(
    'section',
    {
      class: `lane ${optionClass(column, lane)}`,
      'aria-label': lane,
      ondragover: allow,
      ondragleave: leave,
      ondrop: drop,
    },
    h(
      'header',
      null,
      h('h2', null, lane),
      h('span', { class: 'lane-count' }, String(rows.length)),
      iconButton('plus', `${t('add', { what: singular })}: ${lane}`, () => edit(null, lane)),
    ),
    h('ul', { class: 'tickets' }, rows.map(ticketOf)),
    rows.length === 0 && h('p', { class: 'lane-empty' }, t('dropHere')),
  );
  return element;
}

function ticketOf(row) {
  const at = column.options.indexOf(row[column.key]);
  const facts = fields.filter(
    (field) =>
      field !== primary &&
      field !== column &&
      field.type !== 'longtext' &&
      formatValue(field, row[field.key]) !== '',
  );
  const notes = fields.find((field) => field.type === 'longtext' && row[field.key]);
  const grab = (event) => {
    event.dataTransfer.setData('text/plain', row.id);
    event.dataTransfer.effectAllowed = 'move';
    event.currentTarget.classList.add('dragged');
  };
  const keys = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) shift(row, step);
  };
  return h(
    'li',
    {
      class: 'ticket',
      draggable: 'true',
      'data-id': row.id,
      ondragstart: grab,
      ondragend: (event) => event.currentTarget.classList.remove('dragged'),
      onkeydown: keys,
    },
    h('button', { type: 'button', class: 'open', onclick: () => edit(row) }, row[primary.key] ?? singular),
    notes && h('p', { class: 'muted small' }, row[notes.key]),
    facts.length > 0 &&
      h(
        'div',
        { class: 'ticket-facts' },
        facts.map((field) => fact(field, row)),
      ),
    h(
      'div',
      { class: 'ticket-moves' },
      at > 0 &&
        iconButton('left', t('moveTo', { name: row[primary.key], lane: column.options[at - 1] }), () =>
          shift(row, -1),
        ),
      at < column.options.length - 1 &&
        iconButton('right', t('moveTo', { name: row[primary.key], lane: column.options[at + 1] }), () =>
          shift(row, 1),
        ),
      iconButton('trash', `${t('delete')}: ${row[primary.key]}`, () => remove(row)),
    ),
  );
}

const dates = fields.filter((field) => field.type === 'date');

/** A number says what it counts, and so does each of several dates, of which the last is the one to keep. */
function fact(field, row) {
  const shown = field.type === 'date' ? dateChip(field, row) : showValue(field, row[field.key]);
  if (!isNumeric(field) && !(field.type === 'date' && dates.length > 1)) return shown;
  return h('span', { class: 'fact' }, h('span', { class: 'muted' }, field.label), shown);
}

function dateChip(field, row) {
  const value = row[field.key];
  const open = field === dates.at(-1) && row[column.key] !== column.options.at(-1);
  const state = open && value < dayFromNow() ? ' late' : open && value <= dayFromNow(3) ? ' soon' : '';
  return h('span', { class: `chip${state}` }, icon('calendar'), formatValue(field, value));
}

onKeys({
  n: () => edit(null, column.options[0]),
  '/': () => focusIn(searchField, 'input'),
  undo,
});
store.subscribe(draw);

/** The menu: files in and out, print, undo. */
function exchangeActions(store, undo) {
  const exportCsv = () =>
    download(
      'board.csv',
      toCsv([
        fields.map((field) => field.label),
        ...store.get().map((row) => fields.map((field) => row[field.key] ?? '')),
      ]),
      'text/csv',
    );
  const exportJson = () =>
    download(
      'backup.json',
      JSON.stringify({ app: app.name, fields, entries: store.get() }, null, 2),
      'application/json',
    );
  const importJson = () =>
    pickFile('.json,application/json', (text) => {
      const { fields: saved, entries } = parsed(text);
      takeWithFields(saved, (by) => {
        const rows = rowsOf(entries, by);
        if (rows.length === 0) return toast(t('importNothing'));
        importRows(store, rows, asText(by), (added, all) => [...all, ...added]);
      });
    });
  return [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'download', label: t('exportJson'), onclick: exportJson },
    { icon: 'upload', label: t('import'), onclick: importJson },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ];
}
