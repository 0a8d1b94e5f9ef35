import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import { isObject, stepsOf } from './json.ts';
import { once } from './once.ts';

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A compiled schema, which fills in the defaults. Problems of the last call are in `errors`. */
export interface CompiledSchema {
  (data: unknown): boolean;
  errors?: readonly BrokenRule[] | null;
}

/** One broken rule, as Ajv reports it. */
export interface BrokenRule {
  /** JSON Pointer to the value, for example `/messages/0/role`. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The schema object that holds the broken rule. */
  readonly parentSchema?: { readonly properties?: Readonly<Record<string, unknown>> };
}

/** A schema that cannot be used, and where it is wrong: keys and indexes from its top. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly path: readonly string[];

  constructor(path: readonly string[], message: string) {
    super(message);
    this.path = path;
  }
}

type Ajv = InstanceType<typeof Ajv2020>;

const options: Options = {
  allErrors: true,
  // For the names of known fields, in "did you mean".
  verbose: true,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
};

/** Ajv takes 10 MB, so it comes with the first schema that is compiled at run time. */
const load = once(async (): Promise<{ readonly create: () => Ajv; readonly meta: Ajv }> => {
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const create = () => {
    // The meta-schema has been checked by then, and Ajv never lets go of what one instance has compiled.
    const ajv = new Ajv2020({ ...options, meta: false, validateSchema: false });
    formats.default(ajv);
    return ajv;
  };
  const meta = new Ajv2020({ strict: false, allErrors: false });
  formats.default(meta);
  return { create, meta };
});

const compiled = new WeakMap<JsonSchema, CompiledSchema>();

/**
 * Compiles a schema, the same object only once. Throws `SchemaError` for one that breaks the rules of JSON Schema or
 * has a keyword, type or format that is not known. Only for schemas without `$ref`.
 */
export async function compileSchema(schema: JsonSchema): Promise<CompiledSchema> {
  const known = compiled.get(schema);
  if (known) return known;
  await checkSchema(schema);
  const { create } = await load();
  try {
    const validate = create().compile(schema) as CompiledSchema;
    compiled.set(schema, validate);
    return validate;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SchemaError([], message.replace(/ \(use allow\w+[^)]*\)/, '').replace(/^strict mode: /, ''));
  }
}

/** Throws `SchemaError` for a schema that breaks the rules of JSON Schema. */
export async function checkSchema(schema: JsonSchema): Promise<void> {
  const { meta } = await load();
  if (meta.validateSchema(schema)) return;
  const [problem] = meta.errors ?? [];
  throw new SchemaError(stepsOf(problem?.instancePath ?? ''), problem?.message ?? 'is not a JSON Schema');
}

/**
 * A validator for a schema of any draft from 4 on, named by its `$schema`, and the schema as the validator reads it.
 * Without one it is of 2020-12, whose class refuses the names of others.
 */
export async function validatorOf(
  schema: JsonSchema,
  options: Options,
): Promise<{
  readonly ajv: Pick<Ajv, 'compile' | 'validate' | 'errors' | 'errorsText'>;
  readonly schema: JsonSchema;
}> {
  const { $schema, ...rest } = schema;
  const [, draft] = /\/draft(?:-0|\/20)(4|6|7|19)(?:-09)?\/schema#?$/.exec(String($schema)) ?? [];
  if (draft === '19') return { ajv: new (await import('ajv/dist/2019.js')).Ajv2019(options), schema: rest };
  if (draft === undefined) return { ajv: new (await import('ajv/dist/2020.js')).Ajv2020(options), schema };
  // Draft 6 is draft 7 with fewer keywords (https://json-schema.org/draft-07/json-schema-release-notes).
  const read = draft === '4' ? (fromDraft4(rest, byId.test(JSON.stringify(rest))) as JsonSchema) : rest;
  return { ajv: new (await import('ajv')).Ajv(options), schema: read };
}

const excludedBounds = { exclusiveMinimum: 'minimum', exclusiveMaximum: 'maximum' } as const;
/** Members whose values are no schemas. */
const plainValues: ReadonlySet<string> = new Set(['enum', 'default']);

/** A reference by the id of a schema, not by its place. */
const byId = /"\$ref":"(?!#(?:\/|"))/;

/**
 * Draft 4 names `$id` and bounds that are excluded in another way (https://json-schema.org/draft-06/json-schema-release-notes).
 * Generators give ids that nothing refers to, and from which places would be counted: these are left out.
 */
function fromDraft4(schema: unknown, ids: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((part) => fromDraft4(part, ids));
  if (!isObject(schema)) return schema;
  const changed = Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      // A property may have that name.
      const isId = name === 'id' && typeof value === 'string';
      if (isId) return ids ? [['$id', value]] : [];
      return [[name, plainValues.has(name) ? value : fromDraft4(value, ids)]];
    }),
  );
  for (const [excluded, bound] of Object.entries(excludedBounds)) {
    const { [excluded]: isExcluded, [bound]: limit } = changed;
    if (typeof isExcluded !== 'boolean') continue;
    delete changed[excluded];
    if (!isExcluded || limit === undefined) continue;
    changed[excluded] = limit;
    delete changed[bound];
  }
  return changed;
}
