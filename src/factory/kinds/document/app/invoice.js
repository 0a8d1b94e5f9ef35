import { h, icon, iconButton } from '../../shared/app/lib/dom.js';
import { formatMoney, moneyDigits, t } from '../../shared/app/lib/i18n.js';
import { formatPlain, openDesk, slot } from './desk.js';
import { change, emptyLine, openSheet } from './documents.js';
import { costOf, totals } from './reckon.js';

/** What stands in the places of a line as long as they are empty; numbers are those that are reckoned with then. */
const hints = { description: t('column_description'), quantity: '1', price: formatPlain(0) };

/** @param {bigint} cents */
const shown = (cents) => formatMoney(Number(cents) / 10 ** moneyDigits);

openDesk(({ write, redraw }) => {
  const rows = openSheet().lines.map(({ id }, index) => lineRow(id, index, redraw));
  const [sum, taxed, total] = [null, null, { role: 'status' }].map((props) => h('strong', props));
  const sums = h(
    'dl',
    { class: 'sums' },
    h('div', { class: 'before-tax' }, h('dt', null, t('subtotal')), h('dd', null, sum)),
    h(
      'div',
      { class: 'tax-row' },
      h('dt', null, t('part_tax'), write('tax', { look: 'rate', sort: 'number', hint: '0' }), '\u00a0%'),
      h('dd', null, taxed),
    ),
    h('div', { class: 'all' }, h('dt', null, t('grandTotal')), h('dd', null, total)),
  );
  const add = () => {
    change({ lines: [...openSheet().lines, emptyLine()] });
    redraw('.lines tbody tr:last-child textarea');
  };
  return {
    parts: [
      h(
        'div',
        { class: 'head' },
        write('heading', { look: 'title' }),
        write('sender', { look: 'sender', sort: 'lines' }),
      ),
      h(
        'div',
        { class: 'facts' },
        h(
          'div',
          { 'data-first': true },
          h('p', { class: 'caption' }, t('billedTo')),
          write('recipient', { sort: 'lines' }),
        ),
        h(
          'dl',
          { class: 'dated' },
          h('div', null, h('dt', null, t('part_number')), h('dd', null, write('number'))),
          h('div', null, h('dt', null, t('part_date')), h('dd', null, write('date', { sort: 'date' }))),
        ),
      ),
      h(
        'table',
        { class: 'lines' },
        h('caption', { class: 'sr-only' }, t('linesOf')),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            ['description', 'quantity', 'price', 'amount'].map((name) =>
              h('th', { scope: 'col', class: `of-${name}` }, t(`column_${name}`)),
            ),
            h('td', { class: 'no-print' }),
          ),
        ),
        h(
          'tbody',
          null,
          rows.map(({ element }) => element),
        ),
      ),
      h(
        'button',
        { type: 'button', class: 'button add-line no-print', onclick: add },
        icon('plus'),
        t('addLineOf'),
      ),
      sums,
      h('div', { class: 'notes' }, write('text', { sort: 'lines', label: t('notesOf') })),
    ],
    reckon() {
      const { lines, tax } = openSheet();
      const result = totals(lines, tax, moneyDigits);
      sum.textContent = shown(result.sum);
      taxed.textContent = shown(result.tax);
      total.textContent = shown(result.total);
      sums.toggleAttribute('data-untaxed', Number(tax) === 0);
      for (const row of rows) row.reckon();
    },
  };
});

function lineRow(id, index, redraw) {
  const own = () => openSheet().lines.find((one) => one.id === id) ?? emptyLine();
  const amount = h('span', { class: 'amount' });
  const cell = (name, sort) =>
    h(
      'td',
      { class: `of-${name}`, 'data-label': t(`column_${name}`) },
      slot({
        label: `${t(`column_${name}`)}, ${t('lineNumber', { number: index + 1 })}`,
        value: own()[name === 'description' ? 'text' : name],
        sort,
        hint: hints[name],
        most: 1000,
        onchange: (value) => {
          const part = { [name === 'description' ? 'text' : name]: value.trim() };
          const { lines } = openSheet();
          change({ lines: lines.map((one) => (one.id === id ? { ...one, ...part } : one)) });
        },
      }),
    );
  const remove = () => {
    const rest = openSheet().lines.filter((one) => one.id !== id);
    change({ lines: rest.length > 0 ? rest : [emptyLine()] });
    redraw(`.lines tbody tr:nth-child(${Math.max(1, index)}) textarea`);
  };
  const element = h(
    'tr',
    null,
    cell('description', 'lines'),
    cell('quantity', 'number'),
    cell('price', 'money'),
    h('td', { class: 'of-amount', 'data-label': t('column_amount') }, amount),
    h(
      'td',
      { class: 'of-button no-print' },
      iconButton('trash', `${t('delete')}: ${t('lineNumber', { number: index + 1 })}`, remove),
    ),
  );
  return {
    element,
    reckon() {
      const { text, quantity, price } = own();
      const cost = costOf({ quantity, price }, moneyDigits);
      amount.textContent = cost === null ? '' : shown(cost);
      element.toggleAttribute('data-empty', text === '' && quantity === '' && price === '');
    },
  };
}
