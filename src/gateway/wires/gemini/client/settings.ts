import type { ResponseFormat, ToolChoice } from '../../../../../generated/types.gen.ts';
import { deepestJson, given, isDeeperThan, isObject, withSubschemas } from '../../../../lib/json.ts';
import { nameOf } from '../../../../model/contract-form.ts';
import type { ModelTool, Thinking, UnroutedCall } from '../../../../model/port.ts';
import type { AnswerBound } from '../../wire.ts';
import { type Fields, snake, wrong } from './fields.ts';

type Settings = Omit<UnroutedCall, 'messages' | 'temperatureGiven'>;

/** A request's settings of the answer (`generationConfig`). */
export function settingsOf(body: Fields): Settings {
  const config = body.object('generationConfig');
  if (!config) return {};
  const { maxTokens, answers } = boundOf(config);
  if (answers > 1) throw wrong(config.at('candidateCount'), 'unsupported', 'must be 1 for this model');
  return given({
    maxTokens,
    temperature: config.number('temperature', 0, 2),
    topP: config.number('topP', 0, 1),
    topK: config.number('topK', 1, 1_000_000),
    stop: config.texts('stopSequences'),
    seed: config.whole('seed', -(2 ** 31), 2 ** 31 - 1),
    frequencyPenalty: config.number('frequencyPenalty', -2, 2),
    presencePenalty: config.number('presencePenalty', -2, 2),
    responseFormat: formatOf(config),
    thinking: thinkingOf(config.object('thinkingConfig')),
  });
}

/** A `generationConfig`'s bounds on the answers. Throws `invalid_request`. */
export function boundOf(config: Fields | undefined): AnswerBound {
  return {
    maxTokens: config?.whole('maxOutputTokens', 1, 2 ** 31 - 1),
    answers: config?.whole('candidateCount', 1, 8) ?? 1,
  };
}

function formatOf(config: Fields): ResponseFormat | undefined {
  const type = config.text('responseMimeType');
  const schema = schemaOf(config, 'responseJsonSchema', 'responseSchema');
  if (type !== undefined && type !== 'application/json' && type !== 'text/plain')
    throw wrong(
      config.at('responseMimeType'),
      'unsupported',
      'must be text/plain or application/json for this model',
    );
  if (schema) return { type: 'json_schema', json_schema: { name: 'answer', schema } };
  return type === 'application/json' ? { type: 'json_object' } : undefined;
}

/** A schema that is given in one of two forms: JSON Schema or Google's own. */
function schemaOf(fields: Fields, json: string, google: string): Record<string, unknown> | undefined {
  const standard = fields.object(json)?.raw;
  if (standard) return { ...standard };
  const own = fields.value(google);
  return own === undefined ? undefined : jsonSchema(own, fields.at(google));
}

function thinkingOf(config: Fields | undefined): Thinking | undefined {
  if (!config) return undefined;
  const level = config.text('thinkingLevel')?.toLowerCase();
  if (level !== undefined && !levels.has(level))
    throw wrong(config.at('thinkingLevel'), 'enum', 'must be MINIMAL, LOW, MEDIUM or HIGH');
  const budget = config.whole('thinkingBudget', -1, 2 ** 31 - 1);
  const shown = config.flag('includeThoughts');
  return given({
    effort: level === unspecified ? undefined : level,
    // -1 leaves it to the model, as leaving it out does.
    budgetTokens: budget === -1 ? undefined : budget,
    shown,
  });
}

const unspecified = 'thinking_level_unspecified';
const levels: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high', unspecified]);

