import { app } from '../../shared/app/lib/app.js';
import { readValue } from '../../shared/app/lib/fields.js';
import { dayOf, moneyDigits, t } from '../../shared/app/lib/i18n.js';

/**
 * The document that the app begins with. What the plan does not say stays empty: no sender, price or name is made up.
 * @returns {import('./documents.js').Sheet}
 */
export function firstDocument() {
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

const money = { key: '', label: '', type: 'currency', options: [] };

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
