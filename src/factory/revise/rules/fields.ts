import type { AppSpec, Entity, Field } from '../../spec.ts';
import { freeKey, type NewField, optionsFor, optionsIn } from '../new-fields.ts';
import { folded } from '../pattern.ts';
import { placeOf, withAt, withEntity } from '../places.ts';
import { bare, done, isOne, type Outcome, type Rule, refuse, type Words, wordFor } from '../words.ts';

const same = (a: string, b: string) => folded(a) === folded(b);

/** The spec with further fields at the end. Those that are there already are left as they are. */
export function addFields(spec: AppSpec, entity: Entity, wanted: readonly NewField[], words: Words): Outcome {
  const fresh = wanted.filter((field) => !entity.fields.some(({ label }) => same(label, field.label)));
  const [only] = wanted;
  const index = entity.fields.findIndex(({ label }) => only && same(label, only.label));
  // “Add a status with todo and done”, where there is a status, is about what can be chosen.
  if (only?.options && wanted.length === 1 && index >= 0 && fromPrompt(only, words))
    return setOptions(spec, { field: only.label, options: only.options.join(', ') }, words);
  if (fresh.length === 0) return refuse(words, 'there', wanted.map(({ label }) => label).join(', '));
  const added: Field[] = [];
  for (const field of fresh) added.push({ key: freeKey(spec, added), ...field });
  const next = withEntity(spec, { ...entity, fields: [...entity.fields, ...added] });
  return done(words, withDue(next, words, added), 'added', {
    what: added.map(({ label }) => label).join(', '),
  });
}

/** The options are what somebody said, not those that such a field has anyway. */
const fromPrompt = ({ label, options }: NewField, words: Words) => options !== optionsFor(words, label);

/** A date that is to be kept is watched. */
function withDue(spec: AppSpec, words: Words, added: readonly Field[]): AppSpec {
  const due = added.some(({ type, label }) => type === 'date' && isOne(words.file.words['due'], label));
  const watched = spec.kind === 'tracker' && due && !spec.features.includes('due');
  return watched ? { ...spec, features: [...spec.features, 'due'] } : spec;
}

/** The spec with one field changed. */
export function withField(spec: AppSpec, entity: Entity, index: number, change: Partial<Field>): AppSpec {
  const old = entity.fields[index];
  if (!old) return spec;
  const { options, ...rest } = { ...old, ...change };
  const field: Field = rest.type === 'select' && options ? { ...rest, options } : rest;
  return withEntity(spec, { ...entity, fields: withAt(entity.fields, index, field) });
}

const demand =
  (required: boolean): Rule =>
  (spec, { field = '' }, words) => {
    const place = placeOf(spec, words, field, 'field');
    if (place?.what !== 'field' || !spec.entity)
      return refuse(words, spec.entity ? 'unknown' : 'noFields', field);
    const isSo = Boolean(place.field.required) === required;
    const next = isSo ? spec : withField(spec, spec.entity, place.index, { required });
    return done(words, next, required ? 'required' : 'optional', { what: place.field.label });
  };

/** An entry must have the field. */
export const required = demand(true);
/** An entry may do without the field. */
export const optional = demand(false);

/** Nobody adds the numbers of the field up. */
export const noTotal: Rule = (spec, { field = '' }, words) => {
  const place = placeOf(spec, words, field, 'field');
  if (place?.what !== 'field' || !spec.entity)
    return refuse(words, spec.entity ? 'unknown' : 'noFields', field);
  if (place.field.type !== 'number' && place.field.type !== 'currency') return refuse(words, 'noNumbers');
  const next = withField(spec, spec.entity, place.index, { total: 'none' });
  return done(words, next, 'removed', { what: wordFor(words.file.features, 'totals') });
};

/** What can be chosen in a field; without one the columns of a board or the first field with a choice. */
export const setOptions: Rule = (spec, { field, options = '' }, words) => {
  const { entity } = spec;
  if (!entity) return refuse(words, 'noFields');
  const list = optionsIn(words, options);
  const place = field === undefined ? firstChoice(entity) : placeOf(spec, words, field, 'field');
  if (place?.what !== 'field') return refuse(words, 'unknown', field ?? '');
  if (list.length < 2) return null;
  const next = withField(spec, entity, place.index, { type: 'select', options: list });
  return done(words, next, 'options', { what: place.field.label, value: list.join(', ') });
};

/** More to choose from in a field. */
export const addOption: Rule = (spec, { field, options = '' }, words) => {
  const { entity } = spec;
  if (!entity) return refuse(words, 'noFields');
  const place = field === undefined ? firstChoice(entity) : placeOf(spec, words, field, 'field');
  if (place?.what !== 'field') return refuse(words, 'unknown', bare(words, field ?? ''));
  const old = place.field.options ?? [];
  if (place.field.type !== 'select') return refuse(words, 'type', place.field.label);
  const fresh = optionsIn(words, options).filter((option) => !old.some((other) => same(other, option)));
  if (fresh.length === 0) return refuse(words, 'there', options);
  const next = withField(spec, entity, place.index, { options: [...old, ...fresh] });
  return done(words, next, 'options', { what: place.field.label, value: [...old, ...fresh].join(', ') });
};

/** A further column: of a board one more choice, of any other app a field, which `add` knows. */
export const addColumn: Rule = (spec, taken, words) =>
  spec.kind === 'board' ? addOption(spec, taken, words) : null;

function firstChoice({ fields }: Entity) {
  const index = fields.findIndex(({ type }) => type === 'select');
  const field = fields[index];
  return field ? ({ what: 'field', field, index } as const) : null;
}
