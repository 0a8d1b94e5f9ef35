import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, iconButton, put } from '../../shared/app/lib/dom.js';
import { textsInPlace } from '../../shared/app/lib/edit-app.js';
import { formatDay, formatExact, locale, moneyDigits, t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import {
  addSheet,
  change,
  copySheet,
  load,
  nameOf,
  open,
  openSheet,
  removeSheet,
  save,
  store,
} from './documents.js';

/**
 * @typedef {'line' | 'lines' | 'date' | 'number' | 'money'} Sort what is written: one line, several, a day, a number, a price
 */

const plain = new Intl.NumberFormat(locale, {
  minimumFractionDigits: moneyDigits,
  maximumFractionDigits: Math.max(moneyDigits, 8),
});

/**
 * An amount without its currency. Parts of a cent, as of a price by the gram, stay.
 * @param {number} value
 */
export const formatPlain = (value) => plain.format(value);

/**
 * A sheet as it is drawn; `reckon` brings what is computed up to date.
 * @typedef {{ parts: import('../../shared/app/lib/dom.js').Child, reckon?: () => void }} Drawn
 *
 * @typedef {object} Hand what a layout draws with
 * @property {(name: string, options?: { look?: string, sort?: Sort, label?: string, hint?: string }) => HTMLElement} write
 *   a place for a part of the sheet
 * @property {(selector?: string) => void} redraw draws the sheet anew and puts the focus on something
 */

/**
 * Shows the documents, one of them open.
 * @param {(hand: Hand) => Drawn} layout
 */
export function openDesk(layout) {
  const undo = () => {
    const undone = store.undo();
    if (undone) draw();
    toast(undone ? t('undone') : t('nothingToUndo'));
  };
  textsInPlace();
  const main = mountShell({
    actions: [
      { icon: 'undo', label: t('undo'), onclick: undo },
      { icon: 'download', label: t('exportJson'), onclick: save },
      { icon: 'upload', label: t('import'), onclick: load },
      { icon: 'print', label: t('print'), onclick: () => print() },
    ],
  });
  const list = h('select', {
    'aria-label': t('documents'),
    onchange: () => {
      open(list.value);
    },
  });
  const paper = h('article', { class: `paper ${app.variant}` });
  const remove = () => {
    const name = nameOf(openSheet());
    removeSheet();
    toast(t('deleted', { name }), undo);
  };
  const add = () => {
    addSheet();
    focusIn(paper, '[data-first] :is(input, textarea)');
  };
  main.append(
    h(
      'div',
      { class: 'toolbar' },
      list,
      h(
        'button',
        { type: 'button', class: 'button', title: t('shortcut', { key: 'N' }), onclick: add },
        icon('plus'),
        t('newDocument'),
      ),
      iconButton('copy', t('copyDocument'), copySheet),
      iconButton('trash', t('delete'), remove),
      h('span', { class: 'spring' }),
      h(
        'button',
        { type: 'button', class: 'button primary', onclick: () => print() },
        icon('print'),
        t('print'),
      ),
    ),
    paper,
  );

  /** Which document and how many lines are drawn; typing changes neither, and must not lose its place. */
  let drawn = '';
  /** @type {Drawn} */
  let sheet = { parts: null };
  const shapeOf = ({ id, lines }) => [id, ...lines.map((line) => line.id)].join();

  function draw(selector = '') {
    drawn = shapeOf(openSheet());
    sheet = layout({ write, redraw: draw });
    put(paper, sheet.parts);
    show();
    if (selector) focusIn(paper, selector);
  }

  /** @type {Hand['write']} */
  const write = (name, { look = '', sort = 'line', label = t(`part_${name}`), hint = label } = {}) =>
    slot({
      label,
      hint,
      value: openSheet()[name],
      look,
      sort,
      onchange: (value) => change({ [name]: value.trim() }),
      most: sort === 'lines' ? 10_000 : 300,
    });

  function show() {
    const { sheets } = store.get();
    const { id } = openSheet();
    put(
      list,
      sheets.map((one) => h('option', { value: one.id, selected: one.id === id }, nameOf(one))),
    );
    paper.setAttribute('aria-label', nameOf(openSheet()));
    sheet.reckon?.();
  }

  // What is being typed is kept when the page is left, too.
  addEventListener('pagehide', () => document.activeElement?.dispatchEvent(new Event('change')));
  onKeys({ n: add, undo });
  store.subscribe(() => (drawn === shapeOf(openSheet()) ? show() : draw()));
}

/** `12.5` as `12.50`. */
function withCents(text) {
  const [, whole = '', part = ''] = /^(-?\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  return whole && moneyDigits > 0 ? `${whole}.${part.padEnd(moneyDigits, '0')}` : text;
}

/**
 * A place on a sheet where something is written. On the screen it is a control; on paper stands only what it says. It grows
 * with its text.
 * @param {object} options
 * @param {string} options.label
 * @param {string} options.value
 * @param {(value: string) => unknown} options.onchange told when it has been left
 * @param {string} [options.look] its class
 * @param {Sort} [options.sort]
 * @param {string} [options.hint] what stands there as long as nothing is written; the label unless it says otherwise
 * @param {number} [options.most] letters
 */
export function slot({ label, value, onchange, look = '', sort = 'line', hint = label, most = 2000 }) {
  const said = h('span', { class: 'said', 'aria-hidden': 'true', 'data-hint': hint });
  const isText = sort === 'line' || sort === 'lines';
  const told = (text) => {
    if (text === '' || isText) return text;
    if (sort === 'date') return formatDay(text);
    return sort === 'money' ? formatPlain(Number(text)) : formatExact(Number(text));
  };
  const show = () => {
    said.textContent = told(control.value);
    element.toggleAttribute('data-empty', control.value === '');
  };
  const common = {
    'aria-label': label,
    placeholder: hint,
    value,
    autocomplete: 'off',
    oninput: show,
    onchange: () => {
      if (sort === 'money') control.value = withCents(control.value);
      onchange(control.value);
    },
  };
  const control = isText
    ? h('textarea', {
        ...common,
        rows: 1,
        maxlength: most,
        onkeydown: (event) => {
          if (event.key === 'Enter' && sort === 'line') event.preventDefault();
        },
      })
    : h('input', {
        ...common,
        type: sort === 'date' ? 'date' : 'number',
        step: sort === 'date' ? null : 'any',
        inputmode: sort === 'date' ? null : 'decimal',
      });
  const element = h('div', { class: `slot ${look}` }, said, control);
  show();
  return element;
}
