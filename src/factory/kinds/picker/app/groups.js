import { app } from '../../shared/app/lib/app.js';
import { shadeClass } from '../../shared/app/lib/colours.js';
import { h, icon, newId, put } from '../../shared/app/lib/dom.js';
import { download, toCsv } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { toast } from '../../shared/app/lib/toast.js';
import { shuffled } from './chance.js';
import { choices, editButton, menuOfChoices, noChoices } from './choices.js';

/** How many groups, and the groups as they were last made. */
const store = createStore('groups', {
  count: app.settings.groups,
  /** @type {string[][]} */
  groups: [],
});

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const exportCsv = () => {
  const rows = store.get().groups.flatMap((group, index) => group.map((name) => [index + 1, name]));
  download('groups.csv', toCsv([[t('group'), t('name')], ...rows]), 'text/csv');
};
const main = mountShell({
  actions: [
    ...menuOfChoices,
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const id = newId('groups');
const count = h('input', {
  id,
  type: 'number',
  min: 2,
  max: 20,
  step: 1,
  inputmode: 'numeric',
  value: store.get().count,
  onchange: () => {
    const value = Math.min(Math.max(Math.round(count.valueAsNumber) || 2, 2), 20);
    count.value = String(value);
    store.set({ ...store.get(), count: value });
    if (store.get().groups.length > 0) make();
  },
});
const tools = h(
  'div',
  { class: 'toolbar' },
  h('div', { class: 'field' }, h('label', { for: id }, t('groups')), count),
  h('span', { class: 'spring' }),
  editButton(),
  h(
    'button',
    { type: 'button', class: 'button primary', title: t('shortcut', { key: 'N' }), onclick: make },
    icon('shuffle'),
    t('makeGroups'),
  ),
);
const none = h('div');
const sheet = h('div', { class: 'groups', role: 'status' });
main.append(none, tools, sheet);

/** Deals everybody out like cards, so that no group has more than one more than another. */
function make() {
  const { count: size } = store.get();
  /** @type {string[][]} */
  const groups = Array.from({ length: size }, () => []);
  for (const [index, name] of shuffled(choices.get()).entries()) groups[index % size].push(name);
  store.set({ ...store.get(), groups: groups.filter((group) => group.length > 0) });
}

function show() {
  const empty = choices.get().length === 0;
  tools.hidden = empty;
  put(none, empty && noChoices(t('noNamesText')));
  put(
    sheet,
    !empty &&
      store.get().groups.map((group, index) =>
        h(
          'section',
          { class: `card group ${shadeClass(index)}` },
          h('h2', null, t('groupNumber', { number: index + 1 })),
          h(
            'ul',
            null,
            group.map((name) => h('li', null, name)),
          ),
        ),
      ),
  );
}

onKeys({ n: make, undo });
choices.subscribe(show);
store.subscribe(show);
