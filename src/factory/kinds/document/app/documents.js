import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { readValue } from '../../shared/app/lib/fields.js';
import { download, parsed, pickFile } from '../../shared/app/lib/files.js';
import { dayFromNow, dayOf, moneyDigits, t } from '../../shared/app/lib/i18n.js';
import { createStore, newEntryId } from '../../shared/app/lib/store.js';

const money = { key: '', label: '', type: 'currency', options: [] };

/**
 * A line of an invoice. Numbers are as they are typed, with a point.
 * @typedef {{ id: string, text: string, quantity: string, price: string }} Line
 *
 * What stands on a sheet. A variant shows those parts that it has room for.
 * @typedef {object} Sheet
 * @property {string} id
 * @property {string} heading
 * @property {string} sender
 * @property {string} recipient
 * @property {string} number
 * @property {string} date as `YYYY-MM-DD`, or empty
 * @property {string} subject
 * @property {string} text
 * @property {string} signer
 * @property {string} tax in percent
 * @property {Line[]} lines
 */

/** @returns {Line} */
export const emptyLine = () => ({ id: newEntryId(), text: '', quantity: '', price: '' });

/** The documents that are kept in the browser, and which of them lies open. */
export const store = createStore('documents', { sheets: [firstDocument()], open: 'first' });

/** @returns {Sheet} */
export function openSheet() {
  const { sheets, open } = store.get();
  return sheets.find(({ id }) => id === open) ?? sheets[0];
}

/** @param {Partial<Sheet>} part */
export const change = (part) => {
  const { id } = openSheet();
  const { sheets } = store.get();
  store.set({ open: id, sheets: sheets.map((sheet) => (sheet.id === id ? { ...sheet, ...part } : sheet)) });
};

/** @param {string} id */
export const open = (id) => store.set({ ...store.get(), open: id });

const add = (sheet) => store.set({ sheets: [...store.get().sheets, sheet], open: sheet.id });

/** A new one by the same sender, with the next number and the date of today. */
export function addSheet() {
  const { heading, sender, signer, tax, text, number } = openSheet();
  const kept = app.variant === 'letter' ? {} : { text };
  const lines = [emptyLine()];
  const fresh = { recipient: '', date: dayFromNow(), number: numberAfter(number), lines };
  add({ ...firstDocument(), heading, sender, signer, tax, ...kept, ...fresh, id: newEntryId() });
}

export const copySheet = () => add({ ...openSheet(), id: newEntryId() });

/** `2026-009` becomes `2026-010`; what ends in no digit stays empty. */
function numberAfter(number) {
  const [, before = '', digits = ''] = /^(.*?)(\d{1,15})$/.exec(number) ?? [];
  return digits && before + String(BigInt(digits) + 1n).padStart(digits.length, '0');
}

/** Takes the open one away. There is always one: in place of the last comes an empty one. */
export function removeSheet() {
  const { id } = openSheet();
  const { sheets } = store.get();
  const at = sheets.findIndex((sheet) => sheet.id === id);
  const rest = sheets.filter((sheet) => sheet.id !== id);
  const { heading, sender } = openSheet();
  if (rest.length === 0) rest.push(sheetIn({ heading, sender, date: dayFromNow() }));
  store.set({ sheets: rest, open: rest[Math.max(0, at - 1)].id });
}

/** What a document is called in the list: `Invoice 12 · Ana Lima`. */
export function nameOf({ heading, number, recipient, subject }) {
  const [who = ''] = (recipient || subject).split('\n');
  return [[heading, number].filter(Boolean).join(' '), who].filter(Boolean).join(' · ') || t('untitled');
}

export function save() {
  const { kind, variant } = app;
  const backup = { kind, variant, documents: store.get().sheets.map(({ id: _, ...sheet }) => sheet) };
  download('backup.json', JSON.stringify(backup, null, 2), 'application/json');
}

