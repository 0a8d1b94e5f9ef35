import { kindOfApp, settingsFor } from '../catalogue.ts';
import type { AppSpec, Entity, Field, TemplateName } from '../spec.ts';
import { variants } from '../spec.ts';
import { freeKey } from './new-fields.ts';
import type { Words } from './words.ts';

/**
 * The spec as one of another kind or variant, or null where the kind has no such variant. What it kept it keeps; what
 * the kind cannot do without is added.
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
  const entity = entityFor(spec, kind, words);
  const keeps = kind === spec.kind && variant === spec.variant;
  const settings = keeps ? spec.settings : settingsFor(kindOfApp(kind, variant), {});
  return { ...spec, kind, variant, entity, settings };
}

function entityFor(spec: AppSpec, kind: TemplateName, words: Words): Entity | null {
  if (!kindOfApp(kind).needs.includes('entity')) return spec.entity;
  const { entry, entries, title, amount } = words.file.defaults;
  const entity = spec.entity ?? {
    singular: entry,
    plural: entries,
    fields: [{ key: 'f0', label: title, type: 'text', required: true }],
  };
  const has = (...types: Field['type'][]) => entity.fields.some(({ type }) => types.includes(type));
  const status = words.file.options['status'];
  if (kind === 'board' && !has('select') && status)
    return withNew(spec, entity, { label: status.nouns[0] ?? '', type: 'select', options: status.options });
  if (kind === 'dashboard' && !has('number', 'currency'))
    return withNew(spec, entity, { label: amount, type: 'number' });
  return entity;
}

function withNew(spec: AppSpec, entity: Entity, field: Omit<Field, 'key'>): Entity {
  const label = field.label.charAt(0).toLocaleUpperCase() + field.label.slice(1);
  return { ...entity, fields: [...entity.fields, { ...field, key: freeKey(spec, entity.fields), label }] };
}
