import { app } from '../../shared/app/lib/app.js';
import { shadeClass } from '../../shared/app/lib/colours.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, put } from '../../shared/app/lib/dom.js';
import { download, toCsv } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { countField, shuffled } from './chance.js';
import { choices, editButton, menuOfChoices, noChoices } from './choices.js';

/** How many groups, how many belong to one at most (0 for any number), and the groups as they were last made. */
const store = createStore('groups', {
  count: app.settings.groups,
  each: app.settings.each,
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
const tools = h(
  'div',
  { class: 'toolbar' },
  countField(store, 'count', { label: t('groups'), min: 2, max: 20, changed: makeAgain }),
  countField(store, 'each', { label: t('mostInGroup'), min: 0, max: 50, changed: makeAgain }),
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

function makeAgain() {
  if (store.get().groups.length > 0) make();
}

/**
 * Deals everybody out like cards, so that no group has more than one more than another: into more groups than are asked
 * for where too many would belong to one.
 */
function make() {
  const { count, each } = store.get();
  const size = each > 0 ? Math.max(count, Math.ceil(choices.get().length / each)) : count;
  /** @type {string[][]} */
  const groups = Array.from({ length: size }, () => []);
  for (const [index, name] of shuffled(choices.get()).entries()) groups[index % size].push(name);
  store.set({ ...store.get(), groups: groups.filter((group) => group.length > 0) });
}

/** “Table 3”, or “Group 3” where the groups have no name of their own. */
const titleOf = (number) => (app.copy.group ? `${app.copy.group} ${number}` : t('groupNumber', { number }));

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
          h('h2', null, titleOf(index + 1)),
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
