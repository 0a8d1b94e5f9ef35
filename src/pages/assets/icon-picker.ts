import { type Html, html } from './html.ts';
import { valueAt } from './json-pointer.ts';
import { type FormState, type IconChoice, idOf } from './plan-controls.ts';
import { labelOf } from './plan-labels.ts';
import { shapesOf } from './reading-parts.ts';
import { counted } from './words.ts';

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
