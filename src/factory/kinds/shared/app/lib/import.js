import { readValue } from './fields.js';
import { t } from './i18n.js';
import { newEntryId } from './store.js';
import { toast } from './toast.js';

/**
 * Puts the rows of a file into a store, but for those that are there already exactly as they are: a file that was just
 * exported then changes nothing. A row that the file has twice is meant twice.
 * @param same a row as a text, of everything but its id
 * @param join how new rows and those of the store make one list
 */
export function importRows(store, rows, same, join) {
  const there = new Map();
  for (const row of store.get()) there.set(same(row), (there.get(same(row)) ?? 0) + 1);
  const added = rows.filter((row) => {
    const left = there.get(same(row)) ?? 0;
    there.set(same(row), left - 1);
    return left <= 0;
  });
  const known = rows.length - added.length;
  if (added.length > 0) store.set(join(added, store.get()));
  const message =
    known > 0 ? t('importedBeside', { n: added.length, known }) : t('imported', { n: added.length });
  toast(message, added.length > 0 && (() => store.undo()));
}

/** The entries of a file, read by fields; none where there are none. */
export function rowsOf(entries, fields) {
  if (!Array.isArray(entries)) return [];
  return entries.map((row) => ({
    ...Object.fromEntries(fields.map((field) => [field.key, readValue(field, row?.[field.key])])),
    id: newEntryId(),
  }));
}

/** Everything that a row says, in the form in which files are read. */
export const asText = (fields) => (row) =>
  JSON.stringify(fields.map((field) => readValue(field, row[field.key])));
