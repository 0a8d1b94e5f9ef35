import { type Html, html } from './html.ts';
import { listAt, valueAt } from './json-pointer.ts';
import { type FormState, idOf, problemLine } from './plan-controls.ts';
import { labelOf } from './plan-labels.ts';
import { schemaAt } from './plan-schema.ts';

/**
 * The items of a list with what changes their order, and a button for one more. Each can be dragged by its grip; the buttons
 * do the same for everybody.
 */
export function itemList(
  form: FormState,
  list: string,
  body: (pointer: string, item: unknown) => Html | readonly Html[],
): Html {
  const { name: title, one = 'item', folded = false } = labelOf(list);
  const items = listAt(form.draft, list);
  const { maxItems, minItems } = schemaAt(form.forms.schema, list);
  const itemView = (item: unknown, n: number) => {
    const at = `${list}/${n}`;
    const name = itemName(form, list, n);
    const content = html`<div class="item-body">${body(at, item)}</div>`;
    return html`<li class="item" data-item="${at}"><span class="grip" data-grip="${at}" aria-hidden="true">⠿</span>
${folded ? html`<details data-fold="${at}"><summary>${name}</summary>${content}</details>` : html`<fieldset class="item-plain"><legend class="hidden">${name}</legend>${content}</fieldset>`}
<span class="item-buttons">${button('up', at, `Move ${name} up`, '↑', n === 0)}${button('down', at, `Move ${name} down`, '↓', n === items.length - 1)}${button('remove', at, `Remove ${name}`, '×', items.length <= minItems)}</span></li>`;
  };
  return html`<div class="list"><ol class="items" data-items="${list}" aria-label="${title}">${items.map(itemView)}</ol>${problemLine(form, list)}
<button type="button" class="button small-button" id="${idOf(form, list)}-add" data-do="add" data-at="${list}" ${items.length >= maxItems && html`disabled=""`}>Add ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}</button></div>`;
}

/** What an item is called: by its own name where it has one, by its place otherwise. */
export function itemName({ draft }: FormState, list: string, index: number) {
  const { one = 'item', title } = labelOf(list);
  const item = listAt(draft, list)[index];
  const [key] = listAt(draft, '/entity/fields').map((field) => valueAt(field, '/key'));
  const name = valueAt(item, `/${title ?? String(key)}`);
  return typeof name === 'string' && name.trim() !== '' ? `“${name}”` : `${one} ${index + 1}`;
}

function button(action: string, at: string, label: string, sign: string, disabled: boolean): Html {
  return html`<button type="button" class="icon-button" data-do="${action}" data-at="${at}" aria-label="${label}" title="${label}" ${disabled && html`disabled=""`}>${sign}</button>`;
}
