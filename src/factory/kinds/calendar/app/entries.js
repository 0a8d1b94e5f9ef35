import { app } from '../../shared/app/lib/app.js';
import { openDialog, toast } from '../../shared/app/lib/dialog.js';
import { h } from '../../shared/app/lib/dom.js';
import { download, fromCsv, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { createStore } from '../../shared/app/lib/store.js';

/** What a day or a cell can be marked with; without marks, text is written. */
export const marks = app.grid?.marks ?? [];

/** The rows of a week; without any there is one to write in. */
export const rows = app.variant === 'month' ? [] : app.grid?.rows?.length ? app.grid.rows : [t('entry')];

/** The place of an entry among the marks, or -1. */
export const markOf = (text) => marks.findIndex(({ label }) => label === text);

/** What a mark looks like: its own colour, else one of the shades of the app. */
export const colourOf = (index) =>
  index < 0 ? 'transparent' : (marks[index].colour ?? `var(--c${(index % 6) + 1})`);

/** What was entered: for a day, or for a row and a day as `row/day`, the label of a mark or a text. */
export const entries = createStore('days', /** @type {Record<string, string>} */ ({}));

/** Enters a text or takes it away where it is empty. */
export function enter(key, text) {
  const { [key]: _, ...others } = entries.get();
  entries.set(text === '' ? others : { ...others, [key]: text });
}

export const undo = () => toast(entries.undo() ? t('undone') : t('nothingToUndo'));

/** All entries with row, day and text, by day. */
const lines = () =>
  Object.entries(entries.get())
    .map(([key, text]) => {
      const [row, day] = key.includes('/') ? key.split(/\/(?=[^/]*$)/) : ['', key];
      return [day, row, text];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));

const exportCsv = () =>
  download('calendar.csv', toCsv([[t('day'), t('row'), t('entry')], ...lines()]), 'text/csv');

/** Takes the lines of such a file besides what is there; a day that is there already gets what the file says. */
function importCsv() {
  pickFile('.csv,text/csv', (text) => {
    const found = fromCsv(text).filter(
      ([day = '', row = '', entry = '']) =>
        /^\d{4}-\d{2}-\d{2}$/.test(day) &&
        entry !== '' &&
        (row === '' ? rows.length === 0 : rows.includes(row)),
    );
    if (found.length === 0) return toast(t('importNothing'));
    const added = found.map(([day, row, entry]) => [row ? `${row}/${day}` : day, entry.slice(0, 300)]);
    entries.set({ ...entries.get(), ...Object.fromEntries(added) });
    return toast(t('imported', { n: found.length }), () => entries.undo());
  });
}

export const menu = [
  { icon: 'undo', label: t('undo'), onclick: undo },
  { icon: 'upload', label: t('importCsv'), onclick: importCsv },
  { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
  { icon: 'print', label: t('print'), onclick: () => print() },
];

/** Opens what a day or a cell can be: one of the marks, or a text where there are none. */
export function edit(key, title) {
  const value = entries.get()[key] ?? '';
  const id = 'entry';
  const text = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, t('entry')),
    h('textarea', { id, name: 'entry', rows: 3, maxlength: 300, value }),
  );
  const choice = h(
    'fieldset',
    { class: 'marks' },
    h('legend', { class: 'label' }, t('mark')),
    [{ label: '' }, ...marks].map(({ label }, index) =>
      h(
        'label',
        { class: 'mark-choice' },
        h('input', { type: 'radio', name: 'entry', value: label, checked: label === value }),
        h('span', { class: 'dot', style: `background:${colourOf(index - 1)}` }),
        label || t('none'),
      ),
    ),
  );
  openDialog({
    title,
    body: marks.length > 0 ? choice : text,
    onsave: (form) => enter(key, String(new FormData(form).get('entry') ?? '').trim()),
  });
}
