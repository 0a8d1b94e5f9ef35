import { app } from '../../shared/app/lib/app.js';
import { focusIn, h, icon, put } from '../../shared/app/lib/dom.js';
import { openEntries } from '../../shared/app/lib/entries.js';
import { t } from '../../shared/app/lib/i18n.js';
import { emptyState, mountShell, onKeys, searchBox } from '../../shared/app/lib/shell.js';
import { toast } from '../../shared/app/lib/toast.js';
import { editEntry } from './editor.js';
import { exchangeActions } from './exchange.js';
import { listView, quickAdd } from './list.js';
import { chartPanel, statTiles } from './summary.js';
import { filterControls, selectRows } from './view.js';

const { fields } = app.entity;
const store = openEntries();
const view = { search: '', filters: {}, sort: app.sort };

const remove = (row) => {
  store.set(store.get().filter((other) => other.id !== row.id));
  toast(t('deleted', { name: row[fields[0].key] ?? app.entity.singular }), () => store.undo());
};
const save = (row) => {
  const rows = store.get();
  const known = rows.some((other) => other.id === row.id);
  store.set(known ? rows.map((other) => (other.id === row.id ? row : other)) : [row, ...rows]);
  toast(t(known ? 'saved' : 'added'));
};
const change = (row) => store.set(store.get().map((other) => (other.id === row.id ? row : other)));
const edit = (row, known) => editEntry(row, save, remove, known);
const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));

const main = mountShell({ actions: exchangeActions(store, undo), wide: app.variant === 'cards' });
const stats = h('div');
const chart = h('div');
const list = h('div', { class: 'entries' });
const count = h('p', { class: 'muted small', role: 'status' });
const search = searchBox(t('searchIn', { what: app.entity.plural }), (text) => {
  view.search = text;
  draw();
});
const line = app.variant === 'checklist' && quickAdd(save, edit);
const add = () => (line ? focusIn(line, 'input') : edit(null));
const addButton = h(
  'button',
  {
    type: 'button',
    class: 'button primary',
    'aria-keyshortcuts': 'n',
    title: t('shortcut', { key: 'N' }),
    onclick: add,
  },
  icon('plus'),
  t('add', { what: app.entity.singular }),
);

main.append(
  stats,
  ...(line ? [line] : []),
  h(
    'div',
    { class: 'toolbar' },
    search,
    filterControls(view, () => draw()),
    !line && addButton,
  ),
  count,
  list,
  chart,
);

function draw() {
  const rows = store.get();
  const shown = selectRows(rows, view);
  put(stats, statTiles(shown));
  put(chart, app.features.includes('chart') && shown.length > 0 && chartPanel(shown));
  count.textContent =
    shown.length === rows.length ? '' : t('shownOf', { shown: shown.length, all: rows.length });
  count.hidden = shown.length === rows.length;
  put(list, shown.length > 0 ? listView(shown, { edit, remove, change, view, draw }) : nothing(rows.length));
}

function nothing(all) {
  if (all > 0) return emptyState(t('noMatch'), t('noMatchText'));
  const button =
    !line &&
    h(
      'button',
      { type: 'button', class: 'button primary', onclick: add },
      t('add', { what: app.entity.singular }),
    );
  return emptyState(t('firstTitle', { what: app.entity.singular }), t('firstText'), button);
}

onKeys({ n: add, '/': () => focusIn(search, 'input'), undo });
store.subscribe(draw);
