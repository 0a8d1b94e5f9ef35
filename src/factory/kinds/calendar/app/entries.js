import { download, fromCsv, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { createStore } from '../../shared/app/lib/store.js';
import { toast } from '../../shared/app/lib/toast.js';
import { rows } from './grid.js';

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
