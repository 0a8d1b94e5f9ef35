import type { FunctionCallingConfigMode, FunctionDeclaration } from '@google/genai';
import { isObject, withSubschemas } from '../../../../lib/json.ts';
import type { ModelCall, ModelTool } from '../../../../model/port.ts';
import type { Adaptations } from '../../../upstream/settings.ts';
import { wrappedTool } from '../../../upstream/tool-calls.ts';

export interface GeminiTools {
  tools?: readonly { readonly functionDeclarations: readonly FunctionDeclaration[] }[];
  toolConfig?: {
    readonly functionCallingConfig: {
      readonly mode: `${FunctionCallingConfigMode}`;
      readonly allowedFunctionNames?: readonly string[];
    };
  };
}

/** `tools` and `toolConfig` (https://ai.google.dev/gemini-api/docs/function-calling). */
export function toolsOf(call: ModelCall, notes: Adaptations): GeminiTools {
  const { tools, parallelToolCalls } = call;
  if (!tools) return {};
  if (parallelToolCalls === false) {
    const said = 'may call several tools at once; it cannot be told not to.';
    notes.tell('parameter_ignored', 'parallel_tool_calls', said);
  }
  const config = configOf(call);
  return {
    tools: [{ functionDeclarations: tools.map((tool) => declarationOf(tool, notes)) }],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

function configOf({
  tools,
  toolChoice,
}: ModelCall): NonNullable<GeminiTools['toolConfig']>['functionCallingConfig'] | null {
  if (typeof toolChoice === 'object')
    return { mode: 'ANY', allowedFunctionNames: [toolChoice.function.name] };
  if (toolChoice === 'none') return { mode: 'NONE' };
  if (toolChoice === 'required') return { mode: 'ANY' };
  // In this mode calls keep to their schemas, which the others do not promise.
  if (tools?.some((tool) => tool.type === 'function' && tool.function.strict === true))
    return { mode: 'VALIDATED' };
  return toolChoice === 'auto' ? { mode: 'AUTO' } : null;
}

function declarationOf(tool: ModelTool, notes: Adaptations): FunctionDeclaration {
  if (tool.type === 'custom') {
    const said = 'takes functions only; custom tools became functions of one text.';
    notes.tell('content_adapted', 'tools', said);
  }
  const { name, description, parameters } = (tool.type === 'custom' ? wrappedTool(tool) : tool).function;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters &&
      Object.keys(parameters).length > 0 && { parametersJsonSchema: geminiSchema(parameters) }),
  };
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * A JSON schema as the fields for JSON schemas (`parametersJsonSchema`, `responseJsonSchema`) take it. Of JSON Schema they
 * know a part and skip the rest, so what they would skip is said in the words that they know: `const` as an `enum` of one
 * value, `definitions` as `$defs`, `allOf` of one as that one, an exclusive bound of integers as an inclusive one. Beside
 * `$ref` they refuse every other keyword (https://ai.google.dev/api/generate-content, `responseJsonSchema`).
 */
export function geminiSchema(given: unknown): Schema {
  if (!isSchema(given)) return given as Schema;
  let schema: Record<string, unknown> = { ...given };
  if ('definitions' in schema && !('$defs' in schema)) {
    schema['$defs'] = schema['definitions'];
    delete schema['definitions'];
  }
  schema = withoutSingleAllOf({ ...withSubschemas(schema, geminiSchema) });
  constAsEnum(schema);
  inclusive(schema, 'exclusiveMinimum', 'minimum', 1);
  inclusive(schema, 'exclusiveMaximum', 'maximum', -1);
  return withReferenceAlone(schema);
}

const isSchema = isObject as (value: unknown) => value is Record<string, unknown>;

/** Of texts and numbers only: for others there is no `enum` here. */
function constAsEnum(schema: Record<string, unknown>): void {
  const value = schema['const'];
  if (typeof value !== 'string' && typeof value !== 'number') return;
  delete schema['const'];
  schema['enum'] ??= [value];
  schema['type'] ??= typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'integer' : 'number';
}

function inclusive(schema: Record<string, unknown>, from: string, to: string, step: 1 | -1): void {
  const bound = schema[from];
  if (schema['type'] !== 'integer' || typeof bound !== 'number' || !Number.isInteger(bound)) return;
  if (typeof schema[to] === 'number') return;
  delete schema[from];
  schema[to] = bound + step;
}

function withoutSingleAllOf(schema: Record<string, unknown>): Record<string, unknown> {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || allOf.length !== 1 || !isSchema(allOf[0])) return schema;
  const only: Record<string, unknown> = allOf[0];
  const clash = Object.keys(only).some((key) => key in rest && key !== 'description' && key !== 'title');
  return clash ? schema : { ...only, ...rest };
}

/** `$ref` with other keywords beside it becomes the only choice of an `anyOf`, beside which they may stand. */
function withReferenceAlone(schema: Record<string, unknown>): Record<string, unknown> {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== 'string') return schema;
  const reference = $ref.replace(/^#\/definitions\//, '#/$defs/');
  const beside = Object.keys(rest).filter((key) => !key.startsWith('$'));
  if (beside.length === 0 || 'anyOf' in rest)
    return {
      ...Object.fromEntries(Object.entries(rest).filter(([key]) => key.startsWith('$'))),
      $ref: reference,
    };
  return { ...rest, anyOf: [{ $ref: reference }] };
}
