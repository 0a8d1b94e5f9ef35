import { usualPalette, variantsOf } from '../catalogue.ts';
import { emptySpec } from '../empty-spec.ts';
import { isIcon } from '../icons/icon-set.ts';
import { keyed } from '../plan/sent-spec.ts';
import { type AppSpec, type Contact, type TemplateName, templateNames } from '../spec.ts';

/** What a model has to say itself. */
const { kind: _kind, name: _name, lang: _lang, ...rest } = emptySpec;

/**
 * A would-be spec of a model with what it has left out: what is empty or as usual for its kind needs no second call, nor
 * does a field without a key, a colour in capitals or an unknown picture. It may still be anything.
 * @param draft what the look and the currency are from where it does not say them
 */
export function filledIn(spec: unknown, draft: AppSpec | null): unknown {
  if (!isRecord(spec)) return spec;
  const kind = templateNames.find((name) => name === spec['kind']);
  return {
    ...rest,
    variant: kind === undefined ? '' : usualVariant(kind, draft),
    currency: draft?.currency ?? emptySpec.currency,
    ...spec,
    icon: typeof spec['icon'] === 'string' && isIcon(spec['icon']) ? spec['icon'] : '',
    palette: paletteOf(spec['palette'], kind, draft),
    entity: entityOf(spec['entity']),
  };
}

function usualVariant(kind: TemplateName, draft: AppSpec | null): string {
  if (draft?.kind === kind) return draft.variant;
  return variantsOf(kind)[0] ?? '';
}

function paletteOf(palette: unknown, kind: TemplateName | undefined, draft: AppSpec | null): unknown {
  if (palette !== undefined && !isRecord(palette)) return palette;
  const { accent: _, ...plain } = emptySpec.palette;
  const whole: Record<string, unknown> = {
    ...plain,
    ...(kind && usualPalette(kind)),
    ...draft?.palette,
    ...palette,
  };
  const { accent } = whole;
  return { ...whole, ...(typeof accent === 'string' && { accent: accent.toLowerCase() }) };
}

function entityOf(entity: unknown): unknown {
  if (entity === undefined) return null;
  if (!isRecord(entity) || !Array.isArray(entity['fields'])) return entity;
  const fields: unknown[] = entity['fields'];
  const keysFit = fields.every(
    (field) => isRecord(field) && ['string', 'undefined'].includes(typeof field['key']),
  );
  return keysFit ? { ...entity, fields: keyed(fields as Parameters<typeof keyed>[0]) } : entity;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * A spec without contacts that nobody gave: people would write to them, and what a form takes would be sent there.
 * @param sources what may name them: the request, and specs from before
 */
export function withOwnContacts(spec: AppSpec, sources: readonly string[]): AppSpec {
  const said = bare(sources.join('\n'));
  const kept = Object.entries(spec.contact).filter(([, text]) => said.includes(bare(text)));
  return { ...spec, contact: Object.fromEntries(kept) as Contact };
}

/** Without what people write differently each time: spaces, brackets and strokes of a telephone number, capitals. */
const bare = (text: string) => text.toLowerCase().replace(/[\s()/.,;-]+/g, '');