/** Puts the documents of such a file beside those that are there, but for those that are there exactly so. */
export function load() {
  pickFile('.json,application/json', (text) => {
    const { kind, variant, documents } = parsed(text);
    const fits = kind === app.kind && variant === app.variant && Array.isArray(documents);
    const found = fits ? documents.slice(0, 500).map(sheetIn) : [];
    if (found.length === 0) return toast(t('importNothing'));
    const there = new Set(store.get().sheets.map(content));
    const added = found.filter((sheet) => !there.has(content(sheet)));
    const known = found.length - added.length;
    const message =
      known > 0 ? t('importedBeside', { n: added.length, known }) : t('imported', { n: added.length });
    if (added.length === 0) return toast(message);
    store.set({ sheets: [...store.get().sheets, ...added], open: added[0].id });
    return toast(message, () => store.undo());
  });
}

/** Everything that a document says, without the ids that only this browser knows. */
const content = (sheet) => {
  const { lines, ...rest } = sheetIn(sheet);
  return JSON.stringify([{ ...rest, id: '' }, lines.map((line) => [line.text, line.quantity, line.price])]);
};

const texts = ['heading', 'sender', 'recipient', 'number', 'subject', 'text', 'signer'];

/**
 * A document as anybody may have written it, with nothing in it that could not have been made here.
 * @returns {Sheet}
 */
function sheetIn(given) {
  const { date, tax, lines } = given ?? {};
  const text = (value) => (typeof value === 'string' ? value.slice(0, 20_000) : '');
  const number = (value) =>
    typeof value === 'string' && /^-?\d{1,12}(\.\d{0,8})?$/.test(value) ? value : '';
  const rows = Array.isArray(lines) ? lines.slice(0, 200) : [];
  return /** @type {Sheet} */ ({
    id: newEntryId(),
    ...Object.fromEntries(texts.map((name) => [name, text(given?.[name])])),
    date: /^\d{4}-\d\d-\d\d$/.test(date) ? date : '',
    tax: number(tax),
    lines: (rows.length > 0 ? rows : [emptyLine()]).map((line) => ({
      id: newEntryId(),
      text: text(line?.text),
      quantity: number(line?.quantity),
      price: number(line?.price),
    })),
  });
}

/**
 * The document that the app begins with. What the plan does not say stays empty: no sender, price or name is made up.
 * @returns {import('./documents.js').Sheet}
 */
function firstDocument() {
  const { copy, contact, sections, settings } = app;
  const heading = copy.heading ?? t(`heading_${app.variant}`);
  const isPriced = ({ type }) => app.variant === 'invoice' && type === 'prices';
  const lines = sections.filter(isPriced).flatMap(({ items }) => items.map(lineOf));
  const told = sections.filter((section) => !isPriced(section)).map((section) => textOf(section, heading));
  return {
    id: 'first',
    heading,
    sender: [copy.sender, contact.address, contact.phone, contact.email].filter(Boolean).join('\n'),
    recipient: copy.recipient ?? '',
    number: copy.number ?? '',
    date: dayOf(copy.date) ?? '',
    subject: copy.subject ?? '',
    text: told.filter(Boolean).join('\n\n'),
    signer: copy.signer ?? '',
    tax: settings?.tax ? String(settings.tax) : '',
    lines: lines.length > 0 ? lines : [{ id: 'line0', text: '', quantity: '', price: '' }],
  };
}

/** A section as text. Its title is left out where it only says what the document is. */
function textOf({ title, text = '', items }, heading) {
  const isKnown = [heading, app.name].some((name) => name.toLowerCase() === title.toLowerCase());
  const listed = items.map((item) =>
    [item.meta, item.title, item.text, item.price].filter(Boolean).join(' – '),
  );
  return [isKnown ? '' : title, text, ...listed].filter(Boolean).join('\n');
}

/** A line as the plan has it: what, how many, and what one costs. What is no number stays with the words. */
function lineOf({ title, text = '', price = '', meta = '' }, index) {
  const numbers = price.match(/\d+(?:[.,'’\s]\d+)*/g) ?? [];
  const each = numbers.length === 1 ? readValue(money, price) : null;
  const [, count = '', unit = ''] = /^(\d{1,9}(?:[.,]\d{1,3})?)(?:\s*[x×]?)\s*(.*)$/.exec(meta) ?? [];
  const beside = [count ? unit : meta, each === null ? price : ''].filter(Boolean).join(', ');
  return {
    id: `line${index}`,
    text: [beside ? `${title} (${beside})` : title, text].filter(Boolean).join('\n'),
    quantity: count.replace(',', '.'),
    price: each === null ? '' : Number(each).toFixed(moneyDigits),
  };
}
