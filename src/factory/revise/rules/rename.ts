import { jsonPatched } from '../../../lib/json-patch.ts';
import { type AppSpec, maxSpecBytes } from '../../spec.ts';
import { typeNamed } from '../new-fields.ts';
import { type Place, placeAt, placeOf, titleOf, withAt } from '../places.ts';
import {
  bare,
  done,
  isName,
  isOne,
  isPointed,
  label,
  type Outcome,
  type Pointed,
  type Rule,
  refuse,
  unquoted,
  type Words,
} from '../words.ts';
import { withField } from './fields.ts';

const withoutEnd = (text: string) => unquoted(text.replace(/[\s.!]+$/u, ''));

/** Whether a text is what a field may be or how a text may look, and so no name: “dropdown”, “optional”, “bigger”. */
export function isLook(words: Words, text: string): boolean {
  // Where nouns are written small, a capital makes it a name.
  if (/^["“„«]/u.test(text) || (words.lang !== 'de' && /^\p{Lu}/u.test(text))) return false;
  const plain = bare(words, withoutEnd(text));
  const { required, optional, looks } = words.file.words;
  const parts = plain.split(/\s+/u);
  return (
    typeNamed(words, plain) !== null ||
    isOne(required, plain) ||
    isOne(optional, plain) ||
    (parts.length < 3 && isOne(looks, parts.at(-1) ?? ''))
  );
}

/** What the app is called; where its name or title is said to be something, that may be meant of a field. */
export const name: Rule = (spec, { called, name = called ?? '' }, words) => {
  const text = withoutEnd(name);
  const [first = ''] = text.split(/\s+/u);
  // “Nenne es nicht Zap” denies a name; with a capital or quoted, “Not a list” is one.
  const isDenied = /^\p{Ll}/u.test(name) && isOne(words.file.words['not'], first);
  if (isDenied || (called !== undefined && isLook(words, called))) return null;
  if (words.pointed && text !== '') return renamedThere(spec, words.pointed, text, words);
  const plain =
    text !== '' && text.length <= 60 && !isOne(words.file.words['it'], text) && isName(words, name);
  return plain ? done(words, { ...spec, name: text }, 'name', { value: text }) : null;
};

/** Another text for the one that the instruction is about. */
function renamedThere(spec: AppSpec, { at, text: old }: Pointed, fresh: string, words: Words): Outcome {
  const place = placeAt(spec, at);
  const next = place
    ? renamed(spec, place, fresh)
    : (jsonPatched(spec, [{ op: 'replace', path: at, value: fresh }], 2 * maxSpecBytes) as AppSpec);
  return next && done(words, next, 'renamed', { what: old, value: fresh });
}

/** The line below the name. */
export const tagline: Rule = (spec, { text = '' }, words) => {
  const line = unquoted(text);
  return line.length <= 160 && isName(words, text)
    ? done(words, { ...spec, tagline: line }, 'tagline', { value: line })
    : null;
};

/** Another name for something that has one; for “it” or the app's own name that of the app. */
export const rename: Rule = (spec, { old = '', text: said, new: fresh = '' }, words) => {
  // “Make it say Hello!” is about a text that was pointed at, and keeps its mark.
  if (said !== undefined)
    return words.pointed && isPointed(words, old)
      ? renamedThere(spec, words.pointed, unquoted(said), words)
      : null;
  if (isPointed(words, old)) return name(spec, { name: fresh }, words);
  const place = placeOf(spec, words, old);
  if (place) {
    if (!isName(words, fresh)) return null;
    const text = label(fresh.replace(/[\s.!]+$/u, ''));
    const next = text && renamed(spec, place, text);
    return next ? done(words, next, 'renamed', { what: titleOf(spec, place), value: text }) : null;
  }
  const own = isOne(words.file.words['it'], bare(words, old)) || bare(words, old) === spec.name;
  return own ? name(spec, { name: fresh }, words) : refuse(words, 'unknown', bare(words, old));
};

/** The spec with another name for one of its places. Values of entries keep to their field and option. */
export function renamed(spec: AppSpec, place: Place, text: string): AppSpec | null {
  const { entity, grid } = spec;
  switch (place.what) {
    case 'field':
      return entity && withField(spec, entity, place.index, { label: text });
    case 'option':
      return withOption(spec, place.field.key, place.option, text);
    case 'section':
      return { ...spec, sections: withAt(spec.sections, place.index, { ...place.section, title: text }) };
    case 'item': {
      const section = spec.sections[place.section];
      const items = section && withAt(section.items, place.index, { ...place.item, title: text });
      return section && items
        ? { ...spec, sections: withAt(spec.sections, place.section, { ...section, items }) }
        : null;
    }
    case 'question': {
      const questions = spec.questions.map((one, at) =>
        at === place.index ? { ...one, prompt: text } : one,
      );
      return { ...spec, questions };
    }
    case 'choice':
      return { ...spec, choices: withAt(spec.choices, place.index, text) };
    case 'mark': {
      const marks = grid?.marks.map((mark, at) => (at === place.index ? { ...mark, label: text } : mark));
      return grid && marks ? { ...spec, grid: { ...grid, marks } } : null;
    }
    case 'row':
      return grid && { ...spec, grid: { ...grid, rows: withAt(grid.rows, place.index, text) } };
    case 'input':
    case 'result':
      return withFormulaLabel(spec, place, text);
  }
}

function withOption(spec: AppSpec, key: string, old: string, fresh: string): AppSpec | null {
  const { entity } = spec;
  if (!entity) return null;
  const fields = entity.fields.map((field) =>
    field.key === key
      ? { ...field, options: field.options?.map((option) => (option === old ? fresh : option)) ?? [] }
      : field,
  );
  const seed = spec.seed.map((row) => (row[key] === old ? { ...row, [key]: fresh } : row));
  return { ...spec, entity: { ...entity, fields }, seed };
}

function withFormulaLabel(
  spec: AppSpec,
  { what, index }: Place & { index: number },
  text: string,
): AppSpec | null {
  const { formula } = spec;
  if (!formula) return null;
  const relabel = <T extends { readonly label: string }>(list: readonly T[]) =>
    list.map((one, at) => (at === index ? { ...one, label: text } : one));
  return {
    ...spec,
    formula:
      what === 'input'
        ? { ...formula, inputs: relabel(formula.inputs) }
        : { ...formula, results: relabel(formula.results) },
  };
}
