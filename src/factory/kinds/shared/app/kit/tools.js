import { recall, remember } from './storage.js';

/** The language of the page, in which numbers and dates are written. */
const lang = () => globalThis.document?.documentElement.lang || 'en';

/**
 * A number as people write it here, with at most so many digits after the point.
 * @param {number} value
 * @param {number} [digits]
 */
export const formatNumber = (value, digits = 2) =>
  new Intl.NumberFormat(lang(), { maximumFractionDigits: digits }).format(value);

/**
 * A typed number, with comma or point, with or without marks of thousands; null where it is none.
 * @param {string} text
 */
export function parseNumber(text) {
  const plain = text.replace(/[\s\u00a0\u202f'’]/g, '').replace('−', '-');
  const last = Math.max(plain.lastIndexOf(','), plain.lastIndexOf('.'));
  const mark = last < 0 ? '' : plain[last];
  // One mark before three digits is that of thousands where the language writes it so.
  const isPoint =
    mark !== '' && plain.split(mark).length === 2 && !(plain.length - last === 4 && mark === thousands());
  const whole = (isPoint ? plain.slice(0, last) : plain).replace(/[.,]/g, '');
  const number = isPoint ? `${whole}.${plain.slice(last + 1)}` : whole;
  return /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(number) ? Number(number) : null;
}

const thousands = () =>
  new Intl.NumberFormat(lang(), { useGrouping: 'always' })
    .formatToParts(12_345)
    .find(({ type }) => type === 'group')?.value;

/** Today as `2026-03-01`, by the clock of the device. */
export function today() {
  const now = new Date();
  const two = (/** @type {number} */ part) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * A day such as `2026-03-01` as people write it here.
 * @param {string} day
 * @param {Intl.DateTimeFormatOptions} [options]
 */
export const formatDate = (day, options = { dateStyle: 'medium' }) =>
  new Intl.DateTimeFormat(lang(), { ...options, timeZone: 'UTC' }).format(Date.parse(`${day}T00:00Z`));

/**
 * Whole days from a day until today; negative for one to come.
 * @param {string} day
 */
export const daysSince = (day) =>
  Math.round((Date.parse(`${today()}T00:00Z`) - Date.parse(`${day}T00:00Z`)) / 86_400_000);

/**
 * Rows of texts and numbers as CSV, as spreadsheets of this language open it.
 * @param {readonly (readonly (string | number)[])[]} rows
 */
export function toCsv(rows) {
  const comma = new Intl.NumberFormat(lang()).format(1.5)[1] === ',';
  const cell = (/** @type {string | number} */ value) => {
    const text = typeof value === 'number' ? String(value).replace('.', comma ? ',' : '.') : value;
    // What begins like a formula must not become one.
    const safe = typeof value === 'string' && /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
    return typeof value === 'string' && /[",;\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(comma ? ';' : ',')}\r\n`).join('');
}

/**
 * The rows of a CSV file, whichever mark stands between its cells.
 * @param {string} text
 */
export function fromCsv(text) {
  const first = text.replace(/"[^"]*"/g, '').split(/\r?\n/, 1)[0] ?? '';
  const mark = [';', '\t', ','].find((one) => first.includes(one)) ?? ',';
  /** @type {string[][]} */
  const rows = [[]];
  const cells = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${mark}\\r\\n]*))(${mark}|\\r?\\n|$)`, 'g');
  for (const [whole, quoted, plain, end] of text.replace(/^\uFEFF/, '').matchAll(cells)) {
    if (whole === '' && rows.at(-1)?.length === 0) break;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '') break;
    if (end !== mark) rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

/**
 * Saves a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} [type]
 */
export function download(name, text, type = 'text/plain') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Whether a text could be copied.
 * @param {string} text
 */
export const copyText = async (text) =>
  Boolean(
    await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    ),
  );

/**
 * Prints, or says why it cannot.
 * @param {string} otherwise
 */
export function printOrSay(otherwise) {
  if (typeof print === 'function' && window.origin !== 'null') print();
  else toast(otherwise);
}

/**
 * Says something to those who cannot see it.
 * @param {string} text
 */
export function announce(text) {
  said().textContent = text;
}

/**
 * Shows a message for a while, with a button that takes back what was done.
 * @param {string} text
 * @param {{ label: string, run: () => void }} [undo]
 */
export function toast(text, undo) {
  const box = said();
  box.textContent = text;
  box.dataset['shown'] = '';
  clearTimeout(hiding);
  hiding = setTimeout(() => delete box.dataset['shown'], undo ? 12_000 : 6_000);
  if (!undo) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = undo.label;
  button.addEventListener('click', () => {
    delete box.dataset['shown'];
    undo.run();
  });
  box.append(' ', button);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

/** The box of messages: made once, hidden from the eye while nothing is shown. */
function said() {
  const known = document.getElementById('kit-message');
  if (known) return known;
  const box = document.createElement('p');
  box.id = 'kit-message';
  box.setAttribute('role', 'status');
  document.body.append(box);
  return box;
}

/**
 * A value that is kept, with the way back: `set` changes it, `undo` and `redo` go through what it was.
 * @template Value
 * @param {string} name under which it is remembered
 * @param {Value} fallback
 * @param {(value: Value) => void} onChange
 */
export function undoable(name, fallback, onChange) {
  let value = recall(name, fallback);
  /** @type {Value[]} */
  const past = [];
  /** @type {Value[]} */
  const future = [];
  const become = (/** @type {Value} */ next) => {
    value = next;
    remember(name, value);
    onChange(value);
  };
  return {
    get value() {
      return value;
    },
    get canUndo() {
      return past.length > 0;
    },
    get canRedo() {
      return future.length > 0;
    },
    set(/** @type {Value} */ next) {
      past.push(value);
      past.splice(0, past.length - 100);
      future.length = 0;
      become(next);
    },
    undo() {
      const before = past.pop();
      if (before === undefined) return;
      future.push(value);
      become(before);
    },
    redo() {
      const next = future.pop();
      if (next === undefined) return;
      past.push(value);
      become(next);
    },
  };
}
