import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { appSpecSchema, features, fieldTypes, langs, templateNames } from '../../generated/app-spec.gen.ts';
import type {
  AppEntity,
  AppFeature,
  AppField,
  AppLanguage,
  AppPalette,
  AppSection,
  AppSectionItem,
  AppSeedRow,
  AppValueType,
  AppSpec as SentSpec,
  TemplateId,
} from '../../generated/types.gen.ts';
import type { SchemaProblem } from '../contract/built.ts';
import { kindOfApp, variantsOf } from './catalogue.ts';

import { formulaProblems } from './formula.ts';
import { isIcon } from './icons/icon-set.ts';

const posting: ReadonlySet<string> = new Set(['signup', 'contact']);

/** Words of a date that is to be kept; every other date is of what has been. */
const toKeep =
  /due|deadline|back by|return by|fällig|frist|rückgabe|vence|límite|échéance|next|nächst|próxim|prochain|renewal/iu;

/** Whether the label of a date says that something is to happen by then. */
export const isDueDate = (label: string): boolean => toKeep.test(label);

export { appSpecSchema, features, fieldTypes, langs, templateNames };

export type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;

/** The kinds of apps, each of which has a template. */
export type TemplateName = TemplateId;
export type Lang = AppLanguage;
export type FieldType = AppValueType;
export type Feature = AppFeature;

/** A field of the thing that the app keeps. `key` is ours (f0, f1, …), never a word of the user. */
export type Field = Frozen<AppField & Required<Pick<AppField, 'key'>>>;
export type Entity = Frozen<Omit<AppEntity, 'fields'>> & { readonly fields: readonly Field[] };
export type SeedRow = Frozen<AppSeedRow>;
export type SectionItem = Frozen<AppSectionItem>;
export type Section = Frozen<AppSection>;
export type Palette = Frozen<Required<AppPalette>>;
export type Question = AppSpec['questions'][number];
export type Contact = AppSpec['contact'];

/**
 * A plan of an app, from which the templates make every file: the contract's `AppSpec` with everything filled in. Stored
 * rows, archives and the JSON that models write have it in this form too.
 */
export type AppSpec = Frozen<Required<Omit<SentSpec, 'palette' | 'entity'>>> & {
  readonly palette: Palette;
  readonly entity: Entity | null;
};

/** Maximum size of a spec in bytes of JSON. */
export const maxSpecBytes = 16_384;

const parts = appSpecSchema.$defs;

/** The contract's schema, but that nothing may be left out that `AppSpec` has. */
const wholeSpecSchema = {
  ...appSpecSchema,
  required: Object.keys(appSpecSchema.properties),
  $defs: {
    ...parts,
    AppPalette: { ...parts.AppPalette, required: Object.keys(parts.AppPalette.properties) },
    AppField: { ...parts.AppField, required: ['key', ...parts.AppField.required] },
  },
};

const settings = { allErrors: true, strict: true, allowUnionTypes: true, keywords: ['x-expected'] };
let whole: ValidateFunction<AppSpec> | undefined;
let sent: ValidateFunction | undefined;

/** What is wrong by the contract's schema, where anything may be left out; empty when it fits. */
export function schemaProblems(candidate: unknown): readonly SchemaProblem[] {
  sent ??= new Ajv2020({ ...settings, verbose: true }).compile(appSpecSchema);
  return sent(candidate) ? [] : ((sent.errors ?? []) as readonly SchemaProblem[]);
}

/** What is wrong with a would-be spec, one line for each problem; empty when it is valid. */
export function specProblems(candidate: unknown): string[] {
  whole ??= new Ajv2020(settings).compile<AppSpec>(wholeSpecSchema);
  if (!whole(candidate)) {
    return (whole.errors ?? []).map(
      (error) => `${error.instancePath || 'spec'} ${error.message ?? 'is wrong'}`,
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(candidate));
  if (bytes > maxSpecBytes) return [`spec has ${bytes} bytes, at most ${maxSpecBytes} are allowed`];
  return [
    ...needsProblems(candidate),
    ...entityProblems(candidate),
    ...variantProblems(candidate),
    ...(candidate.formula ? formulaProblems(candidate.formula) : []).map(
      ({ path, message }) => `${pointer(path)} ${message}`,
    ),
    ...endpointProblems(candidate.contact.endpoint),
    ...iconProblems(candidate),
  ];
}

/** A path such as `formula.inputs[0].key` as a JSON pointer. */
const pointer = (path: string) => `/${path.replaceAll(/[.[]/g, '/').replaceAll(']', '')}`;

function needsProblems(spec: AppSpec): string[] {
  const missing = kindOfApp(spec.kind, spec.variant).needs.filter((member) => spec[member] === null);
  return missing.map((member) => `/${member} is needed by kind ${spec.kind}`);
}

function entityProblems(spec: AppSpec): string[] {
  if (!spec.entity) return [];
  const keys = spec.entity.fields.map((field) => field.key);
  const problems = keys.flatMap((key, index) =>
    keys.indexOf(key) === index ? [] : [`/entity/fields/${index}/key is ${key} a second time`],
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

const iconProblems = ({ icon }: AppSpec): string[] =>
  icon === '' || isIcon(icon) ? [] : [`/icon ${JSON.stringify(icon)} is not the name of a picture`];

/** The variants of the kinds that have several. */
export const variants: Partial<Record<TemplateName, readonly string[]>> = Object.fromEntries(
  templateNames.map((kind) => [kind, variantsOf(kind)] as const).filter(([, names]) => names.length > 0),
);

function variantProblems(spec: AppSpec): string[] {
  const allowed = variants[spec.kind];
  return !allowed || allowed.includes(spec.variant)
    ? []
    : [`/variant of ${spec.kind} must be one of ${allowed.join(', ')}`];
}

/** A whole spec that says nothing: every member as it is before somebody says it. */
export const emptySpec = {
  v: 1,
  kind: 'tracker',
  variant: '',
  name: '',
  tagline: '',
  lang: 'en',
  icon: '',
  palette: { accent: '#2563eb', mode: 'auto', look: 'soft' },
  currency: 'USD',
  entity: null,
  features: [],
  seed: [],
  sections: [],
  questions: [],
  hours: [],
  contact: {},
  formula: null,
  grid: null,
  choices: [],
  settings: {},
  copy: {},
  assumptions: [],
} as const satisfies AppSpec;

interface Owner {
  readonly kind: TemplateId;
  readonly variant: string;
  readonly contact: { readonly endpoint?: string };
}

/**
 * Where the app of a spec may post answers to, as the origin that its page lets through; null for every other app. A
 * host with a sign in it that means something in a policy is none.
 */
export function endpointOrigin({ kind, variant, contact }: Owner): string | null {
  if (kind !== 'form' || !posting.has(variant) || !contact.endpoint) return null;
  return originOf(contact.endpoint);
}

function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { origin } = new URL(address);
  return /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(origin) ? origin : null;
}

/** What is wrong with an address that answers are to be posted to. */
export function endpointProblems(endpoint: string | undefined): string[] {
  return endpoint && originOf(endpoint) === null ? ['/contact/endpoint is no address of a plain host'] : [];
}
