import { app } from '../../shared/app/lib/app.js';
import { openDialog, toast } from '../../shared/app/lib/dialog.js';
import { h, icon } from '../../shared/app/lib/dom.js';
import { pickFile } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { emptyState } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';

/** What chance chooses from. */
export const choices = createStore('choices', app.choices);

const most = 500;
const linesOf = (text) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, most);

/** All choices as lines of a text, which is the fastest way to type or paste them. */
export function editChoices() {
  const id = 'choices';
  openDialog({
    title: t('choices'),
    body: h(
      'div',
      { class: 'field' },
      h('label', { for: id }, t('onePerLine')),
      h('textarea', { id, name: 'choices', rows: 12, value: choices.get().join('\n') }),
    ),
    onsave: (form) => choices.set(linesOf(new FormData(form).get('choices'))),
  });
}

/** Takes the lines of a text file in place of what is there. */
export function importChoices() {
  pickFile('.txt,.csv,text/plain', (text) => {
    const lines = linesOf(text.replace(/^\uFEFF/, ''));
    if (lines.length > 0) choices.set(lines);
    toast(
      lines.length > 0 ? t('imported', { n: lines.length }) : t('importNothing'),
      lines.length > 0 && (() => choices.undo()),
    );
  });
}

export const editButton = () =>
  h('button', { type: 'button', class: 'button', onclick: editChoices }, icon('edit'), t('editChoices'));

/** What stands where there is nothing to choose from. */
export const noChoices = (text) =>
  emptyState(
    t('noChoices'),
    text,
    h(
      'button',
      { type: 'button', class: 'button primary', onclick: editChoices },
      icon('plus'),
      t('editChoices'),
    ),
  );

export const menuOfChoices = [
  { icon: 'edit', label: t('editChoices'), onclick: editChoices },
  { icon: 'upload', label: t('import'), onclick: importChoices },
];
