import type { ContentBlock, Message } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ResponseFormat, Tool, ToolChoice } from '../../../../../generated/types.gen.ts';
import { given } from '../../../../lib/json.ts';
import type { AnswerPart, Completion, Thinking, UnroutedCall } from '../../../../model/port.ts';
import {
  countIn,
  invalid,
  listAt,
  nameAt,
  numberIn,
  objectAt,
  objectIn,
  optional,
  textAt,
  textIn,
  wholeAt,
} from '../../check.ts';
import type { AnswerMeta, Body, Wire } from '../../wire.ts';
import { citationOnWire, clientId, endOnWire, inputOf, messageOf, thinkingBlock } from './blocks.ts';
import { readMessages } from './read-messages.ts';
import { anthropicStream } from './stream.ts';

const efforts: readonly unknown[] = ['low', 'medium', 'high', 'xhigh', 'max'];

const minBudget = 1024;

/** Whether the client asked to see thinking, or not to. */
const displays: ReadonlyMap<unknown, boolean> = new Map([
  ['summarized', true],
  ['omitted', false],
]);

/** `POST /v1/messages`: https://platform.claude.com/docs/en/api/messages */
export const anthropicWire: Wire = {
  name: 'anthropic',
  bound: (body) => ({ maxTokens: wholeAt(body['max_tokens'], 'max_tokens', 1), answers: 1 }),
  read(body) {
    const maxTokens = wholeAt(body['max_tokens'], 'max_tokens', 1);
    const call = readCall(body, maxTokens);
    const shows = showsThinking(call);
    return {
      call,
      answer: (completion, meta) => answerOf(completion, meta, shows),
      stream: (meta) => anthropicStream(meta, shows),
    };
  },
};

/** Reads a request to `POST /v1/messages/count_tokens`, which is one for an answer without a maximum of tokens. */
export function readCountTokens(body: Body): UnroutedCall {
  return readCall(body, undefined);
}

/** The reply of `POST /v1/messages/count_tokens`. */
export function countTokensAnswer(inputTokens: number): object {
  return { input_tokens: inputTokens };
}

function readCall(body: Body, maxTokens: number | undefined): UnroutedCall {
  if (body['thread'] != null) throw invalid('thread', 'is not kept here: send the whole conversation');
  const settings = given({
    temperature: numberIn(body, 'temperature', 0, 1),
    topP: numberIn(body, 'top_p', 0, 1),
    topK: countIn(body, 'top_k', 'top_k', 0),
    stop: readStop(body),
    user: textIn(objectIn(body, 'metadata') ?? {}, 'user_id', 'metadata.user_id'),
    responseFormat: readFormat(body),
    thinking: readThinking(body, maxTokens),
    maxTokens,
  });
  return {
    messages: readMessages(body),
    temperatureGiven: settings.temperature !== undefined,
    ...settings,
    ...readTools(body),
  };
}

function readStop(body: Body): string[] | undefined {
  const list = optional(body['stop_sequences'], 'stop_sequences', listAt) ?? [];
  const texts = list.map((text, index) => textAt(text, `stop_sequences[${index}]`));
  return texts.length > 0 ? texts : undefined;
}

/** `output_format` is what `output_config.format` was called at first. */
function readFormat(body: Body): ResponseFormat | undefined {
  const config = objectIn(body, 'output_config');
  const [path, value] =
    config?.['format'] == null
      ? ['output_format', body['output_format']]
      : ['output_config.format', config['format']];
  const format = optional(value, path, objectAt);
  if (!format) return undefined;
  if (format['type'] !== 'json_schema') throw invalid(`${path}.type`, 'must be json_schema');
  const schema = { ...objectAt(format['schema'], `${path}.schema`) };
  // On this wire a schema has no name, and always holds.
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } };
}

/**
 * Thinking is for those who asked for it, and for the next turn of a conversation with tools, which needs it. Who asks a
 * plain question takes the first block of the answer for its text.
 */
function showsThinking({ thinking, tools }: UnroutedCall): boolean {
  return (thinking !== undefined && thinking.effort !== 'none') || tools !== undefined;
}

/**
 * A whole answer.
 * @param showsThinking whether thinking is a part of it
 */
function answerOf(completion: Completion, meta: AnswerMeta, showsThinking: boolean): Message {
  const { parts } = completion;
  let refusal = '';
  for (const part of parts) if (part.type === 'refusal') refusal += part.text;
  const content = parts.map((part) => blockOf(part, showsThinking)).filter((block) => block !== null);
  return messageOf(meta, content, endOnWire(completion, refusal), meta.usage());
}

