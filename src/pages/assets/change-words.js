import { isObject, namesOf, patchBetween, pointerOf, valueAt } from './json-pointer.js';
import { labelOf, valueName } from './plan-labels.js';

/**
 * A difference between two plans; null stands for what is not there.
 * @typedef {{ path: string, before?: unknown, after?: unknown }} PlanChange
 */

/** Members whose values are names of ours. */
const named = /(?:^|[./])(?:type|kind|variant|lang|mode|look|total|features\[\d+\]|features\/\d+)$/;
/** Longer values are cut. */
const maxLength = 80;

/**
 * A difference of two plans in words.
 * @param {PlanChange} change
 * @returns {string}
 */
export function changeWords({ path, before, after }) {
  const place = placeWords(path);
  const words = (/** @type {unknown} */ value) =>
    typeof value === 'string' && named.test(path) ? valueName(value) : valueWords(value);
  if (isNothing(before)) return `${place} added: ${words(after)}`;
  if (isNothing(after)) return `${place} removed: ${words(before)}`;
  return `${place}: ${words(before)} → ${words(after)}`;
}

/**
 * The names on the way to a place: `entity.fields[2].type` is “Field 3, type”.
 * @param {string} path
 */
export function placeWords(path) {
  const names = namesOf(pointerOf(path));
  /** @type {string[]} */
  const words = [];
  names.forEach((name, n) => {
    const here = `/${names.slice(0, n + 1).join('/')}`;
    if (/^\d+$/.test(name)) {
      const list = labelOf(`/${names.slice(0, n).join('/')}`);
      words.splice(-1, 1, `${list.one ?? list.name} ${Number(name) + 1}`);
    } else words.push(labelOf(here).name);
  });
  // What a field is part of goes without saying.
  const told = names[0] === 'entity' && words.length > 1 ? words.slice(1) : words;
  const text = told
    .map((word, n) => (n === 0 ? word : word.charAt(0).toLowerCase() + word.slice(1)))
    .join(', ');
  return text === '' ? 'The plan' : text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {unknown} value */
function isNothing(value) {
  return value === null || value === undefined;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function valueWords(value) {
  if (isNothing(value) || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : cut(value.map(valueWords).join(', '));
  if (isObject(value)) {
    const title = value['label'] ?? value['title'] ?? value['prompt'] ?? value['days'];
    return cut(title === undefined ? Object.values(value).map(valueWords).join(', ') : `“${title}”`);
  }
  return typeof value === 'string' ? cut(`“${value}”`) : String(value);
}

/** @param {string} text */
function cut(text) {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

/**
 * Where two plans differ, in a sentence.
 * @param {Readonly<Record<string, unknown>>} before
 * @param {Readonly<Record<string, unknown>>} after
 */
export function changedWords(before, after) {
  const patch = patchBetween(before, after);
  const names = isObject(patch) ? Object.keys(patch) : [];
  return names.length === 0
    ? ''
    : `Changed: ${names.map((name) => placeWords(`/${name}`).toLowerCase()).join(', ')}.`;
}

/**
 * What was changed in a revision, in a few words; empty for a first build. A pointer in front of an instruction is said as
 * the text that was there, or where that is not known in words: “Genre: make it required”.
 * @param {{ type: string, instruction?: string | null, restored?: number | null }} change
 * @param {unknown} [before] the plan that was changed
 */
export function changeText({ type, instruction = null, restored = null }, before) {
  if (instruction !== null) {
    const [, at = '', words = ''] = /^at (\/\S+): *(.*)$/is.exec(instruction) ?? [];
    if (at === '') return `“${instruction}”`;
    const text = valueAt(before, at);
    return `“${typeof text === 'string' && text !== '' ? cut(text) : placeWords(at)}: ${words}”`;
  }
  if (type === 'restore') return restored === null ? 'an earlier one again' : `revision ${restored} again`;
  if (type === 'spec' || type === 'patch') return 'changed in the form';
  return type === 'instruction' ? 'an instruction' : '';
}
