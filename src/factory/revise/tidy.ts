import type { AppSpec, Entity, Field, SeedRow } from '../spec.ts';

/** A spec with another entity: its entries fit the new fields, and it has no feature left that nothing is there for. */
export function withEntity(spec: AppSpec, entity: Entity): AppSpec {
  const seed = spec.seed
    .map((row) => fitting(row, entity.fields))
    .filter((row) => Object.keys(row).length > 0);
  const types = new Set(entity.fields.map(({ type }) => type));
  const counted = types.has('number') || types.has('currency');
  const features = spec.features.filter(
    (feature) => !(feature === 'due' && !types.has('date')) && !(feature === 'totals' && !counted),
  );
  return { ...spec, entity, seed, features };
}

function fitting(row: SeedRow, fields: readonly Field[]): SeedRow {
  const kept: Record<string, string | number | boolean> = {};
  for (const field of fields) {
    const value = row[field.key];
    const fit = value === undefined ? null : valueFor(field, value);
    if (fit !== null) kept[field.key] = fit;
  }
  return kept;
}

/** A value as a field holds it, or null where it cannot hold it. */
export function valueFor(field: Field, value: string | number | boolean): string | number | boolean | null {
  switch (field.type) {
    case 'number':
    case 'currency':
    case 'rating': {
      const number = typeof value === 'string' ? Number(value.replace(',', '.')) : Number(value);
      return typeof value !== 'boolean' && value !== '' && Number.isFinite(number) ? number : null;
    }
    case 'checkbox':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' && /^(?:@[+-]?\d+|\d{4}-\d{2}-\d{2})$/.test(value) ? value : null;
    case 'time':
      return typeof value === 'string' && /^\d{1,2}:\d{2}$/.test(value) ? value : null;
    case 'select':
      return field.options?.find((option) => option === String(value)) ?? null;
    default:
      return typeof value === 'boolean' ? null : String(value).slice(0, 300);
  }
}
