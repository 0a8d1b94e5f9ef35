import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import type { ErrorDetail } from '../../../../generated/types.gen.ts';
import { isObject } from '../../../lib/json.ts';
import { once } from '../../../lib/once.ts';
import { type JsonSchema, ToolError } from './tool.ts';

const compiled = new WeakMap<JsonSchema, Compile>();

const compiledLoosely = new WeakMap<JsonSchema, Compile>();

type Compile = () => Promise<ValidateFunction>;

/** Compiles a schema of the operator's, once. Rejects for one that is none. Ajv is loaded with the first. */
export function compileSchema(schema: JsonSchema): Promise<ValidateFunction> {
  return compileOnce(compiled, schema, {});
}

/** The same for a schema from elsewhere: its patterns are not looked at, since one can be made to run for ever. */
export function compileLoosely(schema: JsonSchema): Promise<ValidateFunction> {
  const anything = Object.assign(() => ({ test: () => true }), { code: 'null' });
  return compileOnce(compiledLoosely, schema, { code: { regExp: anything } });
}

function compileOnce(
  known: WeakMap<JsonSchema, Compile>,
  schema: JsonSchema,
  options: Options,
): ReturnType<Compile> {
  const make = known.get(schema) ?? once(() => compile(schema, options));
  known.set(schema, make);
  return make();
}

async function compile(schema: JsonSchema, options: Options): Promise<ValidateFunction> {
  const { $schema: dialect, ...rest } = schema;
  const common: Options = {
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
    ...options,
  };
  // Most tools of MCP servers are written in draft 7, which the class for 2020-12 refuses by its name.
  const [, draft] = /\/draft(?:-0|\/20)(4|6|7|19)(?:-09)?\/schema#?$/.exec(String(dialect)) ?? [];
  if (draft === '19') {
    const { Ajv2019 } = await import('ajv/dist/2019.js');
    return new Ajv2019(common).compile(rest);
  }
  if (draft !== undefined) {
    const { Ajv } = await import('ajv');
    return new Ajv(common).compile(draft === '4' ? (fromDraft4(rest) as object) : rest);
  }
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020(common).compile(schema);
}

const excludedBounds = { exclusiveMinimum: 'minimum', exclusiveMaximum: 'maximum' } as const;
/** Members whose values are no schemas. */
const plainValues: ReadonlySet<string> = new Set(['enum', 'default']);

/** A schema of draft 4 as its successors write it, which name `$id` and bounds that are excluded in another way. */
function fromDraft4(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(fromDraft4);
  if (!isObject(schema)) return schema;
  const changed = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      const isId = name === 'id' && typeof value === 'string';
      return [isId ? '$id' : name, plainValues.has(name) ? value : fromDraft4(value)];
    }),
  );
  for (const [excluded, bound] of Object.entries(excludedBounds)) {
    if (changed[excluded] === true) changed[excluded] = changed[bound];
    else if (changed[excluded] === false) delete changed[excluded];
  }
  return changed;
}

/** Throws `ToolError` for arguments of a tool that do not fit its schema; null: nothing is known of that. */
export function requireFit(validate: ValidateFunction | null, values: unknown): void {
  if (!validate || validate(values)) return;
  const problems = detailsOf(validate.errors, '').slice(0, 10);
  const told = problems.map(({ path, message }) => `${path || 'they'} ${message}`).join('; ');
  throw new ToolError(`The arguments do not fit: ${told}.`);
}

/** What is wrong, by path. @param root what the paths begin with */
export function detailsOf(errors: readonly ErrorObject[] | null | undefined, root: string): ErrorDetail[] {
  return (errors ?? []).slice(0, 50).map(({ instancePath, keyword, params, message = 'is not valid' }) => {
    const parts = instancePath.split('/').slice(1);
    if (keyword === 'required') parts.push(String(params['missingProperty']));
    if (keyword === 'additionalProperties') parts.push(String(params['additionalProperty']));
    const path = parts
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce(
        (whole, part) => (/^\d+$/.test(part) ? `${whole}[${part}]` : whole ? `${whole}.${part}` : part),
        root,
      );
    const texts: Readonly<Record<string, string>> = {
      required: 'is required',
      additionalProperties: 'is not a known field',
    };
    return { path, code: keyword, message: texts[keyword] ?? message };
  });
}
