import { type Html, html } from './html.ts';
import { isObject, listAt, valueAt } from './json-pointer.ts';
import {
  colourControl,
  control,
  exampleControl,
  type FormState,
  iconControl,
  idOf,
  namedControls,
  problemLine,
  ticks,
} from './plan-controls.ts';
import { labelOf, spaced, valueName } from './plan-labels.ts';
import { appOf, schemaAt, variantsOf } from './plan-schema.ts';

/** The whole form of a plan, with the parts that its kind uses, and those that it has something in. */
export function planFormParts(form: FormState): Html {
  const { draft } = form;
  const kind = appOf(form.forms, draft);
  const shows = (member: string) => kind.uses.includes(member) || !isEmpty(draft[member]);
  const part = (name: string, content: unknown, open: boolean = false) =>
    group(name, headed(form, `/${name}`), content, open);
  const lists = ['sections', 'questions', 'hours']
    .filter(shows)
    .map((member) => part(member, listOf(form, `/${member}`), !kind.uses.includes('entity')));
  const seedOf = (pointer: string) =>
    listAt(draft, '/entity/fields').map((field) =>
      exampleControl(form, `${pointer}/${valueAt(field, '/key')}`, field),
    );
  const named = (name: 'settings' | 'copy') =>
    (kind[name].length > 0 || !isEmpty(draft[name])) &&
    part(name, namedControls(form, `/${name}`, kind[name]));
  return html`${group('basics', 'Name and look', basics(form), true)}
${shows('entity') && isObject(draft['entity']) && part('entity', entity(form), true)}
${lists}
${shows('contact') && part('contact', members(form, '/contact'))}
${shows('choices') && part('choices', control(form, '/choices'), true)}
${isObject(draft['formula']) && part('formula', [subheaded(form, '/formula/inputs'), subheaded(form, '/formula/results')], true)}
${isObject(draft['grid']) && part('grid', [control(form, '/grid/rows'), subheaded(form, '/grid/marks')], true)}
${named('settings')}${named('copy')}
${kind.features.length > 0 && group('features', labelOf('/features').name, ticks(form, '/features', kind.features), false)}
${shows('seed') && isObject(draft['entity']) && part('seed', itemList(form, '/seed', seedOf))}`;
}

function basics(form: FormState): Html {
  const { forms, draft } = form;
  const variants = variantsOf(forms, draft['kind']).map(
    (value) => [value, spaced(valueName(value))] as const,
  );
  const hasMoney = listAt(draft, '/entity/fields').some((field) => valueAt(field, '/type') === 'currency');
  const asksCurrency =
    hasMoney || (appOf(forms, draft).uses.includes('currency') && !isObject(draft['entity']));
  return html`${control(form, '/name')}${control(form, '/tagline')}
<div class="pair">${control(form, '/kind', { options: forms.kinds.map(({ id, name }) => [id, name]) })}
${variants.length > 1 && control(form, '/variant', { ...variantName(draft['kind']), options: variants })}
${control(form, '/lang')}${asksCurrency && control(form, '/currency')}</div>
${iconControl(form)}${colourControl(form)}
<div class="pair">${control(form, '/palette/mode')}${control(form, '/palette/look')}</div>`;
}

/** The variants of some kinds are other things; those of others show the same things in another way. */
function variantName(kind: unknown) {
  return kind === 'tracker' || kind === 'calendar' ? { name: 'Layout' } : {};
}

function entity(form: FormState): Html {
  const fields = '/entity/fields';
  const at = listAt(form.draft, fields).findIndex((field) => valueAt(field, '/type') === 'select');
  const columns = form.draft['kind'] === 'board' && at >= 0 ? `${fields}/${at}/options` : null;
  const field = (pointer: string, one: unknown) => {
    const type = String(valueAt(one, '/type'));
    const options = `${pointer}/options`;
    return html`${control(form, `${pointer}/required`)}
<div class="pair">${control(form, `${pointer}/label`)}${control(form, `${pointer}/type`)}</div>
${type === 'select' && options !== columns && control(form, options)}
${['number', 'currency'].includes(type) && control(form, `${pointer}/total`, { byDefault: 'sum' })}`;
  };
  return html`<div class="pair">${control(form, '/entity/singular')}${control(form, '/entity/plural')}</div>
${columns && control(form, columns, { name: 'Columns', hint: 'One per line, in their order from left to right.' })}
${subheading(fields)}${itemList(form, fields, field)}`;
}

function listOf(form: FormState, list: string): Html {
  return itemList(form, list, (pointer) => members(form, pointer));
}

function members(form: FormState, pointer: string): readonly Html[] {
  const { schema } = form.forms;
  return schemaAt(schema, pointer).members.map((name) => {
    const at = `${pointer}/${name}`;
    const isList = schemaAt(schema, at).type === 'array' && schemaAt(schema, `${at}/0`).type === 'object';
    return isList ? subheaded(form, at) : control(form, at);
  });
}

/** The name of a part, of a list with how many items it has. */
function headed(form: FormState, pointer: string) {
  const amount = listAt(form.draft, pointer).length;
  return amount === 0 ? labelOf(pointer).name : `${labelOf(pointer).name} (${amount})`;
}

function subheading(list: string): Html {
  return html`<p class="subhead">${labelOf(list).name}</p>`;
}

function subheaded(form: FormState, list: string): Html {
  return html`${subheading(list)}${listOf(form, list)}`;
}

function group(name: string, title: string, content: unknown, open: boolean): Html {
  return html`<details class="group" data-fold="${name}" ${open && html`data-unfolded=""`}><summary>${title}</summary>${content}</details>`;
}

function isEmpty(value: unknown) {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

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

/** The name of an item: its own where it has one, its place otherwise. */
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
