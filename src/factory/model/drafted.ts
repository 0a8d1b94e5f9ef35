import { copyFor, kindOfApp, settingsFor, usualPalette, variantsOf } from '../catalogue.ts';
import { iconFor } from '../icons/icon-for.ts';
import { isIcon } from '../icons/icon-set.ts';
import { keyed } from '../plan/sent-spec.ts';
import {
  type AppSpec,
  type Contact,
  emptySpec,
  type Field,
  type SeedRow,
  type TemplateName,
  templateNames,
} from '../spec.ts';

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
  const { variant, ...said } = spec;
  return {
    ...rest,
    currency: draft?.currency ?? emptySpec.currency,
    ...said,
    // Empty where none fits.
    variant: variant || kind === undefined ? variant : usualVariant(kind, draft),
    icon: iconOf(spec['icon']),
    palette: paletteOf(spec['palette'], kind, draft),
    entity: entityOf(spec['entity']),
  };
}

/** The picture of this name, or of what its name says: there are fewer than Lucide has. */
function iconOf(name: unknown): string {
  if (typeof name !== 'string') return '';
  return isIcon(name) ? name : iconFor(name.replaceAll('-', ' '), 'en');
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

/**
 * A model's spec made fit for the templates: what they need and it leaves out is taken from the spec by rules of the same
 * template, and values that do not suit their field are left out.
 */
export function completedSpec(spec: AppSpec, byRules: AppSpec): AppSpec {
  const or = <T>(list: readonly T[], others: readonly T[]) => (list.length > 0 ? list : others);
  const questions = spec.questions.filter(({ wrong }) => spec.kind !== 'quiz' || wrong.length > 0);
  const fits = hasWhatItNeeds(spec);
  const { entity, seed } = fits || spec.kind === 'form' ? spec : byRules;
  // A poll asks to choose from a list; without one it is a form.
  const variant = !fits && spec.kind === 'form' ? 'form' : spec.variant;
  const kind = kindOfApp(spec.kind, variant);
  return {
    ...spec,
    variant,
    entity,
    sections: or(spec.sections, byRules.sections),
    questions: or(questions, byRules.questions),
    // What the app reckons with has bounds.
    settings: settingsFor(kind, { ...byRules.settings, ...spec.settings }),
    copy: { ...copyFor(kind, byRules.copy), ...fitting(kind, spec.copy) },
    seed: seed.map((row) => suitable(row, entity?.fields ?? [])),
  };
}

/** The texts that the app can show as they are. */
function fitting(kind: Parameters<typeof copyFor>[0], copy: AppSpec['copy']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(copy).filter(([name, text]) => copyFor(kind, { [name]: text })[name] === text),
  );
}

/** The columns of a board, the choices of a poll, the figures of a dashboard. */
function hasWhatItNeeds({ kind, variant, entity }: AppSpec): boolean {
  const types = new Set(entity?.fields.map(({ type }) => type));
  if (kind === 'board' || (kind === 'form' && variant === 'poll')) return types.has('select');
  return kind !== 'dashboard' || types.has('number') || types.has('currency');
}

function suitable(row: SeedRow, fields: readonly Field[]): SeedRow {
  return Object.fromEntries(
    Object.entries(row).filter(([key, value]) => {
      const field = fields.find((entry) => entry.key === key);
      return field !== undefined && suits(field, value);
    }),
  );
}

function suits({ type, options }: Field, value: string | number | boolean): boolean {
  if (type === 'number' || type === 'currency') return typeof value === 'number';
  if (type === 'rating') return typeof value === 'number' && value >= 0 && value <= 5;
  if (type === 'checkbox') return typeof value === 'boolean';
  if (typeof value !== 'string') return false;
  if (type === 'date') return /^(?:@[+-]\d{1,4}|\d{4}-\d{2}-\d{2})$/.test(value);
  if (type === 'time') return /^\d{2}:\d{2}$/.test(value);
  return type !== 'select' || (options ?? []).includes(value);
}
