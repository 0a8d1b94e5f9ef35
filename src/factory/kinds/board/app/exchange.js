import { app } from '../../shared/app/lib/app.js';
import { takeWithFields } from '../../shared/app/lib/edit-app.js';
import { download, parsed, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { asText, importRows, rowsOf } from '../../shared/app/lib/import.js';
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
