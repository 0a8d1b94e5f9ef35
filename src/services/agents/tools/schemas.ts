import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import type { ErrorDetail } from '../../../../generated/types.gen.ts';
import { validatorOf } from '../../../lib/json-schema.ts';
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
  const common = { strict: false, allErrors: true, validateFormats: false, logger: false } as const;
  // Most tools of MCP servers are written in draft 7.
  const { ajv, schema: read } = await validatorOf(schema, { ...common, ...options });
  return ajv.compile(read);
}

/** Throws `ToolError` for arguments of a tool that do not fit its schema; null: nothing is known of that. */
export function requireFit(validate: ValidateFunction | null, values: unknown): void {
  if (!validate || validate(values)) return;
  const problems = detailsOf(validate.errors, '').slice(0, 10);
  const reasons = problems.map(({ path, message }) => `${path || 'they'} ${message}`).join('; ');
  throw new ToolError(`The arguments do not fit: ${reasons}.`);
}

/** The errors, by path. @param root the beginning of the paths */
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
