import { copyFor, kindOfApp, settingsFor } from '../catalogue.ts';
import type { AppSpec, Field, SeedRow } from '../spec.ts';

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
