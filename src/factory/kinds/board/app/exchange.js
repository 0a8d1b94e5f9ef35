import { app } from '../../shared/app/lib/app.js';
import { readValue } from '../../shared/app/lib/fields.js';
import { download, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { importRows } from '../../shared/app/lib/import.js';
import { newEntryId } from '../../shared/app/lib/store.js';
import { toast } from '../../shared/app/lib/toast.js';

const { fields } = app.entity;

/** The menu: files in and out, print, undo. */
export function exchangeActions(store, undo) {
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
      JSON.stringify({ app: app.name, entries: store.get() }, null, 2),
      'application/json',
    );
  const importJson = () =>
    pickFile('.json,application/json', (text) => {
      try {
        const { entries } = JSON.parse(text);
        const rows = entries.map((row) => ({
          ...Object.fromEntries(fields.map((field) => [field.key, readValue(field, row[field.key])])),
          id: newEntryId(),
        }));
        const asText = (row) => JSON.stringify(fields.map((field) => readValue(field, row[field.key])));
        importRows(store, rows, asText, (added, all) => [...all, ...added]);
      } catch {
        toast(t('importNothing'));
      }
    });
  return [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'download', label: t('exportJson'), onclick: exportJson },
    { icon: 'upload', label: t('import'), onclick: importJson },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ];
}
