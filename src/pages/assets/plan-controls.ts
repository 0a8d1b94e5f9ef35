import { type Html, html } from './html.ts';
import { isObject, listAt, valueAt } from './json-pointer.ts';
import type { Draft } from './plan-edits.ts';
import { labelOf, spaced, valueName } from './plan-labels.ts';
import { type NamedValue, type PlanForms, type PlanKind, type SchemaNode, schemaAt } from './plan-schema.ts';
import { shapesOf } from './reading-parts.ts';
import { counted } from './words.ts';

export interface IconChoice {
  readonly name: string;
  readonly drawing: PlanKind['drawing'];
  readonly words: string;
}

/** The content of the picker of pictures. They are loaded when it is opened first, as few people open it. */
export interface IconsShown {
  /** Null until they are loaded. */
  readonly choices: readonly IconChoice[] | null;
  readonly search: string;
  readonly problem: string;
}

export interface FormState {
  readonly forms: PlanForms;
  readonly draft: Draft;
  /** The problems, by the place of the control that shows them. */
  readonly problems: ReadonlyMap<string, string>;
  readonly prefix: string;
  readonly icons?: IconsShown;
}

/** Texts that may be longer than this get a box of several lines. */
const longText = 160;

export function idOf({ prefix }: Pick<FormState, 'prefix'>, pointer: string) {
  return `${prefix}${pointer.replaceAll('/', '-')}`;
}

/** The notes below a control: a hint, and the problem. */
function notes(form: FormState, pointer: string, hint = '') {
  const id = idOf(form, pointer);
  const problem = form.problems.get(pointer) ?? '';
  const said = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return {
    attributes: html`id="${id}" data-path="${pointer}" ${said && html`aria-describedby="${said}"`} ${problem && html`aria-invalid="true"`}`,
    below: html`${hint && html`<p class="field-hint" id="${id}-hint">${hint}</p>`}${problem && html`<p class="field-problem" id="${id}-problem">${problem}</p>`}`,
  };
}

function tick(id: string, name: string, { attributes, below }: ReturnType<typeof notes>): Html {
  return html`<div class="field tick"><label for="${id}"><input ${attributes} type="checkbox" data-sort="boolean"> ${name}</label>${below}</div>`;
}

type Options = readonly (readonly [value: string, text: string])[];

/**
 * A label with its control, chosen by the schema. The caller fills in the values.
 * @param own what the schema does not know
 */
export function control(
  form: FormState,
  pointer: string,
  own: { name?: string; hint?: string; byDefault?: string; placeholder?: string; options?: Options } = {},
): Html {
  const node = schemaAt(form.forms.schema, pointer);
  const label = labelOf(pointer);
  const { name = label.name, hint = label.hint, byDefault, placeholder } = own;
  const options = own.options ?? node.options.map((value) => [value, valueName(value)] as const);
  const id = idOf(form, pointer);
  const noted = notes(form, pointer, hint);
  if (node.type === 'boolean') return tick(id, name, noted);
  const shared = html`${noted.attributes} ${byDefault !== undefined && html`data-default="${byDefault}"`}`;
  const written = html`${shared} ${placeholder && html`placeholder="${placeholder}"`}`;
  return html`<div class="field"><label for="${id}">${name}</label>${options.length > 0 ? select(shared, options) : box(written, node)}${noted.below}</div>`;
}

function select(attributes: Html, options: Options): Html {
  return html`<select ${attributes} data-sort="text">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select>`;
}

function box(shared: Html, { type, maxLength, maxItems }: SchemaNode): Html {
  if (type === 'array')
    return html`<textarea ${shared} data-sort="lines" rows="${Math.min(maxItems, 4)}" spellcheck="true"></textarea>`;
  if (type === 'number' || type === 'integer')
    return html`<input ${shared} data-sort="number" type="text" inputmode="decimal" autocomplete="off">`;
  const bounded = html`${shared} data-sort="text" ${maxLength > 0 && html`maxlength="${maxLength}"`}`;
  return maxLength > longText
    ? html`<textarea ${bounded} rows="2" spellcheck="true"></textarea>`
    : html`<input ${bounded} type="text" autocomplete="off">`;
}

const colours: readonly (readonly [colour: string, name: string])[] = [
  ['#0f8a8a', 'Teal'],
  ['#1f8a5b', 'Green'],
  ['#2563eb', 'Blue'],
  ['#1e3a6e', 'Navy'],
  ['#7c3aed', 'Purple'],
  ['#d6368b', 'Pink'],
  ['#c8372d', 'Red'],
  ['#d9631e', 'Orange'],
  ['#f2b705', 'Yellow'],
  ['#4b5563', 'Grey'],
];

export function colourControl(form: FormState): Html {
  const pointer = '/palette/accent';
  const chosen = valueAt(form.draft, pointer);
  const isOther = typeof chosen === 'string' && !colours.some(([colour]) => colour === chosen);
  const id = idOf(form, pointer);
  const { name, hint } = labelOf(pointer);
  const swatches = colours.map(
    ([colour, called]) =>
      html`<button type="button" class="swatch" data-set="${pointer}" data-value="${colour}" aria-pressed="${colour === chosen}" aria-label="${called}" title="${called}"><svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${colour}"></circle></svg></button>`,
  );
  return html`<fieldset class="field colours" aria-describedby="${id}-hint"><legend>${name}</legend>
<div class="swatches">${swatches}<label class="any-colour" ${isOther && html`data-chosen=""`}><span>Another</span><input id="${id}" type="color" data-path="${pointer}" data-sort="text"></label></div>
<p class="field-hint" id="${id}-hint">${hint}</p>${problemLine(form, pointer)}</fieldset>`;
}

