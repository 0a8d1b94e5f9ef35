import { isObject } from '../../../../lib/json.ts';
import type {
  ModelMessage,
  Part,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../../model/parts.ts';
import { invalid, listAt, nameAt, objectAt, textAt, textIn } from '../../check.ts';
import { unwrapped, unwrapThinking } from '../../envelope.ts';
import { placed } from '../../source-paths.ts';
import type { Body } from '../../wire.ts';
import { readContent, readOutput } from './read-content.ts';
import type { ToolList, ToolNames } from './read-tools.ts';

const none: ReadonlyMap<string, Body> = new Map();

/** The items of a request, as far as they are not its conversation: tools can stand among them. */
export function itemsOf(input: unknown): { readonly items: readonly Body[]; readonly tools: ToolList[] } {
  if (typeof input === 'string') return { items: [{ role: 'user', content: input }], tools: [] };
  const items = listAt(input ?? [], 'input').map((item, index) => objectAt(item, `input[${index}]`));
  const tools = items.flatMap(({ type, tools }, index) =>
    type === 'additional_tools' ? [{ tools, path: `input[${index}].tools` }] : [],
  );
  return { items, tools };
}

/**
 * Reads the items of a conversation. Reasoning, texts and calls of the model that follow each other are one message, and
 * the results of its calls come right after it, wherever they stand. Throws `invalid_request`.
 */
export function readInput(items: readonly Body[], names: ToolNames): ModelMessage[] {
  const results = resultsIn(items);
  const extraContent = extraContentIn(items);
  const messages: ModelMessage[] = [];
  const called = new Set<string>();
  let answer: Part[] = [];
  let calls: { readonly id: string; readonly path: string }[] = [];

  const endAnswer = () => {
    if (answer.length > 0) messages.push({ role: 'assistant', content: answer });
    const given = calls.map(({ id, path }) => {
      const result = results.get(id);
      if (result) return result;
      throw invalid(path, `has no output: the call ${JSON.stringify(id)} must be followed by its output`);
    });
    given.sort((one, other) => one.index - other.index);
    if (given.length > 0) messages.push({ role: 'tool', content: given.map(({ part }) => part) });
    answer = [];
    calls = [];
  };

  const addCall = (call: ToolCallPart, path: string) => {
    if (called.has(call.id)) throw invalid(`${path}.call_id`, 'must differ from those of other calls');
    called.add(call.id);
    calls.push({ id: call.id, path });
    const extra = extraContent.get(call.id);
    answer.push(placed(extra ? { ...call, extraContent: extra } : call, `${path}.arguments`));
  };

  for (const [index, item] of items.entries()) {
    const path = `input[${index}]`;
    switch (item['type'] ?? 'message') {
      case 'message': {
        const role = roleOf(item, path);
        const content = readContent(item['content'], `${path}.content`);
        if (role === 'assistant') {
          answer.push(...content);
          break;
        }
        endAnswer();
        if (content.length > 0) messages.push({ role, content });
        break;
      }
      case 'reasoning': {
        const thinking = readReasoning(item, path);
        if (thinking) answer.push(thinking);
        break;
      }
      case 'function_call':
      case 'custom_tool_call':
        addCall(callOf(item, path, names), path);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        if (!called.has(textAt(item['call_id'], `${path}.call_id`)))
          throw invalid(`${path}.call_id`, 'must be that of a call before it');
        endAnswer();
        break;
      case 'additional_tools':
      // What a search has found stands in the answer after it.
      case 'web_search_call':
        break;
      default:
        throw unreadable(item, path);
    }
  }
  endAnswer();
  return messages;
}

interface Result {
  readonly index: number;
  readonly part: ToolResultPart;
}

function resultsIn(items: readonly Body[]): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  for (const [index, { type, call_id, output }] of items.entries()) {
    if (type !== 'function_call_output' && type !== 'custom_tool_call_output') continue;
    const path = `input[${index}]`;
    const callId = nameAt(call_id, `${path}.call_id`);
    if (results.has(callId)) throw invalid(`${path}.call_id`, 'must have no other output');
    const content = readOutput(output, `${path}.output`);
    results.set(callId, { index, part: { type: 'tool_result', callId, content } });
  }
  return results;
}

function callOf(item: Body, path: string, names: ToolNames): ToolCallPart {
  const namespace = item['namespace'] ?? undefined;
  const custom = item['type'] === 'custom_tool_call';
  const field = custom ? 'input' : 'arguments';
  return {
    type: 'tool_call',
    id: nameAt(item['call_id'], `${path}.call_id`),
    name: names.joined({
      name: nameAt(item['name'], `${path}.name`),
      ...(namespace !== undefined && { namespace: nameAt(namespace, `${path}.namespace`) }),
    }),
    arguments: textAt(item[field], `${path}.${field}`),
    ...(custom && { custom }),
  };
}

type Role = Exclude<ModelMessage['role'], 'tool'>;

function roleOf({ role }: Body, path: string): Role {
  if (role === 'user' || role === 'assistant' || role === 'system' || role === 'developer') return role;
  throw invalid(`${path}.role`, 'must be user, assistant, system or developer');
}

/** Of what only OpenAI can read the client is told, since the conversation would lack it. */
function unreadable({ type }: Body, path: string): Error {
  if (type === 'item_reference')
    return invalid(
      path,
      'refers to an item that is stored at OpenAI, which other models cannot read: send whole items and store: false',
    );
  return invalid(
    `${path}.type`,
    `must be message, reasoning, function_call, function_call_output, custom_tool_call or custom_tool_call_output; ${JSON.stringify(type)} can be read by OpenAI's own models only`,
  );
}

/** The thinking in a `reasoning` item; null where there is none. */
function readReasoning(item: Body, path: string): ThinkingPart | null {
  const text = [...textsIn(item['summary']), ...textsIn(item['content'])].join('\n\n');
  const encrypted = textIn(item, 'encrypted_content', `${path}.encrypted_content`);
  if (encrypted === undefined) return text === '' ? null : { type: 'thinking', text, sealed: null };
  if (callsIn(encrypted)) return null;
  const sealed = unwrapThinking(encrypted) ?? {
    wire: 'openai-responses',
    provider: null,
    model: null,
    value: item,
  };
  return { type: 'thinking', text, sealed };
}

function textsIn(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isObject).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

/**
 * What vendors need to see again with calls of tools, by the calls' ids. Items of calls have no place for it that clients
 * keep, so it travels in a `reasoning` item of its own (`extraContentItem`).
 */
function extraContentIn(items: readonly Body[]): ReadonlyMap<string, Body> {
  let found: Map<string, Body> | null = null;
  for (const { type, encrypted_content: encrypted } of items) {
    const calls = type === 'reasoning' && typeof encrypted === 'string' ? callsIn(encrypted) : null;
    if (!calls) continue;
    found ??= new Map();
    for (const [id, extra] of Object.entries(calls)) if (isObject(extra)) found.set(id, extra);
  }
  return found ?? none;
}

function callsIn(encrypted: string): Body | null {
  const calls = unwrapped(encrypted)?.['calls'];
  return isObject(calls) ? calls : null;
}
