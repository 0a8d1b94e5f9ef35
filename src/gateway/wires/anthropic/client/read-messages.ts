import type { ModelMessage, Part, TextPart, ToolCallPart, ToolResultPart } from '../../../../model/parts.ts';
import type { CompletionEvent } from '../../../../model/port.ts';
import { invalid, listAt, objectAt } from '../../check.ts';
import type { Body } from '../../wire.ts';
import { blocksAt, type PlacedBlock, readAssistantBlock, readText, readUserBlock } from './content.ts';

/**
 * Brings the pieces of calls that take turns one after the other: events of another call than the open one wait until that
 * is complete, and so do later events. How much can wait is bounded by the adapters.
 */
export class CallOrder {
  #open: number | null = null;
  #waiting: Waiting[] = [];

  /** The events that are next. */
  take(event: CompletionEvent): CompletionEvent[] {
    const index = callOf(event);
    if (event.type === 'end') {
      const rest = this.#waiting.flatMap(({ events }) => events);
      this.#waiting = [];
      return [...rest, event];
    }
    if (this.#open === null || this.#open === index) return this.#pass(event);
    this.#wait(index, event);
    return [];
  }

  #pass(event: CompletionEvent): CompletionEvent[] {
    this.#open = event.type === 'tool_call_delta' ? event.index : null;
    return event.type === 'tool_call' ? [event, ...this.#release()] : [event];
  }

  /** Releases the waiting events, up to the first call that is not complete. */
  #release(): CompletionEvent[] {
    const released: CompletionEvent[] = [];
    while (this.#waiting.length > 0 && this.#open === null) {
      const { index, events } = this.#waiting.shift() as Waiting;
      released.push(...events);
      this.#open = events.at(-1)?.type === 'tool_call_delta' ? index : null;
    }
    return released;
  }

  #wait(index: number | null, event: CompletionEvent): void {
    const last = this.#waiting.at(-1);
    const place = index === null ? last : this.#waiting.find((waiting) => waiting.index === index);
    if (place && place.index === index) place.events.push(event);
    else this.#waiting.push({ index, events: [event] });
  }
}

/**
 * Claude Code's first instruction says for whom it asks, and changes with each request. Anthropic takes it out; left in, it
 * would empty the prompt cache of any other vendor.
 */
const attribution = 'x-anthropic-billing-header:';

/** The conversation, with the instructions before it. Throws `invalid_request`. */
export function readMessages(body: Body): ModelMessage[] {
  const system = readSystem(body['system']);
  const turns = new Turns();
  const messages = listAt(body['messages'], 'messages');
  if (messages.length === 0) throw invalid('messages', 'must have at least one message');
  for (const [index, value] of messages.entries()) turns.take(objectAt(value, `messages[${index}]`), index);
  return [...system, ...turns.end()];
}

function readSystem(system: unknown): ModelMessage[] {
  if (system == null) return [];
  const content = textsOf(blocksAt(system, 'system'));
  return content.length > 0 ? [{ role: 'system', content }] : [];
}

function textsOf(blocks: readonly PlacedBlock[]): TextPart[] {
  return blocks.flatMap(({ block, type, path }) => {
    if (type !== 'text') throw invalid(`${path}.type`, 'must be text');
    const text = withoutAttribution(readText(block, path).text);
    return text === '' ? [] : [{ type: 'text' as const, text }];
  });
}

interface OpenCall {
  readonly id: string;
  readonly path: string;
}

/**
 * Messages of one role in a row are one turn, as this wire has it. The results of a turn's calls come in the next turn of
 * the user, and there before all else.
 */
class Turns {
  readonly #messages: ModelMessage[] = [];
  /** The calls of the last turn of the model that have no result yet, by the client's id. */
  readonly #open = new Map<string, OpenCall>();
  /** The ids of all calls. */
  readonly #used = new Set<string>();
  #model: Part[] = [];
  #user: { readonly results: ToolResultPart[]; readonly messages: ModelMessage[] } | null = null;

  take({ role, content }: Body, index: number): void {
    const path = `messages[${index}]`;
    const blocks = blocksAt(content, `${path}.content`);
    switch (role) {
      case 'system':
        this.#takeSystem(textsOf(blocks));
        break;
      case 'user':
        this.#takeUser(blocks);
        break;
      case 'assistant':
        this.#takeAssistant(blocks);
        break;
      default:
        throw invalid(`${path}.role`, 'must be one of user, assistant, system');
    }
  }

  end(): ModelMessage[] {
    this.#endModel();
    this.#endUser();
    return this.#messages;
  }

  #takeSystem(content: TextPart[]): void {
    if (content.length === 0) return;
    this.#endModel();
    const message: ModelMessage = { role: 'system', content };
    // Never between calls and their results.
    if (this.#user) this.#user.messages.push(message);
    else if (this.#open.size > 0) this.#user = { results: [], messages: [message] };
    else this.#messages.push(message);
  }

  #takeUser(blocks: readonly PlacedBlock[]): void {
    this.#endModel();
    this.#user ??= { results: [], messages: [] };
    const said: Part[] = [];
    for (const placed of blocks) {
      const part = readUserBlock(placed);
      if (part.type === 'tool_result') this.#user.results.push(this.#answered(part, placed.path));
      else said.push(part);
    }
    if (said.length > 0) this.#user.messages.push({ role: 'user', content: said });
  }

  #takeAssistant(blocks: readonly PlacedBlock[]): void {
    this.#endUser();
    for (const placed of blocks) {
      const part = readAssistantBlock(placed);
      this.#model.push(part.type === 'tool_call' ? this.#called(part, placed.path) : part);
    }
  }

  /** Vendors that count their calls in each turn give the same id again: a later call gets another. */
  #called(call: ToolCallPart, path: string): ToolCallPart {
    if (this.#open.has(call.id)) throw invalid(`${path}.id`, 'must differ from the ids of the other calls');
    let id = call.id;
    for (let n = 2; this.#used.has(id); n += 1) id = `${call.id}_${n}`;
    this.#used.add(id);
    this.#open.set(call.id, { id, path });
    return { ...call, id };
  }

  #answered(result: ToolResultPart, path: string): ToolResultPart {
    const call = this.#open.get(result.callId);
    this.#open.delete(result.callId);
    if (call) return { ...result, callId: call.id };
    const expected = 'names no tool_use of the message before that waits for a result';
    throw invalid(`${path}.tool_use_id`, expected);
  }

  #endModel(): void {
    if (this.#model.length > 0) this.#messages.push({ role: 'assistant', content: this.#model });
    this.#model = [];
  }

  #endUser(): void {
    const turn = this.#user;
    this.#user = null;
    if (!turn && this.#model.length > 0) return;
    for (const { path } of this.#open.values())
      throw invalid(path, 'must have its tool_result in the next message, of the user');
    if (!turn) return;
    if (turn.results.length > 0) this.#messages.push({ role: 'tool', content: turn.results });
    this.#messages.push(...turn.messages);
  }
}

/** Instructions without the line of attribution. */
function withoutAttribution(text: string): string {
  if (!text.startsWith(attribution)) return text;
  const end = text.indexOf('\n');
  return end < 0 ? '' : text.slice(end + 1);
}

/** Events that wait for the open call: those of another call, or a stretch of others. */
interface Waiting {
  /** Null: of no call. */
  readonly index: number | null;
  readonly events: CompletionEvent[];
}

function callOf(event: CompletionEvent): number | null {
  return event.type === 'tool_call_delta' || event.type === 'tool_call' ? event.index : null;
}
