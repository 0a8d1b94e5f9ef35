import { h, isFrom, put } from '../../shared/app/lib/dom.js';
import { formatPrecise, locale, t } from '../../shared/app/lib/i18n.js';
import { mountShell } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';

const history = createStore('history', /** @type {{ task: string, result: number }[]} */ ([]));
const point = (1.5).toLocaleString(locale)[1];
let typed = '';
let finished = false;

const main = mountShell({
  actions: [{ icon: 'trash', label: t('clearHistory'), onclick: () => history.set([]) }],
});
const task = h('p', { class: 'task-line' });
const value = h('output', { class: 'value-line', 'aria-live': 'polite' });
const keys = [
  ['C', 'clear', 'tool'],
  ['(', '(', 'tool'],
  [')', ')', 'tool'],
  ['÷', '/', 'operator'],
  ['7', '7'],
  ['8', '8'],
  ['9', '9'],
  ['×', '*', 'operator'],
  ['4', '4'],
  ['5', '5'],
  ['6', '6'],
  ['−', '-', 'operator'],
  ['1', '1'],
  ['2', '2'],
  ['3', '3'],
  ['+', '+', 'operator'],
  ['0', '0'],
  [point, '.'],
  ['%', '%', 'tool'],
  ['=', '=', 'equals'],
];
const names = { clear: 'clear', '/': 'divide', '*': 'multiply', '-': 'subtract', '+': 'plus', '=': 'equals' };
const pad = h(
  'div',
  { class: 'keypad' },
  keys.map(([label, key, look = 'digit']) =>
    h(
      'button',
      {
        type: 'button',
        class: `key ${look}`,
        'aria-label': names[key] ? t(names[key]) : null,
        onclick: () => press(key),
      },
      label,
    ),
  ),
);
const list = h('ul', { class: 'history' });
main.append(
  h(
    'div',
    { class: 'pocket' },
    h('section', { class: 'card machine' }, h('div', { class: 'screen' }, task, value), pad),
    h('section', { class: 'card' }, h('h2', null, t('history')), list),
  ),
);

const pretty = (text) =>
  text
    .replaceAll('*', ' × ')
    .replaceAll('/', ' ÷ ')
    .replaceAll('-', ' − ')
    .replaceAll('+', ' + ')
    .replaceAll('.', point);

function press(key) {
  if (key === 'clear') typed = '';
  else if (key === 'back') typed = typed.slice(0, -1);
  else if (key === '=') finish();
  else {
    if (finished && /[\d.(]/.test(key)) typed = '';
    if (typed.length < 60) typed += key;
  }
  if (key !== '=') finished = false;
  draw();
}

function finish() {
  const result = calculate(typed);
  if (result === null) return;
  history.set([{ task: typed, result }, ...history.get()].slice(0, 30));
  typed = String(Number(result.toPrecision(12)));
  finished = true;
}

function draw() {
  const result = calculate(typed);
  task.textContent = pretty(typed) || '0';
  value.textContent = result === null ? (typed === '' ? '0' : '…') : formatPrecise(result);
}

function again(entry) {
  typed = entry.task;
  finished = false;
  draw();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key =
    { Enter: '=', Escape: 'clear', Backspace: 'back', ',': '.', x: '*', ':': '/' }[event.key] ?? event.key;
  if (!/^[\d.+\-*/%()=]$|^clear$|^back$/.test(key)) return;
  if (event.key === 'Enter' && isFrom(event, 'button:not(.key), summary')) return;
  event.preventDefault();
  press(key);
});

history.subscribe((entries) =>
  put(
    list,
    entries.length === 0 && h('li', { class: 'muted' }, t('noHistory')),
    entries.map((entry) =>
      h(
        'li',
        null,
        h(
          'button',
          { type: 'button', onclick: () => again(entry) },
          h('span', { class: 'muted' }, `${pretty(entry.task)} =`),
          h('strong', null, formatPrecise(entry.result)),
        ),
      ),
    ),
  ),
);
draw();

/** The value of an expression such as `2*(3+4)`, or null while it is not complete. A `%` divides by 100. */
function calculate(text) {
  let at = 0;

  const sum = () => {
    let left = product();
    while (text[at] === '+' || text[at] === '-')
      left = text[at++] === '+' ? left + product() : left - product();
    return left;
  };
  const product = () => {
    let left = factor();
    while (text[at] === '*' || text[at] === '/')
      left = text[at++] === '*' ? left * factor() : left / factor();
    return left;
  };
  const factor = () => {
    if (text[at] === '-') {
      at++;
      return -factor();
    }
    let number = text[at] === '(' ? group() : literal();
    while (text[at] === '%') {
      at++;
      number /= 100;
    }
    return number;
  };
  const group = () => {
    at++;
    const inner = sum();
    if (text[at] === ')') at++;
    return inner;
  };
  const literal = () => {
    const [digits] = text.slice(at).match(/^\d*\.?\d*/);
    at += digits.length;
    return digits === '' || digits === '.' ? Number.NaN : Number(digits);
  };

  const result = sum();
  return at === text.length && Number.isFinite(result) ? result : null;
}