/** The problem of a group or list as a whole. */
export function problemLine({ problems }: FormState, pointer: string): Html | '' {
  const problem = problems.get(pointer) ?? '';
  return problem && html`<p class="field-problem">${problem}</p>`;
}

/** The options to switch on, out of those that the kind offers. */
export function ticks(form: FormState, pointer: string, offered: readonly string[]): Html {
  const chosen = listAt(form.draft, pointer).map(String);
  const all = [...offered, ...chosen.filter((value) => !offered.includes(value))];
  return html`<fieldset class="field" id="${idOf(form, pointer)}" tabindex="-1"><legend class="hidden">${labelOf(pointer).name}</legend>
<div class="ticks">${all.map((value) => html`<label class="check"><input type="checkbox" data-list="${pointer}" value="${value}"> ${spaced(valueName(value))}</label>`)}</div>${problemLine(form, pointer)}</fieldset>`;
}

/** The members of an object whose names the kind gives: its numbers, its texts. */
export function namedControls(
  form: FormState,
  pointer: '/settings' | '/copy',
  known: readonly NamedValue[],
): readonly Html[] {
  const there = valueAt(form.draft, pointer);
  const others = Object.keys(isObject(there) ? there : {}).filter(
    (name) => !known.some((one) => one.name === name),
  );
  const all = [...known, ...others.map((name) => ({ name, description: '', value: '', options: [] }))];
  return all.map(({ name, description, value, options }) =>
    control(form, `${pointer}/${name}`, {
      name: spaced(name),
      hint: description,
      ...(options.length > 0 && { byDefault: value, options: options.map((one) => [one, spaced(one)]) }),
      placeholder: value,
    }),
  );
}

/** A value of one of the examples, by the type of its field. */
export function exampleControl(form: FormState, pointer: string, field: unknown): Html {
  const label = String(valueAt(field, '/label') || 'Without a name');
  const type = valueAt(field, '/type');
  const id = idOf(form, pointer);
  const noted = notes(form, pointer);
  if (type === 'checkbox') return tick(id, label, noted);
  const number = type === 'number' || type === 'currency' || type === 'rating';
  const options = listAt(field, '/options').map((option) => [String(option), String(option)] as const);
  const input =
    type === 'select'
      ? select(noted.attributes, [['', '—'], ...options])
      : html`<input ${noted.attributes} data-sort="${number ? 'number' : 'text'}" type="text" ${number && html`inputmode="decimal"`} ${type === 'date' && html`placeholder="@+3 or 2026-03-01"`} maxlength="300" autocomplete="off">`;
  return html`<div class="field"><label for="${id}">${label}</label>${input}${noted.below}</div>`;
}

/** The name of the part of the form that unfolds the pictures. */
export const iconFold = 'icon-picker';

const pointer = '/icon';

/** The picture of the app, chosen from all that there are. Radio buttons, so that arrow keys go through them. */
export function iconControl(form: FormState): Html {
  const { icons = { choices: null, search: '', problem: '' }, draft } = form;
  const id = idOf(form, pointer);
  const chosen = String(valueAt(draft, pointer) ?? '');
  const wrong = form.problems.get(pointer) ?? '';
  const now = icons.choices?.find(({ name }) => name === chosen);
  return html`<div class="field icon-field"><details class="icon-picker" data-fold="${iconFold}">
<summary id="${id}" ${wrong !== '' && html`aria-describedby="${id}-problem"`}><span class="icon-label">${labelOf(pointer).name}: </span>${now && picture(now)}${chosen === '' ? 'that of the kind' : chosen}</summary>
${icons.choices === null ? html`<p class="field-hint" role="status">${icons.problem || 'Loading …'}</p>` : choice(id, icons.choices, icons.search, chosen)}</details>
${wrong !== '' && html`<p class="field-problem" id="${id}-problem">${wrong}</p>`}</div>`;
}

function choice(id: string, choices: readonly IconChoice[], search: string, chosen: string): Html {
  const found = matching(choices, search);
  const radio = (value: string) =>
    html`<input type="radio" name="${id}" value="${value}" data-path="${pointer}" data-sort="text">`;
  const marked = (name: string) => name === chosen && html`data-chosen=""`;
  return html`<label class="hidden" for="${id}-search">Search pictures</label>
<input id="${id}-search" type="search" data-icon-search="" placeholder="Search, such as dog" autocomplete="off" aria-controls="${id}-choices">
<p class="field-hint" role="status">${counted(found.length, 'picture')}</p>
<div class="icon-choices" id="${id}-choices" role="radiogroup" aria-label="Pictures">
<label class="icon-choice icon-none" ${marked('')}>${radio('')}That of the kind</label>
${found.map((icon) => html`<label class="icon-choice" title="${icon.name}" ${marked(icon.name)}>${radio(icon.name)}${picture(icon)}<span class="hidden">${icon.name.replaceAll('-', ' ')}</span></label>`)}</div>`;
}

function picture({ drawing }: IconChoice): Html {
  return html`<svg viewBox="0 0 24 24" class="icon" aria-hidden="true">${shapesOf(drawing)}</svg>`;
}

/** The pictures that have each word that is looked for among their own, or the beginning of one. */
export function matching(choices: readonly IconChoice[], search: string) {
  const wanted = wordsIn(search);
  if (wanted.length === 0) return choices;
  return choices.filter(({ name, words }) => {
    const own = wordsIn(`${name} ${words}`);
    return wanted.every((word) => own.some((one) => one.startsWith(word)));
  });
}

const wordsIn = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

export async function loadIcons(): Promise<readonly IconChoice[]> {
  const response = await fetch(new URL('./icons.json', import.meta.url));
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as IconChoice[];
}
