import { isDeepStrictEqual } from 'node:util';
import { kindOfApp, offersOf, settingsFor } from '../catalogue.ts';
import { factoryKinds } from '../read/kinds.ts';
import { languageData, readLangs } from '../read/language-data.ts';
import { ofLanguage } from '../read/whole-spec.ts';
import { type AppSpec, type Entity, type Field, type TemplateName, variants } from '../spec.ts';

import { freeKey } from './new-fields.ts';
import type { Words } from './words.ts';

/**
 * The spec as one of another kind or variant, or null where the kind has no such variant. What both can hold it keeps;
 * what the kind cannot do without is added.
 */
export function asKind(
  spec: AppSpec,
  kind: TemplateName,
  asked: string | undefined,
  words: Words,
): AppSpec | null {
  const allowed = variants[kind] ?? [''];
  const variant = asked ?? (kind === spec.kind ? spec.variant : allowed[0]);
  if (variant === undefined || !allowed.includes(variant)) return null;
  const entity = entityFor(spec, kind, variant, words);
  if (kind === spec.kind && variant === spec.variant) return { ...spec, entity };
  const app = kindOfApp(kind, variant);
  const offered: readonly string[] = offersOf(kind, variant);
  return {
    ...spec,
    kind,
    variant,
    // What the kind does not keep, no spec of it may have.
    ...(app.uses.includes('entity') ? { entity } : { entity: null, seed: [] }),
    settings: settingsFor(app, {}),
    copy: Object.fromEntries(Object.entries(spec.copy).filter(([name]) => Object.hasOwn(app.copy, name))),
    features: spec.features.filter((feature) => offered.includes(feature)),
    ...beginnings({ ...spec, kind, variant }, words),
  };
}

function entityFor(spec: AppSpec, kind: TemplateName, variant: string, words: Words): Entity | null {
  if (!kindOfApp(kind).needs.includes('entity')) return spec.entity;
  const { entry, entries, title, amount, answer, yes, no } = words.file.defaults;
  const entity = spec.entity ?? {
    singular: entry,
    plural: entries,
    fields: [{ key: 'f0', label: title, type: 'text', required: true }],
  };
  const has = (...types: Field['type'][]) => entity.fields.some(({ type }) => types.includes(type));
  const status = words.file.options['status'];
  if (kind === 'board' && !has('select') && status)
    return withNew(spec, entity, { label: status.nouns[0] ?? '', type: 'select', options: status.options });
  if (kind === 'form' && variant === 'poll' && !has('select'))
    return withNew(spec, entity, { label: answer, type: 'select', options: [yes, no] });
  if (kind === 'dashboard' && !has('number', 'currency'))
    return withNew(spec, entity, { label: amount, type: 'number' });
  return entity;
}

function withNew(spec: AppSpec, entity: Entity, field: Omit<Field, 'key'>): Entity {
  const label = field.label.charAt(0).toLocaleUpperCase() + field.label.slice(1);
  return { ...entity, fields: [...entity.fields, { ...field, key: freeKey(spec, entity.fields), label }] };
}

/** What a kind is made of and the spec has none of yet: something to begin with, which later commands change. */
export function beginnings(
  { kind, variant, grid, formula }: Pick<AppSpec, 'kind' | 'variant' | 'grid' | 'formula'>,
  words: Words,
): Partial<AppSpec> {
  const { uses } = kindOfApp(kind, variant);
  const { amount, answer } = words.file.defaults;
  const first = {
    inputs: [{ key: 'amount', label: amount }],
    results: [{ key: 'result', label: answer, expression: 'amount' }],
  };
  return {
    ...(uses.includes('grid') && !grid && { grid: { rows: [], marks: [] } }),
    ...(uses.includes('formula') && !formula && { formula: first }),
  };
}

/** What is supposed of parts that nobody named. */
const ofParts = ['usual', 'general', 'supposed', 'supposedRows', 'supposedMarks'];

/** The spec that a change led to, without the assumptions about what the change gives: the colour, the fields. */
export function withoutGiven(before: AppSpec, next: AppSpec): AppSpec {
  const differs = (...names: (keyof AppSpec)[]) =>
    names.some((name) => !isDeepStrictEqual(before[name], next[name]));
  const isGiven = (text: string) =>
    readLangs.some((lang) => {
      const { colour, currency } = languageData(lang).messages;
      const supposed = (factoryKinds.content(before.kind, lang) ?? {}) as Readonly<Record<string, unknown>>;
      return (
        (text === colour && before.palette.accent !== next.palette.accent) ||
        (text === currency.replace('{value}', before.currency) && differs('currency')) ||
        (text === ofLanguage({ code: before.lang, text: '' }, lang) && differs('lang')) ||
        (ofParts.some((name) => supposed[name] === text) && differs('entity', 'sections', 'choices', 'grid'))
      );
    });
  const assumptions = next.assumptions.filter((text) => !isGiven(text));
  return assumptions.length < next.assumptions.length ? { ...next, assumptions } : next;
}
