import type { FactoryDiff, FactoryJob } from '../../../generated/types.gen.ts';
import { type Html, html } from './html.ts';
import { isObject, listAt, namesOf, patchBetween, pointerOf, valueAt } from './json-pointer.ts';
import { labelOf, valueName } from './plan-labels.ts';
import { counted, timeOf } from './words.ts';

/** A difference between two plans; null stands for what is not there. */
export type PlanChange = { path: string; before?: unknown; after?: unknown };

/** Members whose values are names of ours. */
const named = /(?:^|[./])(?:type|kind|variant|lang|mode|look|total|features\[\d+\]|features\/\d+)$/;
/** Longer values are cut. */
const maxLength = 80;

export function changeWords({ path, before, after }: PlanChange): string {
  const place = placeWords(path);
  const words = (value: unknown) =>
    typeof value === 'string' && named.test(path) ? valueName(value) : valueWords(value);
  if (isNothing(before)) return `${place} added: ${words(after)}`;
  if (isNothing(after)) return `${place} removed: ${words(before)}`;
  return `${place}: ${words(before)} → ${words(after)}`;
}

/** The names on the way to a place: `entity.fields[2].type` is “Field 3, type”. */
export function placeWords(path: string) {
  const names = namesOf(pointerOf(path));
  const words: string[] = [];
  names.forEach((name, n) => {
    const here = `/${names.slice(0, n + 1).join('/')}`;
    if (/^\d+$/.test(name)) {
      const list = labelOf(`/${names.slice(0, n).join('/')}`);
      words.splice(-1, 1, `${list.one ?? list.name} ${Number(name) + 1}`);
    } else words.push(labelOf(here).name);
  });
  // The parent of a field goes without saying.
  const shown = names[0] === 'entity' && words.length > 1 ? words.slice(1) : words;
  const text = shown
    .map((word, n) => (n === 0 ? word : word.charAt(0).toLowerCase() + word.slice(1)))
    .join(', ');
  return text === '' ? 'The plan' : text.charAt(0).toUpperCase() + text.slice(1);
}

function isNothing(value: unknown) {
  return value === null || value === undefined;
}

