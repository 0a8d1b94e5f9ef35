import { createHash } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import { join } from '../../contract/problems.ts';
import { inlineSchema, type SchemaLimits } from '../../lib/inline-schema.ts';
import { type CompiledSchema, compileSchema, type JsonSchema, SchemaError } from '../../lib/json-schema.ts';

/** A schema that a caller brought, ready for use. */
export interface CallerSchema {
  /** With its references followed. */
  readonly schema: JsonSchema;
  readonly validate: CompiledSchema;
}

const maxBytes = 32 * 1024;
const maxKept = 64;

/**
 * What a caller's schema may hold. Nothing in it runs code of the caller: `pattern` and `patternProperties` are left out,
 * as a regular expression can take for ever, and `uniqueItems`, which takes the square of a list's length.
 */
const limits: SchemaLimits = {
  subschemas: 500,
  depth: 12,
  vocabulary: {
    keywords: new Set([
      ...[
        'type',
        'properties',
        'required',
        'additionalProperties',
        'items',
        'enum',
        'const',
        'anyOf',
        'oneOf',
      ],
      ...['title', 'description', 'default', 'examples', 'deprecated', 'format', '$schema', '$comment'],
      ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
      ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
    ]),
    formats: new Set([
      ...['date', 'time', 'date-time', 'duration', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'],
    ]),
  },
};

/** The latest schemas by their hash: the same one usually comes with many texts. */
const kept = new Map<string, CallerSchema>();

/**
 * Compiles the schema that a caller brought, or finds it among the latest. Throws `invalid_request` with the place
 * inside the schema that is wrong.
 * @param at path of the schema in the request
 */
export async function callerSchema(given: JsonSchema, at: string): Promise<CallerSchema> {
  const text = JSON.stringify(given);
  if (Buffer.byteLength(text) > maxBytes) throw invalid(at, `must have at most ${maxBytes} bytes`);
  const key = createHash('sha256').update(text).digest('base64');
  const known = kept.get(key) ?? (await compiled(given, at));
  kept.delete(key);
  kept.set(key, known);
  if (kept.size > maxKept) for (const [oldest] of [...kept].slice(0, 1)) kept.delete(oldest);
  return known;
}

async function compiled(given: JsonSchema, at: string): Promise<CallerSchema> {
  try {
    const { $schema: _, ...inlined } = inlineSchema(given, limits);
    if (inlined['type'] !== 'object') throw new SchemaError(['type'], 'must be "object"');
    return { schema: inlined, validate: await compileSchema(inlined) };
  } catch (error) {
    if (error instanceof SchemaError) throw invalid(error.path.reduce(join, at), error.message);
    throw error;
  }
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path} ${message}.`, {
    details: [{ path, code: 'schema', message }],
  });
}