function blockOf(part: AnswerPart, showsThinking: boolean): ContentBlock | null {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      if (part.text === '') return null;
      const citations = part.type === 'text' ? part.citations : undefined;
      return { type: 'text', text: part.text, citations: citations?.map(citationOnWire) ?? null };
    }
    case 'thinking':
      return showsThinking ? thinkingBlock(part) : null;
    case 'tool_call': {
      const { id, name, arguments: json } = part;
      return { type: 'tool_use', id: clientId(id), name, input: inputOf(json), caller: { type: 'direct' } };
    }
  }
}

/**
 * How much the model is to think; undefined where nothing is said of it. Throws `invalid_request`.
 * @param maxTokens of the answer, with its thinking
 */
function readThinking(body: Body, maxTokens: number | undefined): Thinking | undefined {
  const config = objectIn(body, 'thinking');
  const effort = readEffort(body);
  const inWords = effort !== undefined && { effort };
  if (!config) return inWords || undefined;
  const shows = given({ shown: displays.get(config['display']) });
  switch (config['type']) {
    case 'disabled':
      return { effort: 'none' };
    case 'between_tools':
      return { effort: 'minimal', ...shows };
    case 'adaptive':
      return { ...inWords, ...shows };
    case 'enabled': {
      const budgetTokens = wholeAt(config['budget_tokens'], 'thinking.budget_tokens', minBudget);
      if (maxTokens !== undefined && budgetTokens >= maxTokens)
        throw invalid('thinking.budget_tokens', 'must be less than max_tokens');
      return { budgetTokens, ...inWords, ...shows };
    }
    default:
      throw invalid('thinking.type', 'must be one of adaptive, enabled, disabled, between_tools');
  }
}

function readEffort(body: Body): string | undefined {
  const effort = objectIn(body, 'output_config')?.['effort'];
  if (effort == null) return undefined;
  if (efforts.includes(effort)) return effort as string;
  throw invalid('output_config.effort', `must be one of ${efforts.join(', ')}`);
}

type ToolFields = Pick<UnroutedCall, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** The tools that the model may call. Throws `invalid_request`. */
export function readTools(body: Body): ToolFields {
  const tools = optional(body['tools'], 'tools', listAt)?.flatMap(readTool) ?? [];
  const names = new Set<string>();
  for (const [index, { function: called }] of tools.entries()) {
    if (names.has(called.name))
      throw invalid(`tools[${index}].name`, 'must differ from the names of the other tools');
    names.add(called.name);
  }
  const choice = objectIn(body, 'tool_choice');
  if (tools.length === 0) {
    if (choice && choice['type'] !== 'none' && choice['type'] !== 'auto')
      throw invalid('tool_choice', 'needs tools');
    return {};
  }
  const toolChoice = choice && readChoice(choice, names);
  return {
    tools,
    ...(toolChoice && { toolChoice }),
    ...(choice?.['disable_parallel_tool_use'] === true && { parallelToolCalls: false }),
  };
}

function readTool(value: unknown, index: number): Tool[] {
  const path = `tools[${index}]`;
  const tool = objectAt(value, path);
  const type = textIn(tool, 'type', `${path}.type`) ?? 'custom';
  // Other models know all tools from the beginning and need not search for them.
  if (type.startsWith('tool_search_tool_')) return [];
  if (type !== 'custom') throw invalid(`${path}.type`, 'must be custom: only Claude knows this tool');
  const description = textIn(tool, 'description', `${path}.description`);
  const { strict } = tool;
  return [
    {
      type: 'function',
      function: {
        name: nameAt(tool['name'], `${path}.name`),
        ...(description !== undefined && { description }),
        parameters: schemaAt(tool['input_schema'], `${path}.input_schema`),
        ...(typeof strict === 'boolean' && { strict }),
      },
    },
  ];
}

/** A schema of an object, as it came. */
function schemaAt(value: unknown, path: string): NonNullable<Tool['function']['parameters']> {
  const schema = objectAt(value, path);
  if (schema['type'] !== 'object') throw invalid(`${path}.type`, 'must be object');
  return { ...schema, type: 'object' };
}

function readChoice(choice: Body, names: ReadonlySet<string>): ToolChoice {
  switch (choice['type']) {
    case 'auto':
      return 'auto';
    case 'any':
      return 'required';
    case 'none':
      return 'none';
    case 'tool': {
      const name = nameAt(choice['name'], 'tool_choice.name');
      if (!names.has(name)) throw invalid('tool_choice.name', 'must name one of the tools');
      return { type: 'function', function: { name } };
    }
    default:
      throw invalid('tool_choice.type', 'must be one of auto, any, tool, none');
  }
}
