import type { ErrorDetail, AppSpec as SpecOnWire } from '../../../generated/types.gen.ts';
import { kindOfApp, variantsOf } from '../catalogue.ts';
import { formulaProblems } from '../formula.ts';
import { isIcon } from '../icons/icon-set.ts';
import {
  type AppSpec,
  emptySpec,
  type Field,
  type Frozen,
  maxSpecBytes,
  type TemplateName,
  templateNames,
  variants,
} from '../spec.ts';

/** A spec as far as somebody says it. */
export type SentSpec = Frozen<SpecOnWire>;

type SentFields = NonNullable<SentSpec['entity']>['fields'];

/** Where the rest of what a spec leaves out comes from. */
export interface SpecSurroundings {
  /** The kind that holds where the spec names none; null where nobody knows before the prompt is read. */
  readonly kind: TemplateName | null;
  /** Whether a prompt fills in what is left out. */
  readonly prompt: boolean;
}

/** As large as what is filled in at the least, so that a spec that passes has room for it. */
const filled = {
  ...emptySpec,
  kind: 'flashcards',
  variant: 'x'.repeat(24),
  name: 'x'.repeat(60),
  palette: { ...emptySpec.palette, mode: 'light', look: 'editorial' },
};

/**
 * What is wrong with a spec that fits the contract's schema but says what the schema cannot forbid; empty when nothing is.
 * Paths begin at the spec.
 */
export function sentSpecProblems(spec: SentSpec, { kind: other, prompt }: SpecSurroundings): ErrorDetail[] {
  const bytes = Buffer.byteLength(JSON.stringify({ ...filled, ...spec }));
  if (bytes > maxSpecBytes) {
    const message = `has ${bytes} bytes of JSON with what is filled in, at most ${maxSpecBytes} are allowed`;
    return [{ path: '', code: 'size', message }];
  }
  const unseen = unseenIn(spec, '');
  if (unseen.length > 0) return unseen;
  const kind = spec.kind ?? other;
  return [
    ...(kind === null && !prompt
      ? [{ path: 'kind', code: 'required', message: 'is required where there is no prompt' }]
      : []),
    ...variantProblems(spec, kind),
    ...iconProblems(spec),
    ...entityProblems(spec, kind),
    ...(kind === null ? [] : namedProblems(spec, kind)),
    ...(spec.formula ? formulaProblems(spec.formula) : []),
  ];
}

/** What is wrong now and was not before: a spec that a model wrote may say what nobody may send. */
export function newProblems(base: AppSpec, next: SentSpec, kind: TemplateName): ErrorDetail[] {
  const line = ({ path, message }: ErrorDetail) => `${path} ${message}`;
  const known = new Set(sentSpecProblems(base, { kind: null, prompt: false }).map(line));
  return sentSpecProblems(next, { kind, prompt: false }).filter((problem) => !known.has(line(problem)));
}

