import { jsonPatched } from '../../../lib/json-patch.ts';
import { type AppSpec, type Entity, type Field, maxSpecBytes } from '../../spec.ts';
import { folded } from '../pattern.ts';
import { type Place, placeAt, placeOf, titleOf, withEntity, withoutAt } from '../places.ts';
import {
  bare,
  done,
  isName,
  isPointed,
  meaning,
  type Outcome,
  pieces,
  type Rule,
  refuse,
  type Words,
} from '../words.ts';
import { withField } from './fields.ts';

/** “Drop the chart and the rating”: features, fields, sections, items, options, questions and single facts. */
export const remove: Rule = (spec, { thing = '' }, words) => {
  const named = thing.replace(/[\s.!]+$/u, '');
  if (!isName(words, named)) return null;
  const whole = removeOne(spec, named, words);
  const all = pieces(words, named);
  if (whole === null || 'spec' in whole || all.length < 2) return whole;
  let next = spec;
  const removed: string[] = [];
  for (const piece of all) {
    const outcome = removeOne(next, piece, words);
    if (!outcome || !('spec' in outcome)) return whole;
    next = outcome.spec;
    removed.push(outcome.done);
  }
  return { spec: next, done: removed.join(' ') };
};

/** “Keep the rating”, of what is there, and “do not change anything”: nothing is to be done, and nothing to be said of it. */
export const keep: Rule = (spec, { thing }, words) => {
  if (thing === undefined) return { spec, done: '' };
  const { features, parts } = words.file;
  const isThere = (piece: string) => {
    const text = bare(words, piece);
    return (
      meaning(features, text) !== null ||
      meaning(parts, text) !== null ||
      placeOf(spec, words, piece) !== null
    );
  };
  const all = pieces(words, thing.replace(/[\s.!]+$/u, ''));
  return all.length > 0 && all.every(isThere) ? { spec, done: '' } : null;
};

function removeOne(spec: AppSpec, named: string, words: Words): Outcome {
  const text = bare(words, named);
  const { pointed } = words;
  if (pointed && isPointed(words, named) && !placeAt(spec, pointed.at)) {
    const next = jsonPatched(spec, [{ op: 'replace', path: pointed.at, value: '' }], 2 * maxSpecBytes);
    return done(words, next as AppSpec, 'removed', { what: pointed.text });
  }
  const feature = meaning(words.file.features, text);
  if (feature === 'dark') {
    const palette = { ...spec.palette, mode: 'light' } as const;
    const features = spec.features.filter((one) => one !== 'dark');
    return done(words, { ...spec, palette, features }, 'removed', { what: text });
  }
  if (feature && spec.features.includes(feature)) {
    const features = spec.features.filter((one) => one !== feature);
    return done(words, { ...spec, features }, 'removed', { what: text });
  }
  const part = placeOf(spec, words, named) ? null : meaning(words.file.parts, text);
  const outcome = part === null ? null : withoutPart(spec, part, text, words);
  return outcome ?? withoutPlace(spec, placeOf(spec, words, named), text, words);
}

/** What stands by itself in a spec: tagline, hours, contact, examples, questions. */
function withoutPart(spec: AppSpec, part: string, text: string, words: Words): Outcome {
  const without = (change: Partial<AppSpec>) =>
    done(words, { ...spec, ...change }, 'removed', { what: text });
  switch (part) {
    case 'tagline':
      return without({ tagline: '' });
    case 'hours':
      return without({ hours: [] });
    case 'contact':
      return without({ contact: {} });
    case 'examples':
      return done(words, { ...spec, seed: [] }, 'examples');
    case 'questions':
      return without({ questions: [] });
    case 'email':
    case 'phone':
    case 'address':
    case 'endpoint': {
      const { [part]: old, ...contact } = spec.contact;
      return old ? without({ contact }) : null;
    }
    default:
      return null;
  }
}

/** The spec without something that has a name of its own. */
export function withoutPlace(spec: AppSpec, place: Place | null, named: string, words: Words): Outcome {
  if (!place) return refuse(words, 'unknown', named);
  const next = without(spec, place);
  return next ? done(words, next, 'removed', { what: titleOf(spec, place) }) : refuse(words, 'last');
}

function without(spec: AppSpec, place: Place): AppSpec | null {
  const { entity, grid, formula } = spec;
  switch (place.what) {
    case 'field':
      return entity && withoutField(spec, entity, place.index);
    case 'option':
      return entity && withoutOption(spec, entity, place.field, place.option);
    case 'section':
      return { ...spec, sections: withoutAt(spec.sections, place.index) };
    case 'item': {
      const sections = spec.sections.map((section, at) =>
        at === place.section ? { ...section, items: withoutAt(section.items, place.index) } : section,
      );
      return { ...spec, sections };
    }
    case 'question':
      return { ...spec, questions: withoutAt(spec.questions, place.index) };
    case 'choice':
      return { ...spec, choices: withoutAt(spec.choices, place.index) };
    case 'mark':
      return grid && { ...spec, grid: { ...grid, marks: withoutAt(grid.marks, place.index) } };
    case 'row':
      return grid && { ...spec, grid: { ...grid, rows: withoutAt(grid.rows, place.index) } };
    case 'input':
      return formula && { ...spec, formula: { ...formula, inputs: withoutAt(formula.inputs, place.index) } };
    case 'result':
      return (
        formula && { ...spec, formula: { ...formula, results: withoutAt(formula.results, place.index) } }
      );
  }
}

function withoutField(spec: AppSpec, entity: Entity, index: number): AppSpec | null {
  const fields = withoutAt(entity.fields, index);
  return fields.length > 0 ? withEntity(spec, { ...entity, fields }) : null;
}

function withoutOption(spec: AppSpec, entity: Entity, field: Field, option: string): AppSpec | null {
  const index = entity.fields.findIndex(({ key }) => key === field.key);
  const options = field.options?.filter((other) => other !== option) ?? [];
  return options.length > 0 ? withField(spec, entity, index, { options }) : null;
}

/** “Remove urgent from the status”: an option of a field, an item of a section. */
export const removeFrom: Rule = (spec, { thing = '', place = '' }, words) => {
  const of = placeOf(spec, words, place);
  if (of?.what === 'field') {
    const option = of.field.options?.find((one) => folded(one) === folded(bare(words, thing)));
    if (!option) return refuse(words, 'unknown', thing);
    return withoutPlace(spec, { what: 'option', field: of.field, option }, thing, words);
  }
  if (of?.what !== 'section') return null;
  const item = placeOf(spec, words, thing, 'item');
  return item?.what === 'item' && item.section === of.index ? withoutPlace(spec, item, thing, words) : null;
};
