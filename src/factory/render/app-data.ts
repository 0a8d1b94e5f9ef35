import { createHash } from 'node:crypto';
import { isDueDate } from '../due-date.ts';
import type { AppSpec, TemplateName } from '../spec.ts';

type Data = Readonly<Record<string, unknown>>;

/** What the page is told about the app: only what its family uses, so that the page's data can be read by a person. */
export function appData(spec: AppSpec): Data {
  const { name, tagline, lang, currency, variant, kind } = spec;
  return { id: appId(spec), name, tagline, lang, currency, kind, variant, ...(parts[kind]?.(spec) ?? {}) };
}

const titles = (spec: AppSpec) => (spec.sections[0]?.items ?? []).map((item) => item.title);
const site = ({ sections, contact, hours, copy }: AppSpec): Data => ({ copy, sections, hours, contact });
const entries = ({ entity, seed, features }: AppSpec): Data => ({ features, entity, seed });

const parts: Partial<Record<TemplateName, (spec: AppSpec) => Data>> = {
  tracker: (spec) => ({
    ...entries(spec),
    sort: firstOrder(spec),
    done: fieldOfType(spec, 'checkbox'),
    due: dueField(spec),
  }),
  habits: (spec) => ({ habits: titles(spec) }),
  board: (spec) => ({ ...entries(spec), column: fieldOfType(spec, 'select') }),
  dashboard: entries,
  quiz: ({ questions }) => ({ questions }),
  flashcards: ({ questions }) => ({ questions: questions.map(({ prompt, answer }) => ({ prompt, answer })) }),
  calculator: (spec) => ({
    settings: spec.settings,
    ...(spec.variant === 'quote' ? { lines: titles(spec) } : {}),
  }),
  converter: ({ copy }) => ({ from: copy['from'] ?? '', to: copy['to'] ?? '' }),
  timer: ({ settings }) => ({ settings }),
  landing: site,
  portfolio: site,
  docs: ({ sections, copy }) => ({ copy, sections }),
  game: ({ settings }) => ({ settings }),
  form: (spec) => ({ copy: spec.copy, ...entries(spec) }),
  notes: (spec) => ({
    notes: (spec.sections[0]?.items ?? []).map(({ title, text }) => ({ title, text: text ?? '' })),
  }),
  event: site,
};

/** Dates to keep come soonest first; dates of what has been come latest first. */
function firstOrder(spec: AppSpec): Data {
  const date = dueField(spec) ?? fieldOfType(spec, 'date');
  return date ? { key: date, down: !spec.features.includes('due') } : { key: '', down: false };
}

/** The date to keep: of two dates the one that says so, “Next check” and not “Last check”. */
function dueField({ features, entity }: AppSpec): string | null {
  if (!features.includes('due')) return null;
  const dates = entity?.fields.filter((field) => field.type === 'date') ?? [];
  return (dates.find(({ label }) => isDueDate(label)) ?? dates[0])?.key ?? null;
}

function fieldOfType(spec: AppSpec, type: string): string | null {
  return spec.entity?.fields.find((field) => field.type === type)?.key ?? null;
}

/** Names the stored entries and the downloads. Different apps must not share them, even from one folder. */
function appId(spec: AppSpec): string {
  const hash = createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 8);
  return `${slug(spec.name)}-${hash}`;
}

/** A name as part of a file name: plain letters, digits and hyphens. */
export function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return plain || 'app';
}
