import { isObject } from '../../../../lib/json.ts';
import type {
  ModelMessage,
  Part,
  SealedThinking,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../../model/parts.ts';
import { invalid, listAt, nameAt, objectAt, textAt, textIn } from '../../check.ts';
import { unwrapped, unwrapThinking } from '../../envelope.ts';
import { withPath } from '../../source-paths.ts';
import type { Body } from '../../wire.ts';
import { summaryIn } from './compaction.ts';
import { readContent, readOutput } from './read-content.ts';
import { foundTools, type ToolList, type ToolNames } from './read-tools.ts';

const none: ReadonlyMap<string, Body> = new Map();

/** The items of a request, as far as they are not its conversation: tools can stand among them. */
export function itemsOf(input: unknown): { readonly items: readonly Body[]; readonly tools: ToolList[] } {
  if (typeof input === 'string') return { items: [{ role: 'user', content: input }], tools: [] };
  const items = listAt(input ?? [], 'input').map((item, index) => objectAt(item, `input[${index}]`));
  const tools = items.flatMap(({ type, tools }, index) =>
    type === 'additional_tools' || type === 'tool_search_output'
      ? [{ tools, path: `input[${index}].tools` }]
      : [],
  );
  return { items, tools };
}

/**
 * Reads the items of a conversation. Reasoning, texts and calls of the model that follow each other are one message, and
 * the results of its calls come right after it, wherever they stand. Throws `invalid_request`.
 */
export function readInput(items: readonly Body[], names: ToolNames): ModelMessage[] {
  const results = resultsIn(items, names);
  const extraContent = extraContentIn(items);
  const messages: ModelMessage[] = [];
  /** By the client's ids, how many calls and outputs have come: some vendors restart the numbers of their calls in each answer. */
  const called = new Map<string, number>();
  const answered = new Map<string, number>();
  const used = new Set<string>();
  let answer: Part[] = [];
  let calls: { readonly id: string; readonly path: string; readonly result: Result | undefined }[] = [];

  const endAnswer = () => {
    if (answer.length > 0) messages.push({ role: 'assistant', content: answer });
    const given = calls.map(({ id, path, result }) => {
      if (result) return { ...result, part: { ...result.part, callId: id } };
      throw invalid(path, `has no output: the call ${JSON.stringify(id)} must be followed by its output`);
    });
    given.sort((one, other) => one.index - other.index);
    if (given.length > 0) messages.push({ role: 'tool', content: given.map(({ part }) => part) });
    answer = [];
    calls = [];
  };

  const addCall = (call: ToolCallPart, path: string) => {
    const before = called.get(call.id) ?? 0;
    called.set(call.id, before + 1);
    let id = call.id;
    for (let n = before + 1; used.has(id); n += 1) id = `${call.id}_${n}`;
    used.add(id);
    calls.push({ id, path, result: results.get(call.id)?.[before] });
    const extra = extraContent.get(call.id);
    answer.push(withPath({ ...call, id, ...(extra && { extraContent: extra }) }, `${path}.arguments`));
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
      case 'tool_search_call':
        // A search at OpenAI has no output of the client's, and its tools are known by then.
        if (!isSearchItem(item) || isClients(item, names)) addCall(callOf(item, path, names), path);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'tool_search_output': {
        if (isSearchItem(item) && !isClients(item, names)) break;
        const id = textAt(item['call_id'], `${path}.call_id`);
        const before = answered.get(id) ?? 0;
        if (!called.has(id)) throw invalid(`${path}.call_id`, 'must be that of a call before it');
        if (before >= (called.get(id) ?? 0)) throw invalid(`${path}.call_id`, 'must have no other output');
        answered.set(id, before + 1);
        endAnswer();
        break;
      }
      case 'additional_tools':
        break;
      case 'compaction': {
        const summary = summaryIn(item);
        if (summary === null) {
          answer.push({ type: 'thinking', text: '', sealed: sealedAtOpenAi(item) });
          break;
        }
        endAnswer();
        messages.push({ role: 'user', content: [{ type: 'text', text: summary }] });
        break;
      }
      case 'item_reference':
        throw unreadable(item, path);
      default:
        // Of tools that only OpenAI's models know: the table of fields warns the client that they are left out.
        if (typeof item['type'] !== 'string') throw unreadable(item, path);
    }
  }
  endAnswer();
  return messages;
}

interface Result {
  readonly index: number;
  readonly part: ToolResultPart;
}

/** The outputs of calls by the client's ids, in their order: the first is of the first call that has the id. */
function resultsIn(items: readonly Body[], names: ToolNames): ReadonlyMap<string, readonly Result[]> {
  const results = new Map<string, Result[]>();
  for (const [index, item] of items.entries()) {
    const { type, call_id, output, tools } = item;
    const found = isSearchItem(item);
    if (found ? type === 'tool_search_call' || !isClients(item, names) : !isOutput(type)) continue;
    const path = `input[${index}]`;
    const callId = nameAt(call_id, `${path}.call_id`);
    const content: ToolResultPart['content'] = found
      ? [{ type: 'text', text: foundTools(tools, `${path}.tools`, names) }]
      : readOutput(output, `${path}.output`);
    const result: Result = { index, part: { type: 'tool_result', callId, content } };
    const before = results.get(callId);
    if (before) before.push(result);
    else results.set(callId, [result]);
  }
  return results;
}

function isOutput(type: unknown): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output';
}

function isSearchItem({ type }: Body): boolean {
  return type === 'tool_search_call' || type === 'tool_search_output';
}

/** Whether a search for tools is one that the client has carried out. */
function isClients({ execution, call_id: id }: Body, { search }: ToolNames): boolean {
  return search !== null && execution !== 'server' && typeof id === 'string';
}

function callOf(item: Body, path: string, names: ToolNames): ToolCallPart {
  if (isSearchItem(item))
    return {
      type: 'tool_call',
      id: nameAt(item['call_id'], `${path}.call_id`),
      name: names.search ?? '',
      arguments: JSON.stringify(item['arguments'] ?? {}),
    };
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

/** Items that only OpenAI can read are an error, since the conversation would lack them. */
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
  return { type: 'thinking', text, sealed: unwrapThinking(encrypted) ?? sealedAtOpenAi(item) };
}

/** Thinking that only the model that made it can read. */
const sealedAtOpenAi = (item: Body): SealedThinking => ({
  wire: 'openai-responses',
  provider: null,
  model: null,
  value: item,
});

function textsIn(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isObject).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

/**
 * Data that vendors need back with calls of tools, by the calls' ids. Items of calls have no place for it that clients
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
