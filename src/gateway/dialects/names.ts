import { createHash } from 'node:crypto';
import type { ModelMessage, Part } from '../../model/parts.ts';
import type { Completion, CompletionEvent, CompletionStream, ModelTool } from '../../model/port.ts';
import type { IdRule, NameRule } from './rules.ts';
import { namePattern } from './schema.ts';

/** Letters of a digest, enough to distinguish two names. */
const digestLength = 8;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const patterns = new WeakMap<NameRule, RegExp>();

/** Whether a name keeps to the rule. */
export function keepsTo(rule: NameRule, name: string): boolean {
  const pattern = patterns.get(rule) ?? namePattern(rule);
  patterns.set(rule, pattern);
  return pattern.test(name);
}

/** The names of tools that a vendor is sent in place of those that it does not take, and the way back. */
export class ToolNames {
  readonly #aliases = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** @param all the names of the tools of a request and of the calls in it */
  constructor(all: readonly string[], rule: NameRule) {
    const taken = new Set(all.filter((name) => keepsTo(rule, name)));
    for (const name of all) {
      if (taken.has(name) || this.#aliases.has(name)) continue;
      const alias = aliasOf(name, rule, taken);
      taken.add(alias);
      this.#aliases.set(name, alias);
      this.#names.set(alias, name);
    }
  }

  toVendor(name: string): string {
    return this.#aliases.get(name) ?? name;
  }

  toClient(alias: string): string {
    return this.#names.get(alias) ?? alias;
  }
}

/** An alias depends on the name alone as long as no other tool has it, so that the vendor's cache knows a conversation again. */
function aliasOf(name: string, { letters, first, max }: NameRule, taken: ReadonlySet<string>): string {
  const plain = name.replaceAll(new RegExp(`[^${letters}]`, 'g'), '_');
  const begun = first === undefined || new RegExp(`^[${first}]`).test(plain) ? plain : `_${plain}`;
  if (begun.length <= max && begun !== '' && !taken.has(begun)) return begun;
  for (let n = 0; ; n += 1) {
    const ending = `_${digest(n === 0 ? name : `${name} ${n}`).slice(0, digestLength)}`;
    const alias = begun.slice(0, max - ending.length) + ending;
    if (!taken.has(alias)) return alias;
  }
}

export function withName(tool: ModelTool, name: string): ModelTool {
  return tool.type === 'custom'
    ? { ...tool, custom: { ...tool.custom, name } }
    : { ...tool, function: { ...tool.function, name } };
}

/**
 * The ids of calls as the rule has them. Two ids never become one, and an id is the same again when the conversation has grown, so
 * that the vendor's cache still knows the beginning of it.
 */
export function idsFor(rule: IdRule): (id: string) => string {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    let made = idOf(id, rule, 0);
    for (let n = 1; taken.has(made); n += 1) made = idOf(id, rule, n);
    known.set(id, made);
    taken.add(made);
    return made;
  };
}

function idOf(id: string, { letters, max = Number.POSITIVE_INFINITY, exactly }: IdRule, n: number): string {
  const joint = letters === undefined || letters.includes('_') ? '_' : '0';
  const plain = letters === undefined ? id : id.replaceAll(new RegExp(`[^${letters}]`, 'g'), joint) || 'call';
  if (exactly !== undefined)
    return n === 0 && id.length === exactly && plain === id ? id : digest(`${id} ${n}`).slice(0, exactly);
  const numbered = n === 0 ? plain : `${plain}${joint}${n + 1}`;
  // One that is too long begins like one of OpenAI's.
  return numbered.length <= max ? numbered : `call${joint}${digest(numbered)}`.slice(0, Math.min(max, 45));
}

/** The conversation with other names and ids in its calls and results; the same list where none changes. */
export function renamed(
  messages: readonly ModelMessage[],
  name: (name: string) => string,
  id: (id: string) => string,
): readonly ModelMessage[] {
  let changed = false;
  const all = messages.map((message) => {
    const content = message.content.map((part) => renamedPart(part, name, id));
    if (content.every((part, index) => part === message.content[index])) return message;
    changed = true;
    return { ...message, content };
  });
  return changed ? all : messages;
}

function renamedPart(part: Part, name: (name: string) => string, id: (id: string) => string): Part {
  if (part.type === 'tool_call') {
    const now = { id: id(part.id), name: name(part.name) };
    return now.id === part.id && now.name === part.name ? part : { ...part, ...now };
  }
  if (part.type !== 'tool_result') return part;
  const callId = id(part.callId);
  return callId === part.callId ? part : { ...part, callId };
}

/** Results of tools, each in a message of its own with the name of its tool. */
export function withResultNames(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const names = new Map<string, string>();
  return messages.flatMap((message) => {
    for (const part of message.content) if (part.type === 'tool_call') names.set(part.id, part.name);
    if (message.role !== 'tool') return [message];
    return message.content.map((part) => {
      const name = part.type === 'tool_result' ? names.get(part.callId) : undefined;
      return { ...message, content: [part], ...(name !== undefined && { name }) };
    });
  });
}

/** A whole answer with the client's own names of its tools. */
export function answerWithNames(completion: Completion, names: ToolNames): Completion {
  return {
    ...completion,
    parts: completion.parts.map((part) =>
      part.type === 'tool_call' ? { ...part, name: names.toClient(part.name) } : part,
    ),
  };
}

/** A streamed answer with the client's own names of its tools. */
export function streamWithNames(events: CompletionStream, names: ToolNames): CompletionStream {
  const stream: CompletionStream = {
    [Symbol.asyncIterator]: () => stream,
    async next() {
      const result = await events.next();
      return result.done ? result : { value: withNames(result.value, names), done: false };
    },
    take() {
      const event = events.take();
      return event && withNames(event, names);
    },
    return: () => events.return(),
  };
  return stream;
}

function withNames(event: CompletionEvent, names: ToolNames): CompletionEvent {
  if (event.type === 'tool_call_delta') return { ...event, name: names.toClient(event.name) };
  if (event.type !== 'tool_call') return event;
  const { toolCall } = event;
  return { ...event, toolCall: { ...toolCall, name: names.toClient(toolCall.name) } };
}
