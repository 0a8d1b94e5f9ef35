import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, put } from '../../shared/app/lib/dom.js';
import { download, toCsv } from '../../shared/app/lib/files.js';
import { dayFromNow, formatDay, t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { below } from './chance.js';
import { choices, editButton, menuOfChoices, noChoices } from './choices.js';

/** What was drawn, the latest first, each `{text, day}`, and whether each is drawn only once. */
const store = createStore('drawn', {
  /** @type {{ text: string, day: string }[]} */
  drawn: [],
  once: app.settings.once === 1,
});

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const exportCsv = () =>
  download(
    'drawn.csv',
    toCsv([[t('drawn'), t('day')], ...store.get().drawn.map(({ text, day }) => [text, day])]),
    'text/csv',
  );
const main = mountShell({
  actions: [
    ...menuOfChoices,
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'reset', label: t('startAgain'), onclick: restart },
  ],
});
const figure = h('p', { class: 'figure', role: 'status', tabindex: '-1' });
const left = h('p', { class: 'muted' });
const drawButton = h(
  'button',
  { type: 'button', class: 'button primary large', title: t('shortcut', { key: 'N' }), onclick: draw },
  icon('shuffle'),
  t('draw'),
);
const once = h('input', {
  id: 'once',
  type: 'checkbox',
  onchange: () => store.set({ ...store.get(), once: once.checked }),
});
const stage = h(
  'section',
  { class: 'card stage' },
  figure,
  h('div', { class: 'row center' }, drawButton, editButton()),
  h('label', { class: 'check', for: 'once' }, once, t('eachOnce')),
  left,
);
const none = h('div');
const history = h('div');
main.append(none, stage, history);

function restart() {
  store.set({ ...store.get(), drawn: [] });
  figure.textContent = '?';
}

/** What can still be drawn. A choice that stands twice can be drawn twice. */
function remaining() {
  const { drawn, once: each } = store.get();
  if (!each) return choices.get();
  const gone = drawn.map(({ text }) => text);
  return choices.get().filter((choice) => {
    const at = gone.indexOf(choice);
    if (at >= 0) gone.splice(at, 1);
    return at < 0;
  });
}

function draw() {
  const pool = remaining();
  if (pool.length === 0) return;
  const text = pool[below(pool.length)];
  store.set({ ...store.get(), drawn: [{ text, day: dayFromNow() }, ...store.get().drawn].slice(0, 500) });
}

function show() {
  const { drawn, once: each } = store.get();
  const pool = remaining();
  const empty = choices.get().length === 0;
  stage.hidden = empty;
  put(none, empty && noChoices(t('noChoicesText')));
  figure.textContent = drawn[0]?.text ?? '?';
  once.checked = each;
  drawButton.disabled = pool.length === 0;
  left.textContent =
    pool.length === 0 ? t('allDrawn') : t('ofAll', { part: pool.length, all: choices.get().length });
  put(
    history,
    drawn.length > 0 &&
      h(
        'section',
        { class: 'card drawn' },
        h('h2', null, t('drawn')),
        h(
          'ol',
          { reversed: true },
          drawn.map(({ text, day }) =>
            h('li', null, h('strong', null, text), h('span', { class: 'muted small' }, formatDay(day))),
          ),
        ),
      ),
  );
}

onKeys({
  n: draw,
  ' ': ({ target }) => {
    const control = target instanceof Element && target.closest('button, summary');
    if (control instanceof HTMLElement) control.click();
    else draw();
  },
  undo,
});
choices.subscribe(show);
store.subscribe(show);
