import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, newId } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { below, shuffled } from './chance.js';

/** Characters that look like others, such as l, I and 1 or O and 0, are left out. */
const sets = {
  small: 'abcdefghijkmnopqrstuvwxyz',
  capitals: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  digits: '23456789',
  signs: '!#$%&*+-=?@_',
};

/** How it is made is remembered; a password itself is kept nowhere. */
const store = createStore('password', {
  length: app.settings.length,
  capitals: app.settings.capitals > 0,
  digits: app.settings.digits > 0,
  signs: app.settings.signs > 0,
});

const main = mountShell();
const figure = h('output', { class: 'figure secret', 'aria-live': 'polite' });
const strength = h('p', { class: 'chip' });
const range = slider();
main.append(
  h(
    'section',
    { class: 'card stage' },
    figure,
    strength,
    h(
      'div',
      { class: 'row center' },
      h(
        'button',
        { type: 'button', class: 'button primary large', title: t('shortcut', { key: 'N' }), onclick: make },
        icon('shuffle'),
        t('newPassword'),
      ),
      h('button', { type: 'button', class: 'button large', onclick: copy }, icon('copy'), t('copy')),
    ),
    range,
    ['capitals', 'digits', 'signs'].map(toggle),
    h('p', { class: 'muted small' }, t('keptNowhere')),
  ),
);

function slider() {
  const id = newId('length');
  const shown = h('strong', null, String(store.get().length));
  const input = h('input', {
    id,
    type: 'range',
    min: 8,
    max: 64,
    step: 1,
    value: store.get().length,
    oninput: () => {
      shown.textContent = input.value;
      store.set({ ...store.get(), length: Number(input.value) });
      make();
    },
  });
  return h('div', { class: 'field' }, h('label', { for: id }, t('passwordLength'), ': ', shown), input);
}

function toggle(key) {
  const id = newId('with');
  const input = h('input', {
    id,
    type: 'checkbox',
    checked: store.get()[key],
    onchange: () => {
      store.set({ ...store.get(), [key]: input.checked });
      make();
    },
  });
  return h('label', { class: 'check', for: id }, input, t(`with_${key}`));
}

/** At least one of each sort that is wanted, the others of all sorts, in an order by chance. */
function make() {
  const { length, ...wanted } = store.get();
  const sorts = [
    sets.small,
    ...['capitals', 'digits', 'signs'].filter((key) => wanted[key]).map((key) => sets[key]),
  ];
  const all = sorts.join('');
  const one = (set) => set[below(set.length)];
  const first = sorts.map(one);
  const others = Array.from({ length: length - first.length }, () => one(all));
  figure.textContent = shuffled([...first, ...others]).join('');
  const bits = Math.floor(length * Math.log2(all.length));
  strength.textContent = t('bits', { bits });
  strength.className = bits < 60 ? 'chip warn' : 'chip good';
}

async function copy() {
  try {
    await navigator.clipboard.writeText(figure.textContent);
    toast(t('copied'));
  } catch {
    // Where the page may not use the clipboard, the text is marked for copying by hand.
    getSelection()?.selectAllChildren(figure);
    toast(t('copyByHand'));
  }
}

onKeys({ n: make, c: copy });
make();
