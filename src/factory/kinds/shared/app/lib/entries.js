import { app } from './app.js';
import { formatValue, isNumeric, readValue, seedRows } from './fields.js';
import { createStore, recall, remember } from './store.js';

/** The store of the entries of this app, if it keeps any; `name` is what they are stored under. */
let open = null;

/** Opens the entries of the app: those that were stored, or the first ones. */
export function openEntries() {
  const name = 'entries';
  const store = createStore(name, seedRows(app.seed, app.entity.fields), suited);
  const set = (rows) => {
    keepFields(app.entity.fields);
    store.set(rows);
  };
  open = { name, ...store, set };
  return open;
}

/**
 * The fields that stored entries are of, with those that a build of the app has had and the newest one has not.
 * @returns {(import('./app.js').Field & { gone?: boolean })[]}
 */
const keptFields = () => recall('fields', app.entity.fields);

/**
 * Notes down which fields stored entries are of. A field that is gone is noted as such: its values stay with the entries
 * and are there again when it comes back, but not in another field that happens to get its key.
 */
export function keepFields(fields) {
  const gone = keptFields().filter(({ key }) => !fields.some((field) => field.key === key));
  remember('fields', [...fields, ...gone.map((field) => ({ ...field, gone: true }))]);
}

/** Stored entries as this build shows them, which may have other fields than the one that has stored them. */
function suited(rows) {
  const kept = keptFields();
  if (!Array.isArray(rows) || !Array.isArray(kept)) return seedRows(app.seed, app.entity.fields);
  return rows.map((row) => {
    const values = app.entity.fields.map((field) => {
      const old = kept.find(({ key }) => key === field.key);
      const another = !old || (old.gone && old.label !== field.label);
      const value = another ? null : carried(row[field.key] ?? null, old, field);
      // A card that is in no column would be nowhere.
      return [field.key, value ?? (app.kind === 'board' && field.key === heldKey ? field.options[0] : null)];
    });
    return { ...row, ...Object.fromEntries(values) };
  });
}

/** The entries that are open; null in an app that keeps none. */
export const openedEntries = () => open;

const types = [
  'text',
  'longtext',
  'number',
  'currency',
  'date',
  'time',
  'select',
  'checkbox',
  'rating',
  'email',
  'phone',
  'url',
];

/** The field without which this app could not go on: the columns of a board, the choices of a poll. */
export const heldKey = app.kind === 'board' || app.variant === 'poll' ? app.column : null;

/** A row as it suits other fields: what changes its type is read anew, what has no place any more is left out. */
export function fitted(row, before, after) {
  const { id, day } = row;
  const values = after.map((field) => {
    const old = before.find(({ key }) => key === field.key);
    return [field.key, old ? carried(row[field.key] ?? null, old, field) : null];
  });
  return { id, ...(day && { day }), ...Object.fromEntries(values) };
}

function carried(value, old, field) {
  if (value === null) return null;
  if (field.type === 'select') {
    const text = old.type === 'select' ? value : formatValue(old, value);
    if (field.options.includes(text)) return text;
    // An option in the same place has only got another name.
    const at =
      old.type === 'select' && old.options.length === field.options.length ? old.options.indexOf(value) : -1;
    return field.options[at] ?? null;
  }
  if (old.type === field.type) return value;
  if (isNumeric(old) && (isNumeric(field) || field.type === 'rating'))
    return field.type === 'rating' ? Math.min(5, Math.max(0, Math.round(value))) : value;
  return readValue(field, old.type === 'date' ? value : formatValue(old, value));
}

/** A key that no field has. */
export function freeKey(fields) {
  for (let n = 0; ; n++) if (!fields.some(({ key }) => key === `f${n}`)) return `f${n}`;
}

/** The fields that a file names, without anything that they could not have been made of here. */
export function plainFields(saved) {
  if (!Array.isArray(saved)) return [];
  const text = (value, most) => (typeof value === 'string' ? value.trim().slice(0, most) : '');
  const seen = new Set();
  return saved.slice(0, 24).flatMap((field) => {
    const { key, type, required, total } = field ?? {};
    const label = text(field?.label, 60);
    const given = Array.isArray(field?.options) ? field.options : [];
    const options = given
      .map((option) => text(option, 60))
      .filter(Boolean)
      .slice(0, 16);
    const usable = /^f\d{1,2}$/.test(key) && !seen.has(key) && label && types.includes(type);
    if (!usable || (type === 'select' && options.length === 0)) return [];
    seen.add(key);
    return [
      {
        key,
        label,
        type,
        ...(required === true && { required }),
        ...(type === 'select' && { options }),
        ...(['sum', 'average', 'none'].includes(total) && { total }),
      },
    ];
  });
}

export { types as fieldTypes };