/** Characters that nobody sees and that turn texts around; a line may end where a text has several. */
const unseen = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function unseenIn(value: unknown, path: string): ErrorDetail[] {
  if (typeof value === 'string') {
    const text = /(?:^|\.)text$/.test(path) ? value.replaceAll('\n', ' ') : value;
    if (!unseen.test(text)) return [];
    const message = 'must not have control characters, marks of direction or halves of characters';
    return [{ path, code: 'characters', message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => unseenIn(item, `${path}[${index}]`));
  return Object.entries(value).flatMap(([name, item]) =>
    unseenIn(item, path === '' ? name : `${path}.${name}`),
  );
}

const iconProblems = ({ icon = '' }: SentSpec): ErrorDetail[] =>
  icon === '' || isIcon(icon)
    ? []
    : [{ path: 'icon', code: 'enum', message: `is ${JSON.stringify(icon)}, and there is no such picture` }];

function variantProblems({ variant }: SentSpec, kind: TemplateName | null): ErrorDetail[] {
  if (variant === undefined || variant === '') return [];
  if (kind === null) return [{ path: 'variant', code: 'dependency', message: 'needs kind' }];
  const allowed = variants[kind];
  if (!allowed || allowed.includes(variant)) return [];
  return [{ path: 'variant', code: 'enum', message: `must be one of ${allowed.join(', ')} for a ${kind}` }];
}

/** Whether the apps of a kind show what an entity says. */
export function keepsThings(kind: TemplateName, variant: string | undefined): boolean {
  return kindOfApp(kind, variant).uses.includes('entity');
}

/** The numbers and texts that go by names, which are those of the kind. */
function namedProblems({ settings = {}, copy = {}, variant }: SentSpec, kind: TemplateName): ErrorDetail[] {
  const known = kindOfApp(kind, variant);
  // Nobody has said which variant it is, so any of them may have the number.
  const sorts = variant === undefined ? variantsOf(kind).map((name) => kindOfApp(kind, name)) : [];
  const numbers = Object.assign(
    {},
    ...sorts.map((sort) => sort.settings),
    known.settings,
  ) as typeof known.settings;
  const problems: ErrorDetail[] = [];
  for (const [name, value] of Object.entries(settings)) {
    const path = `settings.${name}`;
    const setting = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
    if (!setting)
      problems.push({ path, code: 'unknown_field', message: unknownName(Object.keys(numbers), kind) });
    else if (value < setting.min || value > setting.max)
      problems.push({ path, code: 'range', message: `must be from ${setting.min} to ${setting.max}` });
  }
  for (const [name, value] of Object.entries(copy)) {
    const path = `copy.${name}`;
    const text = Object.hasOwn(known.copy, name) ? known.copy[name] : undefined;
    if (!text)
      problems.push({ path, code: 'unknown_field', message: unknownName(Object.keys(known.copy), kind) });
    else if (text.options && !text.options.includes(value))
      problems.push({ path, code: 'enum', message: `must be one of ${text.options.join(', ')}` });
    else if (text.pattern !== undefined && !new RegExp(text.pattern, 'u').test(value))
      problems.push({ path, code: 'pattern', message: `must match ${text.pattern}` });
  }
  return problems;
}

const unknownName = (known: readonly string[], kind: TemplateName) =>
  known.length === 0 ? `is not known: a ${kind} has none` : `is not known: a ${kind} has ${known.join(', ')}`;

function entityProblems({ entity, seed = [], variant }: SentSpec, kind: TemplateName | null): ErrorDetail[] {
  if (!entity) return [];
  if (kind !== null && !keepsThings(kind, variant)) {
    const keeping = templateNames.filter((name) => keepsThings(name, undefined));
    return [
      {
        path: 'entity',
        code: 'option',
        message: `goes with ${keeping.join(', ')} only: a ${kind} keeps none`,
      },
    ];
  }
  const fields = keyed(entity.fields);
  const keys = fields.map(({ key }) => key);
  const problems: ErrorDetail[] = [];
  for (const [index, { key, type, options }] of fields.entries()) {
    const path = `entity.fields[${index}]`;
    if (keys.indexOf(key) !== index)
      problems.push({ path: `${path}.key`, code: 'duplicate', message: `is ${key} a second time` });
    if (type === 'select' && !options?.length)
      problems.push({
        path: `${path}.options`,
        code: 'required',
        message: 'is required for the type select',
      });
  }
  for (const [index, row] of seed.entries()) {
    for (const [key, value] of Object.entries(row)) {
      const field = fields.find((one) => one.key === key);
      const path = `seed[${index}].${key}`;
      if (!field) problems.push({ path, code: 'unknown_field', message: 'is not the key of a field' });
      else if (!suits(field, value))
        problems.push({ path, code: 'type', message: `must be ${expected[field.type]}` });
    }
  }
  const needed = kind === null ? null : needOf(kind, variant);
  if (needed && !fields.some(({ type }) => needed.types.includes(type)))
    problems.push({ path: 'entity.fields', code: 'required', message: needed.message });
  return problems;
}

/** The fields with a key each: its own, else the first that nobody has. */
export function keyed(fields: SentFields, taken: Iterable<string> = []): Field[] {
  const used = new Set([...taken, ...fields.flatMap(({ key }) => key ?? [])]);
  let next = 0;
  return fields.map((field) => {
    if (field.key !== undefined) return { ...field, key: field.key };
    while (used.has(`f${next}`)) next += 1;
    used.add(`f${next}`);
    return { ...field, key: `f${next}` };
  });
}

/** The same, but that a field without a key is the one that was called the same before, where there was one. */
export function keyedLike(fields: SentFields, before: readonly Field[]): Field[] {
  const taken = new Set(fields.flatMap(({ key }) => key ?? []));
  const named = fields.map((field) => {
    const same = before.find(({ label, key }) => label === field.label && !taken.has(key));
    if (field.key !== undefined || !same) return field;
    taken.add(same.key);
    return { ...field, key: same.key };
  });
  return keyed(
    named,
    before.map(({ key }) => key),
  );
}

/** Entries without the values that are of no field, or can be none of theirs. */
export function soundSeed(seed: readonly AppSpec['seed'][number][], fields: readonly Field[]) {
  return seed.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(([key, value]) => {
        const field = fields.find((one) => one.key === key);
        return field !== undefined && suits(field, value);
      }),
    ),
  );
}

interface Need {
  readonly types: readonly Field['type'][];
  readonly message: string;
}

/** What a kind cannot do without among the fields. */
function needOf(kind: TemplateName, variant: string | undefined): Need | null {
  if (kind === 'board')
    return { types: ['select'], message: 'must have one of the type select: the columns of the board' };
  if (kind === 'form' && variant === 'poll')
    return { types: ['select'], message: 'must have one of the type select: the choices of the poll' };
  if (kind !== 'dashboard') return null;
  const message = 'must have one of the type number or currency: what the dashboard shows';
  return { types: ['number', 'currency'], message };
}

const day = /^(?:@[+-]\d{1,4}|\d{4}-\d{2}-\d{2})$/;

/** Whether a value can be one of a field. */
export function suits({ type, options }: Field, value: string | number | boolean): boolean {
  if (type === 'number' || type === 'currency') return typeof value === 'number';
  if (type === 'rating') return typeof value === 'number' && value >= 0 && value <= 5;
  if (type === 'checkbox') return typeof value === 'boolean';
  if (typeof value !== 'string') return false;
  if (type === 'date') return value === '' || day.test(value);
  if (type === 'time') return value === '' || /^\d{2}:\d{2}$/.test(value);
  return type !== 'select' || value === '' || (options ?? []).includes(value);
}

const expected: Readonly<Record<Field['type'], string>> = {
  text: 'a text',
  longtext: 'a text',
  number: 'a number',
  currency: 'a number',
  date: 'a date, such as @+3 or 2026-03-01',
  time: 'a time, such as 09:30',
  select: 'one of the options of the field',
  checkbox: 'true or false',
  rating: 'a number from 0 to 5',
  email: 'a text',
  phone: 'a text',
  url: 'a text',
};
