import { openDialog } from '../../shared/app/lib/dialog.js';
import { h } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { enter, entries } from './entries.js';
import { colourOf, marks } from './grid.js';

/** Opens what a day or a cell can be: one of the marks, or a text where there are none. */
export function edit(key, title) {
  const value = entries.get()[key] ?? '';
  const id = 'entry';
  const text = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, t('entry')),
    h('textarea', { id, name: 'entry', rows: 3, maxlength: 300, value }),
  );
  const choice = h(
    'fieldset',
    { class: 'marks' },
    h('legend', { class: 'label' }, t('mark')),
    [{ label: '' }, ...marks].map(({ label }, index) =>
      h(
        'label',
        { class: 'mark-choice' },
        h('input', { type: 'radio', name: 'entry', value: label, checked: label === value }),
        h('span', { class: 'dot', style: `background:${colourOf(index - 1)}` }),
        label || t('none'),
      ),
    ),
  );
  openDialog({
    title,
    body: marks.length > 0 ? choice : text,
    onsave: (form) => enter(key, String(new FormData(form).get('entry') ?? '').trim()),
  });
}
