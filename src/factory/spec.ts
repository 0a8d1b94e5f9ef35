import { Ajv2020 } from 'ajv/dist/2020.js';
import { appSpecSchema } from './spec-schema.ts';

/** The templates, each of which is a family of apps. */
export const templateNames = [
  'tracker',
  'habits',
  'board',
  'dashboard',
  'quiz',
  'flashcards',
  'calculator',
  'converter',
  'timer',
  'landing',
  'portfolio',
  'docs',
  'game',
  'form',
  'notes',
  'event',
] as const;
export type TemplateName = (typeof templateNames)[number];

export const langs = ['en', 'de', 'es', 'fr'] as const;
export type Lang = (typeof langs)[number];

const fieldTypes = [
  'text',
  'longtext',
  'number',
  'currency',
  'date',
  'time',
  'select',
  'checkbox',
  'rating',
  'email',
  'phone',
  'url',
] as const;
export type FieldType = (typeof fieldTypes)[number];

export const features = [
  'search',
  'filter',
  'sort',
  'totals',
  'chart',
  'csv',
  'due',
  'undo',
  'print',
  'dark',
] as const;
export type Feature = (typeof features)[number];

/** A field of the thing that the app keeps. `key` is ours (f0, f1, …), never a word of the user. */
export interface Field {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required?: boolean;
  readonly options?: readonly string[];
  /** How the numbers of this field are summed up: a sum unless it says otherwise. */
  readonly total?: 'sum' | 'average' | 'none';
}

export interface Entity {
  readonly singular: string;
  readonly plural: string;
  readonly fields: readonly Field[];
}

/** Values by field key. A date is `@+3`, days from the day on which the app is first opened. */
export type SeedRow = Readonly<Record<string, string | number | boolean>>;

export interface SectionItem {
  readonly title: string;
  readonly text?: string;
  readonly price?: string;
  /** A short note beside the title: a time, a year, a place. */
  readonly meta?: string;
}

const sectionTypes = [
  'text',
  'items',
  'prices',
  'steps',
  'quotes',
  'schedule',
  'timeline',
  'tags',
  'faq',
] as const;

/** A part of a site, a chapter of documentation, a day of an event. */
export interface Section {
  readonly type: (typeof sectionTypes)[number];
  readonly title: string;
  readonly text?: string;
  readonly items: readonly SectionItem[];
}

export interface Question {
  readonly prompt: string;
  readonly answer: string;
  readonly wrong: readonly string[];
}

export interface Contact {
  readonly email?: string;
  readonly phone?: string;
  readonly address?: string;
}

export interface Palette {
  /** The colour asked for; the shades that are shown are computed from it until contrast suffices. */
  readonly accent: string;
  readonly mode: 'auto' | 'light' | 'dark';
  readonly look: 'soft' | 'crisp' | 'editorial';
}

/** A small description of an app, from which the templates make every file. */
export interface AppSpec {
  readonly v: 1;
  /** Its template, under the name that it has in stored rows, in archives and in the JSON that models write. */
  readonly kind: TemplateName;
  /** Which one of its template: a formula, a game, a sort of timer. Empty where a template has only one. */
  readonly variant: string;
  readonly name: string;
  readonly tagline: string;
  readonly lang: Lang;
  readonly palette: Palette;
  readonly currency: string;
  readonly entity: Entity | null;
  readonly features: readonly Feature[];
  readonly seed: readonly SeedRow[];
  readonly sections: readonly Section[];
  readonly questions: readonly Question[];
  readonly hours: readonly { readonly days: string; readonly time: string }[];
  readonly contact: Contact;
  /** Numbers that a template starts with: minutes of a timer, size of a board. */
  readonly settings: Readonly<Record<string, number>>;
  /** Short texts that a template needs: the call to action, the question of a poll. */
  readonly copy: Readonly<Record<string, string>>;
  /** What the planner supposed because the prompt did not say it, in the language of the prompt. */
  readonly assumptions: readonly string[];
}

/** Maximum size of a spec in bytes of JSON. */
export const maxSpecBytes = 8192;

const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile<AppSpec>(
  appSpecSchema,
);

/** What is wrong with a would-be spec, one line for each problem; empty when it is valid. */
export function specProblems(candidate: unknown): string[] {
  if (!validate(candidate)) {
    return (validate.errors ?? []).map(
      (error) => `${error.instancePath || 'spec'} ${error.message ?? 'is wrong'}`,
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(candidate));
  if (bytes > maxSpecBytes) return [`spec has ${bytes} bytes, at most ${maxSpecBytes} are allowed`];
  return [...entityProblems(candidate), ...variantProblems(candidate)];
}

function entityProblems(spec: AppSpec): string[] {
  if (!spec.entity) return needsEntity.has(spec.kind) ? [`/entity is needed by kind ${spec.kind}`] : [];
  const keys = spec.entity.fields.map((field) => field.key);
  const problems = keys.flatMap((key, index) =>
    key === `f${index}` ? [] : [`/entity/fields/${index}/key must be f${index}`],
  );
  for (const [index, row] of spec.seed.entries()) {
    const stray = Object.keys(row).find((key) => !keys.includes(key));
    if (stray !== undefined) problems.push(`/seed/${index} has the unknown field ${stray}`);
  }
  for (const field of spec.entity.fields) {
    if (field.type === 'select' && !field.options?.length)
      problems.push(`/entity: ${field.key} needs options`);
  }
  return problems;
}

const needsEntity: ReadonlySet<TemplateName> = new Set(['tracker', 'board', 'dashboard', 'form']);

/** The variants that have a template. A template that is not here takes any. */
export const variants: Partial<Record<TemplateName, readonly string[]>> = {
  calculator: [
    'basic',
    'tip',
    'bmi',
    'loan',
    'percentage',
    'discount',
    'interest',
    'age',
    'fuel',
    'vat',
    'calories',
    'salary',
    'quote',
  ],
  converter: ['length', 'weight', 'temperature', 'volume', 'speed', 'area', 'data', 'time', 'currency'],
  timer: ['pomodoro', 'stopwatch', 'countdown', 'intervals'],
  game: ['snake', 'tictactoe', 'memory', '2048', 'blocks'],
  form: ['form', 'poll', 'rsvp'],
  notes: ['notes', 'journal'],
  tracker: ['table', 'cards', 'checklist'],
};

function variantProblems(spec: AppSpec): string[] {
  const allowed = variants[spec.kind];
  return !allowed || allowed.includes(spec.variant)
    ? []
    : [`/variant of ${spec.kind} must be one of ${allowed.join(', ')}`];
}
