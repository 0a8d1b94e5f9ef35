import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import { isObject } from '../../lib/json.ts';

type Schema = Readonly<Record<string, unknown>>;
type Ajv = Pick<InstanceType<typeof Ajv2020>, 'validate' | 'errors' | 'errorsText'>;

/** A version of JSON Schema, which a schema names by its `$schema`. */
interface Draft {
  /** Of its address, without `http(s)://json-schema.org/`, `/schema` and `#`. */
  readonly names: readonly string[];
  readonly validator: (options: Options) => Promise<Ajv>;
  /** The schema as that validator knows it; as it is if left out. */
  readonly read?: (schema: Schema) => Schema;
}

const draft7 = async (options: Options) => new (await import('ajv')).Ajv(options);

/** The first holds for a schema that names none. The AI SDK sends draft-07, with its `$schema`, for each object that it asks for. */
const drafts: readonly [Draft, ...Draft[]] = [
  {
    names: ['draft/2020-12'],
    validator: async (options) => new (await import('ajv/dist/2020.js')).Ajv2020(options),
  },
  {
    names: ['draft/2019-09'],
    validator: async (options) => new (await import('ajv/dist/2019.js')).Ajv2019(options),
  },
  // Draft-06 is draft-07 with fewer keywords (https://json-schema.org/draft-07/json-schema-release-notes).
  { names: ['draft-07', 'draft-06'], validator: draft7, read: unnamed },
  // https://json-schema.org/draft-06/json-schema-release-notes
  { names: ['draft-04'], validator: draft7, read: (schema) => ofDraft4(unnamed(schema)) as Schema },
];

/** The schema and what checks values against it. */
export async function validatorOf(schema: Schema, options: Options): Promise<{ ajv: Ajv; schema: Schema }> {
  const { $schema } = schema;
  const named = typeof $schema === 'string' ? nameIn($schema) : null;
  const { validator, read } =
    drafts.find(({ names }) => named !== null && names.includes(named)) ?? drafts[0];
  return { ajv: await validator(options), schema: read ? read(schema) : schema };
}

function nameIn(address: string): string | null {
  return /^https?:\/\/json-schema\.org\/(.+)\/schema#?$/.exec(address)?.[1] ?? null;
}

function unnamed({ $schema: _, ...schema }: Schema): Schema {
  return schema;
}

/** Draft-04 has its bounds in two keywords each, and `id` for `$id`. */
function ofDraft4(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ofDraft4);
  if (!isObject(value)) return value;
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, id, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, ofDraft4(entry)]),
  );
  return {
    ...rest,
    // A property may have that name.
    ...(id !== undefined && typeof id !== 'string' && { id }),
    ...bound('minimum', minimum, 'exclusiveMinimum', exclusiveMinimum),
    ...bound('maximum', maximum, 'exclusiveMaximum', exclusiveMaximum),
  };
}

function bound(name: string, limit: unknown, exclusiveName: string, exclusive: unknown): Schema {
  if (exclusive === true && limit !== undefined) return { [exclusiveName]: limit };
  return {
    ...(limit !== undefined && { [name]: limit }),
    ...(exclusive !== undefined && typeof exclusive !== 'boolean' && { [exclusiveName]: exclusive }),
  };
}
