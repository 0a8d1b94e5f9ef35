import type { ResponseFormat, ToolChoice } from '../../../../../generated/types.gen.ts';
import type { ModelTool, Thinking, UnroutedCall } from '../../../../model/port.ts';
import { type Fields, wrong } from './fields.ts';
import { jsonSchema } from './schema.ts';

type Settings = Omit<UnroutedCall, 'messages' | 'temperatureGiven'>;

/** What a request says of how to answer (`generationConfig`). */
export function settingsOf(body: Fields): Settings {
  const config = body.object('generationConfig');
  if (!config) return {};
  if ((config.whole('candidateCount', 1, 8) ?? 1) > 1)
    throw wrong(config.at('candidateCount'), 'unsupported', 'must be 1 for this model');
  const temperature = config.number('temperature', 0, 2);
  const topP = config.number('topP', 0, 1);
  const topK = config.number('topK', 1, 1_000_000);
  const maxTokens = config.whole('maxOutputTokens', 1, 2 ** 31 - 1);
  const stop = config.texts('stopSequences');
  const seed = config.whole('seed', -(2 ** 31), 2 ** 31 - 1);
  const frequencyPenalty = config.number('frequencyPenalty', -2, 2);
  const presencePenalty = config.number('presencePenalty', -2, 2);
  const responseFormat = formatOf(config);
  const thinking = thinkingOf(config.object('thinkingConfig'));
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(stop && stop.length > 0 && { stop }),
    ...(seed !== undefined && { seed }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(responseFormat && { responseFormat }),
    ...(thinking && { thinking }),
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
  return {
    ...(level !== undefined && level !== unspecified && { effort: level }),
    // -1 leaves it to the model, as leaving it out does.
    ...(budget !== undefined && budget >= 0 && { budgetTokens: budget }),
    ...(shown !== undefined && { shown }),
  };
}

const unspecified = 'thinking_level_unspecified';
const levels: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high', unspecified]);

/** What the model may call. Tools of Google's own are judged before, by the table of fields. */
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

function nameOf(tool: ModelTool): string {
  return tool.type === 'custom' ? tool.custom.name : tool.function.name;
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
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(schema && { parameters: { ...schema, type: 'object' } }),
    },
  };
}
