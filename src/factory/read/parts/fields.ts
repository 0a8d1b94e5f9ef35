import { type Entity, type Feature, type Field, isDueDate } from '../../spec.ts';
import { onceBy } from './naming.ts';

/** A field that has no key yet. */
export type PlannedField = Pick<Field, 'label' | 'type'> & {
  readonly [Member in 'required' | 'options' | 'total']?: Field[Member] | undefined;
};

/** What an app keeps: fields with keys in order, each label once, the first one required where it is a text. */
export const entityOf = (singular: string, plural: string, fields: readonly PlannedField[]): Entity => ({
  singular: singular.slice(0, 60),
  plural: plural.slice(0, 60),
  fields: onceBy(fields, ({ label }) => label.toLowerCase())
    .slice(0, 24)
    .map(withKey),
});

function withKey({ label, type, required, options, total }: PlannedField, index: number): Field {
  const choices = [...new Set(options ?? [])].slice(0, 16).map((option) => option.slice(0, 60));
  // A choice of nothing cannot be made.
  const sort = type === 'select' && choices.length === 0 ? 'text' : type;
  return {
    key: `f${index}`,
    label: label.slice(0, 60),
    type: sort,
    ...((required ?? (index === 0 && sort === 'text')) ? { required: true } : {}),
    ...(sort === 'select' ? { options: choices } : {}),
    ...(total ? { total } : {}),
  };
}

/** What an app can do with fields like these, of what its kind offers. */
export function featuresFor({ fields }: Entity, offered: readonly Feature[]): Feature[] {
  const types = new Set(fields.map(({ type }) => type));
  const chosen = types.has('select') || types.has('checkbox');
  const summed = fields.some(
    ({ type, total }) => (type === 'currency' || type === 'number') && total !== 'none',
  );
  const measured = fields[0]?.type === 'date' && (types.has('number') || types.has('currency'));
  const needs: Partial<Record<Feature, boolean>> = {
    filter: chosen,
    totals: summed,
    chart: measured || (types.has('select') && summed),
    due: fields.some(({ type, label }) => type === 'date' && isDueDate(label)),
  };
  return offered.filter((feature) => needs[feature] ?? true);
}
