import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { below, countField } from './chance.js';

/** How many dice of how many sides, and the rolls, the latest first. */
const store = createStore('dice', {
  dice: app.settings.dice,
  sides: app.settings.sides,
  rolls: /** @type {number[][]} */ ([]),
});

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const main = mountShell({
  actions: [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'trash', label: t('clearHistory'), onclick: () => store.set({ ...store.get(), rolls: [] }) },
  ],
});
const shown = h('div', { class: 'dice', 'aria-hidden': 'true' });
const figure = h('p', { class: 'figure', role: 'status' });
const history = h('div');
main.append(
  h(
    'section',
    { class: 'card stage' },
    shown,
    figure,
    h(
      'button',
      { type: 'button', class: 'button primary large', title: t('shortcut', { key: 'N' }), onclick: roll },
      icon('shuffle'),
      t('roll'),
    ),
    h(
      'div',
      { class: 'row center' },
      countField(store, 'dice', { label: t('dice'), min: 1, max: 10 }),
      countField(store, 'sides', { label: t('sides'), min: 2, max: 100 }),
    ),
  ),
  history,
);

function roll() {
  const { dice, sides, rolls } = store.get();
  const thrown = Array.from({ length: dice }, () => below(sides) + 1);
  store.set({ ...store.get(), rolls: [thrown, ...rolls].slice(0, 100) });
}

const sumOf = (thrown) => thrown.reduce((sum, one) => sum + one, 0);

store.subscribe(({ rolls }) => {
  const [last] = rolls;
  put(
    shown,
    last?.map((eyes) => h('span', { class: 'die' }, String(eyes))),
  );
  figure.textContent = last
    ? last.length > 1
      ? `${last.join(' + ')} = ${sumOf(last)}`
      : String(last[0])
    : '?';
  put(
    history,
    rolls.length > 1 &&
      h(
        'section',
        { class: 'card drawn' },
        h('h2', null, t('rolls')),
        h(
          'ol',
          { reversed: true },
          rolls.map((thrown) =>
            h(
              'li',
              null,
              h('strong', null, String(sumOf(thrown))),
              h('span', { class: 'muted small' }, thrown.join(' + ')),
            ),
          ),
        ),
      ),
  );
});
onKeys({
  n: roll,
  ' ': ({ target }) => {
    const control = target instanceof Element && target.closest('button, summary');
    if (control instanceof HTMLElement) control.click();
    else roll();
  },
  undo,
});