/** The tools that the model may call. Tools of Google's own are judged before, by the table of fields. */
export function toolsOf(body: Fields): Pick<UnroutedCall, 'tools' | 'toolChoice'> {
  const declared = body.list('tools').flatMap((tool) => tool.list('functionDeclarations').map(toolOf));
  if (declared.length === 0) return {};
  const config = body.object('toolConfig')?.object('functionCallingConfig');
  const mode = config?.text('mode')?.toUpperCase() ?? 'MODE_UNSPECIFIED';
  const allowed = config?.texts('allowedFunctionNames') ?? [];
  const tools = allowed.length === 0 ? declared : declared.filter((tool) => allowed.includes(nameOf(tool)));
  if (tools.length === 0)
    throw wrong(config?.at('allowedFunctionNames') ?? '', 'enum', 'names none of the tools');
  const choice = choiceOf(mode, allowed);
  if (choice === null) throw wrong(config?.at('mode') ?? '', 'enum', 'must be AUTO, ANY, NONE or VALIDATED');
  return { tools, ...(choice !== undefined && { toolChoice: choice }) };
}

/** Undefined: nothing is chosen; null: there is no such mode. */
function choiceOf(mode: string, [first, second]: readonly string[]): ToolChoice | undefined | null {
  switch (mode) {
    case 'MODE_UNSPECIFIED':
      return undefined;
    case 'AUTO':
    case 'VALIDATED':
      return 'auto';
    case 'NONE':
      return 'none';
    case 'ANY':
      return first !== undefined && second === undefined
        ? { type: 'function', function: { name: first } }
        : 'required';
    default:
      return null;
  }
}

function toolOf(declaration: Fields): ModelTool {
  const name = declaration.text('name');
  if (!name) throw wrong(declaration.at('name'), 'required', 'is required');
  const description = declaration.text('description');
  const schema = schemaOf(declaration, 'parametersJsonSchema', 'parameters');
  const parameters = schema && { ...schema, type: 'object' as const };
  return { type: 'function', function: { name, ...given({ description, parameters }) } };
}

type Schema = Record<string, unknown>;
const isSchema = isObject as (value: unknown) => value is Schema;

/** Fields that hold 64-bit integers, which come as text. */
const counts = ['maxItems', 'minItems', 'maxLength', 'minLength', 'maxProperties', 'minProperties'];

/** Names of fields as Google's schemas have them, by those in snake_case that clients may also write. */
const spelling = new Map(['anyOf', 'propertyOrdering', ...counts].map((name) => [snake(name), name]));

/**
 * A schema in Google's form (https://ai.google.dev/api/caching#Schema) as JSON Schema: types in lower case, `nullable` as a
 * type, properties in the order that `propertyOrdering` names.
 */
export function jsonSchema(schema: unknown, path: string): Schema {
  if (!isSchema(schema)) throw wrong(path, 'type', 'must be an object');
  if (isDeeperThan(schema, deepestJson)) throw wrong(path, 'depth', 'is nested too deeply');
  return converted(schema);
}

function converted(given: Schema): Schema {
  const named: Schema = {};
  for (const [key, value] of Object.entries(given)) {
    const name = spelling.get(key) ?? key;
    if (value !== null && name !== 'nullable') named[name] = convertedField(name, value);
  }
  const schema: Schema = { ...withSubschemas(named, (one) => (isSchema(one) ? converted(one) : one)) };
  if (Array.isArray(schema['propertyOrdering'])) order(schema);
  delete schema['propertyOrdering'];
  // An enum of texts says so in its format, which JSON Schema does not know.
  if (schema['format'] === 'enum') delete schema['format'];
  if (given['nullable'] === true) makeNullable(schema);
  return schema;
}

function convertedField(name: string, value: unknown): unknown {
  if (name === 'type' && typeof value === 'string') return value.toLowerCase();
  if (counts.includes(name) && typeof value === 'string') return Number(value);
  return value;
}

function order(schema: Schema): void {
  const { properties, propertyOrdering } = schema;
  if (!isSchema(properties)) return;
  const names = (propertyOrdering as unknown[]).filter(
    (name) => typeof name === 'string' && name in properties,
  );
  const first = Object.fromEntries((names as string[]).map((name) => [name, properties[name]]));
  schema['properties'] = { ...first, ...properties };
}

function makeNullable(schema: Schema): void {
  const { type } = schema;
  if (typeof type !== 'string') return;
  schema['type'] = [type, 'null'];
  if (Array.isArray(schema['enum'])) schema['enum'] = [...schema['enum'], null];
}
