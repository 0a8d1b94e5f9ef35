import { listAt, valueAt } from './json-pointer.ts';
import { type FormState, idOf } from './plan-controls.ts';
import { labelOf } from './plan-labels.ts';
import { schemaAt } from './plan-schema.ts';
import { element, type Part, type Tree } from './tree.ts';

/**
 * The items of a list with what changes their order, and a button for one more. Each can be dragged by its grip; the buttons
 * do the same for everybody.
 */
export function itemList(
  form: FormState,
  list: string,
  body: (pointer: string, item: unknown) => readonly Part[],
): Tree {
  const { one = 'item', folded = false } = labelOf(list);
  const items = listAt(form.draft, list);
  const { maxItems, minItems } = schemaAt(form.forms.schema, list);
  const problem = form.problems.get(list) ?? '';
  return element(
    'div',
    { class: 'list' },
    element(
      'ol',
      { class: 'items', 'data-items': list, 'aria-label': labelOf(list).name },
      ...items.map((item, n) => {
        const name = itemName(form, list, n);
        const content = element('div', { class: 'item-body' }, ...body(`${list}/${n}`, item));
        return element(
          'li',
          { class: 'item', 'data-item': `${list}/${n}` },
          element('span', { class: 'grip', 'data-grip': `${list}/${n}`, 'aria-hidden': 'true' }, '⠿'),
          folded
            ? element('details', { 'data-fold': `${list}/${n}` }, element('summary', {}, name), content)
            : element(
                'fieldset',
                { class: 'item-plain' },
                element('legend', { class: 'hidden' }, name),
                content,
              ),
          element(
            'span',
            { class: 'item-buttons' },
            button('up', `${list}/${n}`, `Move ${name} up`, '↑', n === 0),
            button('down', `${list}/${n}`, `Move ${name} down`, '↓', n === items.length - 1),
            button('remove', `${list}/${n}`, `Remove ${name}`, '×', items.length <= minItems),
          ),
        );
      }),
    ),
    problem !== '' && element('p', { class: 'field-problem' }, problem),
    element(
      'button',
      {
        type: 'button',
        class: 'button small-button',
        id: `${idOf(form, list)}-add`,
        'data-do': 'add',
        'data-at': list,
        disabled: items.length >= maxItems,
      },
      `Add ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`,
    ),
  );
}

/** What an item is called: by its own name where it has one, by its place otherwise. */
export function itemName({ draft }: FormState, list: string, index: number) {
  const { one = 'item', title } = labelOf(list);
  const item = listAt(draft, list)[index];
  const [key] = listAt(draft, '/entity/fields').map((field) => valueAt(field, '/key'));
  const name = valueAt(item, `/${title ?? String(key)}`);
  return typeof name === 'string' && name.trim() !== '' ? `“${name}”` : `${one} ${index + 1}`;
}

function button(action: string, at: string, label: string, sign: string, disabled: boolean) {
  return element(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'data-do': action,
      'data-at': at,
      'aria-label': label,
      title: label,
      disabled,
    },
    sign,
  );
}
