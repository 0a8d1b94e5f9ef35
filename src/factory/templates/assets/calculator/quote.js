import { app } from '../lib/app.js';
import { h, icon, iconButton, put } from '../lib/dom.js';
import { download, toCsv } from '../lib/files.js';
import { formatMoney, formatNumber, t } from '../lib/i18n.js';
import { mountShell, onKeys } from '../lib/shell.js';
import { createStore, newEntryId } from '../lib/store.js';
import { toast } from '../lib/toast.js';

const store = createStore('quote', {
  lines: app.lines.map((name, index) => ({
    id: `seed${index}`,
    name,
    quantity: index + 1,
    price: [120, 45, 18][index] ?? 25,
  })),
  discount: 0,
  tax: 19,
});
const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const exportCsv = () => {
  const { lines } = store.get();
  download(
    'quote.csv',
    toCsv([
      [t('item'), t('quantity'), t('price'), t('sum')],
      ...lines.map((line) => [line.name, line.quantity, line.price, line.quantity * line.price]),
    ]),
    'text/csv',
  );
};
const main = mountShell({
  actions: [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const table = h('div', { class: 'card quote-card' });
const totals = h('div', { class: 'card totals' });
main.append(
  table,
  h(
    'div',
    { class: 'quote-foot' },
    h('button', { type: 'button', class: 'button primary', onclick: add }, icon('plus'), t('addItem')),
    totals,
  ),
);

const change = (id, part) => {
  const state = store.get();
  store.set({ ...state, lines: state.lines.map((line) => (line.id === id ? { ...line, ...part } : line)) });
};

function add() {
  const state = store.get();
  store.set({ ...state, lines: [...state.lines, { id: newEntryId(), name: '', quantity: 1, price: 0 }] });
  table.querySelector('li:last-child input').focus();
}

function remove(line) {
  const state = store.get();
  store.set({ ...state, lines: state.lines.filter((other) => other.id !== line.id) });
  toast(t('deleted', { name: line.name || t('item') }), () => store.undo());
}

function number(label, value, onpick) {
  const read = (event) => onpick(event.currentTarget.valueAsNumber || 0);
  return h(
    'label',
    { class: 'field' },
    h('span', { class: 'label' }, label),
    h('input', { type: 'number', min: 0, step: 'any', inputmode: 'decimal', value, onchange: read }),
  );
}

/** The rows are only drawn when one comes or goes, so that the focus stays where somebody is typing. */
function drawRows(lines) {
  const rows = lines.map((line) =>
    h(
      'li',
      { 'data-id': line.id },
      h(
        'label',
        { class: 'field name' },
        h('span', { class: 'label' }, t('item')),
        h('input', {
          type: 'text',
          value: line.name,
          onchange: (event) => change(line.id, { name: event.currentTarget.value }),
        }),
      ),
      number(t('quantity'), line.quantity, (quantity) => change(line.id, { quantity })),
      number(t('price'), line.price, (price) => change(line.id, { price })),
      h('strong', { class: 'line-sum' }),
      h('span', { class: 'line-delete' }),
    ),
  );
  put(
    table,
    h('ul', { class: 'quote-lines' }, rows),
    lines.length === 0 && h('p', { class: 'muted' }, t('emptyText')),
  );
}

const rates = h('div', { class: 'rates' });
const sums = h('div');
totals.append(rates, sums);

let drawn = null;
function draw({ lines, discount, tax }) {
  const typed = [...table.querySelectorAll('input')].map((input) => input.value).join('\n');
  const wanted = lines.flatMap((line) => [line.name, String(line.quantity), String(line.price)]).join('\n');
  if (drawn !== lines.length || typed !== wanted) drawRows(lines);
  drawn = lines.length;
  for (const line of lines) {
    const row = table.querySelector(`[data-id="${line.id}"]`);
    row.querySelector('.line-sum').textContent = formatMoney(line.quantity * line.price);
    put(
      row.querySelector('.line-delete'),
      iconButton('trash', `${t('delete')}: ${line.name || t('item')}`, () => remove(line)),
    );
  }
  const net = lines.reduce((sum, line) => sum + line.quantity * line.price, 0);
  const less = (net * discount) / 100;
  const added = ((net - less) * tax) / 100;
  const rows = [
    [t('sum'), net],
    [`${t('discountRate')} ${formatNumber(discount)} %`, less === 0 ? 0 : -less],
    [`${t('vatRate')} ${formatNumber(tax)} %`, added],
  ];
  if (!rates.contains(document.activeElement)) {
    put(
      rates,
      number(`${t('discountRate')} %`, discount, (value) => store.set({ ...store.get(), discount: value })),
      number(`${t('vatRate')} %`, tax, (value) => store.set({ ...store.get(), tax: value })),
    );
  }
  put(
    sums,
    h(
      'dl',
      { class: 'lines' },
      rows.map(([label, value]) => h('div', null, h('dt', null, label), h('dd', null, formatMoney(value)))),
    ),
    h('p', { class: 'figure', role: 'status' }, formatMoney(net - less + added)),
  );
}

onKeys({ n: add, undo });
store.subscribe(draw);
