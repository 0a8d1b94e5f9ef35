import { app } from '../../shared/app/lib/app.js';
import { takeWithFields } from '../../shared/app/lib/edit-app.js';
import { readValue } from '../../shared/app/lib/fields.js';
import { download, fromCsv, parsed, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { asText, importRows, rowsOf } from '../../shared/app/lib/import.js';
import { newEntryId } from '../../shared/app/lib/store.js';
import { toast } from '../../shared/app/lib/toast.js';

const { fields } = app.entity;

/** The menu: files in and out, print, undo. */
export function exchangeActions(store, undo) {
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

const entry = (value) => ({
  id: newEntryId(),
  ...Object.fromEntries(fields.map((field) => [field.key, readValue(field, value(field))])),
});