function valueWords(value: unknown): string {
  if (isNothing(value) || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : cut(value.map(valueWords).join(', '));
  if (isObject(value)) {
    const title = value['label'] ?? value['title'] ?? value['prompt'] ?? value['days'];
    return cut(title === undefined ? Object.values(value).map(valueWords).join(', ') : `“${title}”`);
  }
  return typeof value === 'string' ? cut(`“${value}”`) : String(value);
}

function cut(text: string) {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

export function changedWords(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
) {
  const patch = patchBetween(before, after);
  const names = isObject(patch) ? Object.keys(patch) : [];
  return names.length === 0
    ? ''
    : `Changed: ${names.map((name) => placeWords(`/${name}`).toLowerCase()).join(', ')}.`;
}

/**
 * The change of a revision, in a few words; empty for a first build. A pointer in front of an instruction is said as
 * the text that was there: “Genre: make it required”. Where that is not known, the text describes the change, which names it.
 * @param before the plan that was changed
 */
export function changeText(
  {
    change: { type, instruction = null, restored = null },
    understood,
  }: Pick<FactoryJob['revision'], 'change' | 'understood'>,
  before?: unknown,
) {
  if (instruction !== null) {
    const [, at = '', words = ''] = /^at (\/\S+): *(.*)$/is.exec(instruction) ?? [];
    if (at === '') return `“${instruction}”`;
    if (before === undefined && understood.length > 0) return understood.join(' ');
    const text = valueAt(before, at);
    return `“${typeof text === 'string' && text !== '' ? cut(text) : placeWords(at)}: ${words}”`;
  }
  if (type === 'restore') return restored === null ? 'an earlier one again' : `revision ${restored} again`;
  if (type === 'spec' || type === 'patch') return 'changed in the form';
  return type === 'instruction' ? 'an instruction' : '';
}

export interface PlanText {
  /** Its place, as a JSON Pointer. */
  readonly at: string;
  readonly text: string;
  readonly name: string;
  /** Texts of one group are shown near each other. */
  readonly group: string;
}

/** Members that no app shows as they are written. */
const unseen = new Set(
  'v kind variant lang icon palette currency features assumptions key type total expression colour endpoint'.split(
    ' ',
  ),
);
const maxTexts = 800;

/** The texts of a plan that its app may show, names of fields first. */
export function textsOf(spec: unknown): readonly PlanText[] {
  const found: PlanText[] = [];
  const visit = (value: unknown, at: string) => {
    if (typeof value === 'string') {
      // `@+3` is a day from now.
      if (value.trim() === '' || /^@[+-]/.test(value)) return;
      const group = /^\/entity\/fields\/\d+\/label$/.test(at) ? '/entity/fields' : at.replace(/\/[^/]*$/, '');
      found.push({ at, text: dayText(value), name: nameOf(spec, at), group });
    } else if (Array.isArray(value)) value.forEach((item, n) => void visit(item, `${at}/${n}`));
    else if (isObject(value))
      for (const [name, member] of Object.entries(value))
        if (!unseen.has(name)) visit(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  };
  visit(spec, '');
  const isField = ({ group }: PlanText) => Number(group === '/entity/fields');
  return found.sort((a, b) => isField(b) - isField(a)).slice(0, maxTexts);
}

/** `@05-12` is a day of any year. */
function dayText(text: string) {
  const [, month, day] = /^@(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (!month || !day) return text;
  const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  return date.toLocaleDateString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
}

/** A place in words; a value of an example goes by its field. */
function nameOf(spec: unknown, at: string) {
  const [, example, key] = /^(\/seed\/\d+)\/([^/]+)$/.exec(at) ?? [];
  const field = listAt(spec, '/entity/fields').find((one) => valueAt(one, '/key') === key);
  return example && field ? `${placeWords(example)}, ${valueAt(field, '/label')}` : placeWords(at);
}

/**
 * The revisions of an app, newest first, with what can be done with each.
 * @param shownId the one that is shown beside
 */
export function historyParts(
  revisions: readonly FactoryJob[],
  shownId: string,
  compared: { number: number; diff: FactoryDiff } | null,
): Html {
  const newest = revisions[0]?.id;
  const shown = revisions.find(({ id }) => id === shownId)?.revision.number;
  const revisionView = (job: FactoryJob) => {
    const { number, base_id: baseId, not_understood: left } = job.revision;
    const before = revisions.find(({ id }) => id === baseId)?.plan?.spec;
    const here = job.id === shownId;
    const done = job.status === 'succeeded';
    const act = (action: string, text: string) =>
      html`<button type="button" class="plain" data-act="${action}" data-number="${number}" data-id="${job.id}" aria-label="${text} revision ${number}">${text}</button>`;
    return html`<li class="revision" ${here && html`aria-current="true"`}>
<p class="revision-name"><strong>${number}</strong> ${changeText(job.revision, before) || 'the first build'} <time datetime="${job.created_at}" class="muted">${timeOf(job.created_at)}</time></p>
${left.length > 0 && leftPart(left, 'revision-left muted')}
<p class="revision-acts">${here && html`<span class="muted">shown</span>`}${!done && html`<span class="muted">${job.status}</span>`}${done && !here && act('show', 'Show')}${done && !here && shown !== undefined && act('compare', 'Compare')}${done && job.id !== newest && act('restore', 'Restore')}</p></li>`;
  };
  return html`<h2 class="hidden">History</h2>
<ol class="revisions" reversed="" aria-label="Revisions, the newest first">${revisions.map(revisionView)}</ol>
${compared !== null && diffView(compared.diff)}`;
}

function diffView({ from, to, spec, files }: FactoryDiff): Html {
  return html`<h3 id="compared" tabindex="-1">From revision ${from?.number ?? 0} to ${to.number}</h3>
${spec.length === 0 ? html`<p>Their plans are the same.</p>` : html`<ul class="changes">${spec.map((change) => html`<li>${changeWords(change)}</li>`)}</ul>`}
<h4>${files.length === 0 ? 'Their files are the same.' : `${counted(files.length, 'file')} changed`}</h4>
${files.map(
  ({ path, status, diff, before_bytes, after_bytes }) => html`<details class="file-change">
<summary class="file-name"><code>${path}</code><span class="muted"> ${status}</span></summary>
${diff === null ? html`<p class="muted">${before_bytes ?? 0} bytes before, ${after_bytes ?? 0} after.</p>` : html`<pre class="diff" tabindex="0" aria-label="Changes of ${path}">${linesOf(diff).map(line)}</pre>`}</details>`,
)}`;
}

/** The parts of an instruction that were not done: those not understood, and those refused, with the reason. */
export function leftPart(parts: readonly string[], className: string, advice = ''): Html {
  return html`<p class="${className}">Not done: ${parts.map((text, n) => html`${n > 0 && ', '}<q>${text}</q>`)}.${advice}</p>`;
}

/** The lines of a unified diff, without those that name the file. */
function linesOf(diff: string) {
  const lines = diff.trimEnd().split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(first, 0));
}

function line(text: string) {
  const sort = { '+': 'added', '-': 'removed', '@': 'place' }[text.charAt(0)] ?? 'same';
  return html`<span data-sort="${sort}">${text}\n</span>`;
}
