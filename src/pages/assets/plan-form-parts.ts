import { iconControl } from './icon-picker.ts';
import { isObject, listAt, valueAt } from './json-pointer.ts';
import {
  colourControl,
  control,
  exampleControl,
  type FormState,
  namedControls,
  ticks,
} from './plan-controls.ts';
import { labelOf, spaced, valueName } from './plan-labels.ts';
import { itemList } from './plan-lists.ts';
import { appOf, schemaAt, variantsOf } from './plan-schema.ts';
import { element, type Part, type Tree, treesOf } from './tree.ts';

/** The whole form of a plan, with the parts that its kind uses, and those that it has something in. */
export function planFormParts(form: FormState): readonly Tree[] {
  const kind = appOf(form.forms, form.draft);
  const shows = (member: string) => kind.uses.includes(member) || !isEmpty(form.draft[member]);
  return treesOf([
    group('basics', 'Name and look', basics(form), true),
    shows('entity') &&
      isObject(form.draft['entity']) &&
      group('entity', labelOf('/entity').name, entity(form), true),
    ...['sections', 'questions', 'hours'].map(
      (member) =>
        shows(member) &&
        group(
          member,
          headed(form, `/${member}`),
          [listOf(form, `/${member}`)],
          !kind.uses.includes('entity'),
        ),
    ),
    shows('contact') && group('contact', labelOf('/contact').name, members(form, '/contact')),
    shows('choices') && group('choices', headed(form, '/choices'), [control(form, '/choices')], true),
    isObject(form.draft['formula']) &&
      group(
        'formula',
        labelOf('/formula').name,
        [
          subheading(labelOf('/formula/inputs').name),
          listOf(form, '/formula/inputs'),
          subheading(labelOf('/formula/results').name),
          listOf(form, '/formula/results'),
        ],
        true,
      ),
    isObject(form.draft['grid']) &&
      group(
        'grid',
        labelOf('/grid').name,
        [control(form, '/grid/rows'), subheading(labelOf('/grid/marks').name), listOf(form, '/grid/marks')],
        true,
      ),
    (kind.settings.length > 0 || !isEmpty(form.draft['settings'])) &&
      group('settings', labelOf('/settings').name, namedControls(form, '/settings', kind.settings)),
    (kind.copy.length > 0 || !isEmpty(form.draft['copy'])) &&
      group('copy', labelOf('/copy').name, namedControls(form, '/copy', kind.copy)),
    kind.features.length > 0 &&
      group('features', labelOf('/features').name, [ticks(form, '/features', kind.features)]),
    shows('seed') &&
      isObject(form.draft['entity']) &&
      group('seed', headed(form, '/seed'), [
        itemList(form, '/seed', (pointer) =>
          listAt(form.draft, '/entity/fields').map((field) =>
            exampleControl(form, `${pointer}/${valueAt(field, '/key')}`, field),
          ),
        ),
      ]),
  ]);
}

function basics(form: FormState) {
  const { forms, draft } = form;
  const variants = variantsOf(forms, draft['kind']);
  const some = (values: readonly string[]) =>
    values.map((value) => [value, spaced(valueName(value))] as const);
  const money = listAt(draft, '/entity/fields').some((field) => valueAt(field, '/type') === 'currency');
  return treesOf([
    control(form, '/name'),
    control(form, '/tagline'),
    element(
      'div',
      { class: 'pair' },
      control(form, '/kind', { options: forms.kinds.map(({ id, name }) => [id, name]) }),
      variants.length > 1 &&
        control(form, '/variant', { ...variantName(draft['kind']), options: some(variants) }),
      control(form, '/lang'),
      (money || (appOf(forms, draft).uses.includes('currency') && !isObject(draft['entity']))) &&
        control(form, '/currency'),
    ),
    iconControl(form),
    colourControl(form),
    element('div', { class: 'pair' }, control(form, '/palette/mode'), control(form, '/palette/look')),
  ]);
}

/** The variants of some kinds are other things; those of others show the same things in another way. */
function variantName(kind: unknown) {
  return kind === 'tracker' || kind === 'calendar' ? { name: 'Layout' } : {};
}

function entity(form: FormState) {
  const fields = '/entity/fields';
  const at = listAt(form.draft, fields).findIndex((field) => valueAt(field, '/type') === 'select');
  const columns = form.draft['kind'] === 'board' && at >= 0 ? `${fields}/${at}/options` : null;
  return treesOf([
    element('div', { class: 'pair' }, control(form, '/entity/singular'), control(form, '/entity/plural')),
    columns &&
      control(form, columns, { name: 'Columns', hint: 'One per line, in their order from left to right.' }),
    subheading(labelOf(fields).name),
    itemList(form, fields, (pointer, field) => [
      control(form, `${pointer}/required`),
      element('div', { class: 'pair' }, control(form, `${pointer}/label`), control(form, `${pointer}/type`)),
      valueAt(field, '/type') === 'select' &&
        `${pointer}/options` !== columns &&
        control(form, `${pointer}/options`),
      ['number', 'currency'].includes(String(valueAt(field, '/type'))) &&
        control(form, `${pointer}/total`, {
          byDefault: 'sum',
        }),
    ]),
  ]);
}

function listOf(form: FormState, list: string): Tree {
  return itemList(form, list, (pointer) => members(form, pointer));
}

function members(form: FormState, pointer: string): readonly Tree[] {
  const { schema } = form.forms;
  return schemaAt(schema, pointer).members.flatMap((name) => {
    const at = `${pointer}/${name}`;
    const node = schemaAt(schema, at);
    if (node.type !== 'array' || schemaAt(schema, `${at}/0`).type !== 'object') return [control(form, at)];
    return [subheading(labelOf(at).name), listOf(form, at)];
  });
}

/** The name of a list with how many items it has. */
function headed(form: FormState, list: string) {
  const amount = listAt(form.draft, list).length;
  return amount === 0 ? labelOf(list).name : `${labelOf(list).name} (${amount})`;
}

function subheading(text: string) {
  return element('p', { class: 'subhead' }, text);
}

/** @param open whether it is unfolded at first */
function group(name: string, title: string, parts: readonly Part[], open: boolean = false) {
  return element(
    'details',
    { class: 'group', 'data-fold': name, 'data-unfolded': open },
    element('summary', {}, title),
    ...parts,
  );
}

function isEmpty(value: unknown) {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
