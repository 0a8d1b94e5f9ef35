import type { ToolChoice } from '../../../../../generated/types.gen.ts';
import { given, isObject } from '../../../../lib/json.ts';
import { nameOf } from '../../../../model/contract-form.ts';
import type {
  ModelMessage,
  Part,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../../model/parts.ts';
import type { ModelTool, UnroutedCall } from '../../../../model/port.ts';
import { booleanIn, invalid, listAt, nameAt, objectAt, textAt, textIn } from '../../check.ts';
import { customTool, functionTool } from '../../openai-responses/client/read-tools.ts';
import { withPath, withPathOf } from '../../source-paths.ts';
import type { Body } from '../../wire.ts';
import { cacheIn, readContent, readExtraContent } from './read-content.ts';

/**
 * The ids of the calls in one conversation. Each call has to be answered right after the message that made it. Some clients
 * count their calls from 0 in each turn: an id that has been there before gets another, with which its result goes along.
 */
class CallIds {
  readonly #used = new Set<string>();
  /** The client's id of each call that has no result yet -> the id in the internal form. */
  #open = new Map<string, string>();

  /** A call was made. */
  called(id: string, path: string): string {
    if (this.#open.has(id)) throw invalid(path, 'repeats that of another call');
    let unique = id;
    for (let n = 2; this.#used.has(unique); n += 1) unique = `${id}_${n}`;
    this.#used.add(unique);
    this.#open.set(id, unique);
    return unique;
  }

  /** A result has come. */
  answered(id: string, path: string): string {
    const unique = this.#open.get(id);
    if (unique === undefined)
      throw invalid(path, 'must name a call of the assistant message before it, once');
    this.#open.delete(id);
    return unique;
  }

  /** Something else comes than a result. */
  expectNone(path: string): void {
    const [first] = this.#open.keys();
    if (first === undefined) return;
    throw invalid(path, `must be a tool message that answers the call ${JSON.stringify(first)}`);
  }
}

/** The conversation of a request. Throws `invalid_request`, which names the path of what is wrong. */
export function readMessages(messages: unknown): ModelMessage[] {
  const list = listAt(messages, 'messages');
  if (list.length === 0) throw invalid('messages', 'must hold a message');
  const ids = new CallIds();
  const read = list.map((message, index) => {
    const path = `messages[${index}]`;
    const one = objectAt(message, path);
    if (one['role'] !== 'tool') ids.expectNone(path);
    return messageAt(one, path, ids);
  });
  ids.expectNone(`messages[${list.length}]`);
  return read.filter(({ content }) => content.length > 0);
}

function messageAt(message: Body, path: string, ids: CallIds): ModelMessage {
  const read = unmarkedAt(message, path, ids);
  const cache = cacheIn(message);
  const last = read.content.at(-1);
  if (!cache || (last?.type !== 'text' && last?.type !== 'image' && last?.type !== 'document')) return read;
  return { ...read, content: [...read.content.slice(0, -1), withPathOf({ ...last, cache }, last)] };
}

function unmarkedAt(message: Body, path: string, ids: CallIds): ModelMessage {
  const { role } = message;
  const name = textIn(message, 'name', `${path}.name`);
  const named = name !== undefined && { name };
  switch (role) {
    case 'system':
    case 'developer':
      return { role, content: instructionsAt(message, path), ...named };
    case 'user':
      return { role, content: saidAt(message, path), ...named };
    case 'assistant':
      return { role, content: answerAt(message, path, ids), ...named };
    case 'tool':
      return { role, content: [resultAt(message, path, ids)] };
    default:
      throw invalid(`${path}.role`, 'must be system, developer, user, assistant or tool');
  }
}

function instructionsAt({ content }: Body, path: string): Part[] {
  const parts = readContent(content, `${path}.content`);
  const other = parts.findIndex(({ type }) => type !== 'text');
  if (other >= 0) throw invalid(`${path}.content[${other}].type`, 'must be text in instructions');
  return parts;
}

function saidAt({ content }: Body, path: string): Part[] {
  const parts = readContent(content, `${path}.content`);
  const other = parts.findIndex(({ type }) => type === 'refusal');
  if (other >= 0)
    throw invalid(`${path}.content[${other}].type`, 'must be text, image_url, input_audio or file');
  if (parts.length === 0) throw invalid(`${path}.content`, 'must not be empty');
  return parts;
}

/** Thinking goes first, as in the replies of models that show it. */
function answerAt(message: Body, path: string, ids: CallIds): Part[] {
  const { content, refusal } = message;
  const parts: Part[] = [];
  for (const [index, part] of (content == null ? [] : readContent(content, `${path}.content`)).entries()) {
    if (part.type !== 'text' && part.type !== 'refusal')
      throw invalid(`${path}.content[${index}].type`, 'must be text or refusal in an assistant message');
    if (part.text !== '') parts.push(part);
  }
  if (refusal != null && refusal !== '')
    parts.push({ type: 'refusal', text: textAt(refusal, `${path}.refusal`) });
  const { calls, thinking } = callsAt(message, path, ids);
  return [...(thinking.length > 0 ? thinking : shownThinking(message)), ...parts, ...calls];
}

/** Thinking in the form of DeepSeek, OpenRouter and others, which does not name the model. */
function shownThinking(message: Body): ThinkingPart[] {
  for (const field of ['reasoning_content', 'reasoning'] as const) {
    const text = message[field];
    if (typeof text !== 'string' || text === '') continue;
    const value = { [field]: text };
    return [{ type: 'thinking', text, sealed: { wire: 'openai-chat', provider: null, model: null, value } }];
  }
  return [];
}

function callsAt(
  { tool_calls: calls }: Body,
  path: string,
  ids: CallIds,
): { readonly calls: ToolCallPart[]; readonly thinking: ThinkingPart[] } {
  const thinking: ThinkingPart[] = [];
  if (calls == null) return { calls: [], thinking };
  const read = listAt(calls, `${path}.tool_calls`).map((entry, index) => {
    const at = `${path}.tool_calls[${index}]`;
    const call = objectAt(entry, at);
    const extra = readExtraContent(call['extra_content']);
    thinking.push(...extra.thinking);
    const id = ids.called(nameAt(call['id'], `${at}.id`), `${at}.id`);
    const part = { ...callAt(call, at, id), ...(extra.extraContent && { extraContent: extra.extraContent }) };
    return withPath(part, `${at}.function.arguments`);
  });
  return { calls: read, thinking };
}

/** Clients of some frameworks leave the type out. */
function callAt(call: Body, path: string, id: string): ToolCallPart {
  if (call['type'] === 'custom') {
    const custom = objectAt(call['custom'], `${path}.custom`);
    return {
      type: 'tool_call',
      id,
      name: nameAt(custom['name'], `${path}.custom.name`),
      arguments: textAt(custom['input'], `${path}.custom.input`),
      custom: true,
    };
  }
  if ((call['type'] ?? 'function') !== 'function')
    throw invalid(`${path}.type`, 'must be function or custom');
  const called = objectAt(call['function'], `${path}.function`);
  return {
    type: 'tool_call',
    id,
    name: nameAt(called['name'], `${path}.function.name`),
    arguments: textAt(called['arguments'] ?? '{}', `${path}.function.arguments`) || '{}',
  };
}

function resultAt(message: Body, path: string, ids: CallIds): ToolResultPart {
  const callId = ids.answered(
    textAt(message['tool_call_id'], `${path}.tool_call_id`),
    `${path}.tool_call_id`,
  );
  const content = readContent(message['content'], `${path}.content`).map((part, index) => {
    if (part.type === 'text' || part.type === 'image' || part.type === 'document') return part;
    throw invalid(`${path}.content[${index}].type`, 'must be text, image_url or file in a result');
  });
  return { type: 'tool_result', callId, content };
}

type ToolOptions = Pick<UnroutedCall, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** The tools of a request and how they may be called. Throws `invalid_request`. */
export function readToolOptions(body: Body): ToolOptions {
  const tools = toolsIn(body);
  const how = given({
    toolChoice: choiceIn(body, tools),
    parallelToolCalls: booleanIn(body, 'parallel_tool_calls'),
  });
  return tools.length === 0 ? {} : { tools, ...how };
}

function toolsIn({ tools }: Body): readonly ModelTool[] {
  if (tools == null) return [];
  const names = new Set<string>();
  return listAt(tools, 'tools').map((entry, index) => {
    const path = `tools[${index}]`;
    const given = objectAt(entry, path);
    const cache = cacheIn(given);
    const tool = { ...toolAt(given, path), ...(cache && { cache }) };
    const name = nameOf(tool);
    if (names.has(name)) throw invalid(`${path}.${tool.type}.name`, `repeats ${JSON.stringify(name)}`);
    names.add(name);
    return tool;
  });
}

function toolAt(tool: Body, path: string): ModelTool {
  const { type } = tool;
  if (type !== 'function' && type !== 'custom') throw invalid(`${path}.type`, 'must be function or custom');
  const at = `${path}.${type}`;
  const definition = objectAt(tool[type], at);
  return type === 'custom' ? customTool(definition, at) : functionTool(definition, at);
}

/** Without tools only a choice that demands none makes sense. Mistral and its clients say `any` for `required`. */
function choiceIn({ tool_choice: choice }: Body, tools: readonly ModelTool[]): ToolChoice | undefined {
  if (choice == null) return undefined;
  if (choice === 'auto' || choice === 'none') return choice;
  if (choice === 'required' || choice === 'any') {
    if (tools.length > 0) return 'required';
    throw invalid('tool_choice', 'needs tools');
  }
  if (!isObject(choice)) throw invalid('tool_choice', 'must be auto, none, required or an object');
  const { type } = choice;
  if (type !== 'function' && type !== 'custom')
    throw invalid('tool_choice.type', 'must be function or custom');
  const named = objectAt(choice[type], `tool_choice.${type}`);
  const name = nameAt(named['name'], `tool_choice.${type}.name`);
  if (tools.some((tool) => nameOf(tool) === name)) return { type: 'function', function: { name } };
  throw invalid(`tool_choice.${type}.name`, 'must be the name of one of the tools');
}
