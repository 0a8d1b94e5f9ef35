import { app, firstItems } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, iconButton, newId, put } from '../../shared/app/lib/dom.js';
import { download, toCsv } from '../../shared/app/lib/files.js';
import { formatMoney, formatNumber, moneyDigits, roundMoney, t } from '../../shared/app/lib/i18n.js';
import { hintFor, wrongNumber } from '../../shared/app/lib/limits.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore, newEntryId } from '../../shared/app/lib/store.js';

/** “€ 12,50” is 12.5; what cannot be read for certain is left to be filled in. */
const amountIn = (price) => Number(/^\D*(\d+(?:[.,]\d{1,2})?)\D*$/.exec(price)?.[1].replace(',', '.') ?? 0);

const store = createStore('quote', {
  lines: firstItems().map(({ title: name, price = '' }, index) => ({
    id: `seed${index}`,
    name,
    quantity: 1,
    price: amountIn(price),
  })),
  discount: app.settings.discount,
  tax: app.settings.tax,
});
const limits = { quantity: { min: 0 }, price: { min: 0 }, rate: { min: 0, max: 100 } };
const isWrong = (value, rule) => wrongNumber(value ?? Number.NaN, rule) !== '';
/** What a line comes to, in whole cents as it is shown; null when its numbers are not valid. */
const sumOf = ({ quantity, price }) =>
  isWrong(quantity, limits.quantity) || isWrong(price, limits.price) ? null : roundMoney(quantity * price);

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const exportCsv = () => {
  const { lines } = store.get();
  download(
    'quote.csv',
    toCsv([
      [t('item'), t('quantity'), t('price'), t('sum')],
      ...lines.map((line) => [line.name, line.quantity, line.price, sumOf(line)]),
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
  focusIn(table, 'li:last-child input');
}

function remove(line) {
  const state = store.get();
  store.set({ ...state, lines: state.lines.filter((other) => other.id !== line.id) });
  toast(t('deleted', { name: line.name || t('item') }), () => store.undo());
}

/** A number that stays as it was typed: what is wrong with it is said below it, and then it has no sum. */
function number(label, rule, value, onpick, step = 'any') {
  const id = newId('number');
  const read = (event) => {
    const typed = event.currentTarget.valueAsNumber;
    onpick(Number.isNaN(typed) ? null : step === 'any' ? typed : roundMoney(typed));
  };
  const input = h('input', {
    id,
    type: 'number',
    ...rule,
    step,
    inputmode: 'decimal',
    value,
    onchange: read,
  });
  const hint = hintFor(input);
  hint.say(wrongNumber(value ?? Number.NaN, rule));
  input.addEventListener('change', () => hint.say(wrongNumber(input.valueAsNumber, rule)));
  return h('div', { class: 'field' }, h('label', { for: id }, label), input, hint.element);
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
      number(t('quantity'), limits.quantity, line.quantity, (quantity) => change(line.id, { quantity })),
      number(
        t('price'),
        limits.price,
        line.price,
        (price) => change(line.id, { price }),
        String(10 ** -moneyDigits),
      ),
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
  const wanted = lines.flatMap(({ name, quantity, price }) => [name, quantity ?? '', price ?? '']).join('\n');
  if (drawn !== lines.length || typed !== wanted) drawRows(lines);
  drawn = lines.length;
  for (const line of lines) {
    const row = table.querySelector(`[data-id="${line.id}"]`);
    const [total, button] = row?.querySelectorAll('.line-sum, .line-delete') ?? [];
    const sum = sumOf(line);
    put(total, sum === null ? '–' : formatMoney(sum));
    put(
      button,
      iconButton('trash', `${t('delete')}: ${line.name || t('item')}`, () => remove(line)),
    );
  }
  if (!rates.contains(document.activeElement)) {
    put(
      rates,
      number(`${t('discountRate')} %`, limits.rate, discount, (value) =>
        store.set({ ...store.get(), discount: value }),
      ),
      number(`${t('vatRate')} %`, limits.rate, tax, (value) => store.set({ ...store.get(), tax: value })),
    );
  }
  drawSums({ lines, discount, tax });
}

function drawSums({ lines, discount, tax }) {
  const all = lines.map(sumOf);
  if (all.includes(null) || [discount, tax].some((rate) => isWrong(rate, limits.rate))) {
    put(sums, h('p', { role: 'status' }, t('checkFields')));
    return;
  }
  const net = all.reduce((sum, one) => sum + one, 0);
  const less = roundMoney((net * discount) / 100);
  const added = roundMoney(((net - less) * tax) / 100);
  const rows = [
    [t('sum'), net],
    [`${t('discountRate')} ${formatNumber(discount)} %`, less === 0 ? 0 : -less],
    [`${t('vatRate')} ${formatNumber(tax)} %`, added],
  ];
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
