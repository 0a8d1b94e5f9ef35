import type {
  ChatMessage,
  ChatPart,
  ChatRequest,
  ChatResponse,
  ChatStreamEvent,
} from '../../../generated/types.gen.ts';
import { fieldError, ServiceError } from '../../contract/errors.ts';
import { type ContentPart, readContent } from '../../gateway/wires/openai-chat/client/read-content.ts';
import { ulid } from '../../lib/ids.ts';
import {
  type ContractMessage,
  contentOf,
  messagesOf,
  toolCallOf,
  toolCallsOf,
} from '../../model/contract-form.ts';
import { type ModelMessage, said } from '../../model/parts.ts';
import type { CallContext, CompletionEvent, ModelGateway, UnroutedCall } from '../../model/port.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import { admit, type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import { answerText, maxTokensOf, tokensBefore, usageOf, usageView } from '../../tenants/metering/spent.ts';

/** The contract's defaults. */
const defaultTemperature = 0.7;
const defaultMaxTokens = 2048;

/** A chat request, and whose it is. */
type ChatContext = MeteredRequest & CallContext;

export interface ChatService {
  /** Answers a chat request. Throws `ServiceError`. */
  answer(request: ChatRequest, context: ChatContext): Promise<ChatResponse>;
  /**
   * Answers as a stream: one `start`, `delta`s, one `end`; those together that came together. Throws `ServiceError` before the
   * first event; a failure after it is thrown by the iteration, in place of `end`.
   */
  stream(request: ChatRequest, context: ChatContext): Promise<AsyncIterable<readonly ChatStreamEvent[]>>;
}

/** Every request passes the limits of its tenant first and is accounted for, however it ends. */
export function createChatService(models: ModelGateway, admissions: Admissions): ChatService {
  const begin = ({ model, metadata }: ChatRequest, call: UnroutedCall, context: ChatContext) =>
    admit(admissions, context, {
      model: model ?? null,
      tokens: () => maxTokensOf(call),
      estimate: () => tokensBefore(call),
      metadata,
    });
  return {
    async answer(request, context) {
      const call = callOf(request);
      const meter = await begin(request, call, context);
      try {
        const served = await models.complete(request.model ?? null, call, meter.watch(context));
        const { parts, finishReason } = served.completion;
        const content = contentOf(parts);
        const toolCalls = toolCallsOf(parts);
        const usage = await usageOf(served.completion.usage, call, answerText(content, toolCalls));
        await meter.succeeded({ served, usage, finishReason });
        const { model, provider, warnings } = served;
        return {
          id: `chat-${ulid()}`,
          model,
          provider,
          content,
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
          finish_reason: finishReason,
          usage: usageView(usage),
          warnings: [...warnings],
        };
      } catch (thrown) {
        await meter.failed(thrown, nothingDelivered);
        throw thrown;
      }
    },

    async stream(request, context) {
      const call = callOf(request);
      const meter = await begin(request, call, context);
      try {
        const served = await models.stream(request.model ?? null, call, meter.watch(context));
        meter.answering();
        return events(served, call, meter);
      } catch (thrown) {
        await meter.failed(thrown, nothingDelivered);
        throw thrown;
      }
    },
  };
}

async function* events(
  served: Awaited<ReturnType<ModelGateway['stream']>>,
  call: UnroutedCall,
  meter: Meter,
): AsyncIterable<readonly ChatStreamEvent[]> {
  const { provider, model, warnings } = served;
  // Kept for the estimate alone, which never exceeds maxTokens: of more text than this it would not change.
  const enough = (call.maxTokens ?? defaultMaxTokens) * 8;
  let content = '';
  let ended = false;
  let failure: unknown = null;
  try {
    yield [{ type: 'start', id: `chat-${ulid()}`, model, provider, warnings: [...warnings] }];
    for await (const first of served.events) {
      let together: ChatStreamEvent[] = [];
      for (let event: CompletionEvent | null = first; event; event = served.events.take()) {
        if (event.type === 'delta' || event.type === 'refusal_delta') {
          if (content.length < enough) content += event.content;
          together.push({ type: 'delta', content: event.content });
        } else if (event.type === 'tool_call_delta') {
          if (content.length < enough) content += event.arguments;
          together.push(event);
        } else if (event.type === 'tool_call') {
          together.push({ type: 'tool_call', index: event.index, tool_call: toolCallOf(event.toolCall) });
        } else if (event.type === 'end') {
          // Pieces before the end do not wait for the ledger.
          if (together.length > 0) yield together;
          const usage = await usageOf(event.usage, call, content);
          ended = true;
          await meter.succeeded({ served, usage, finishReason: event.finishReason });
          together = [{ type: 'end', finish_reason: event.finishReason, usage: usageView(usage) }];
        }
      }
      if (together.length > 0) yield together;
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    // Also when the reader has left or was given up.
    await served.events.return();
    if (!ended) {
      const usage = content === '' ? null : await usageOf(null, call, content);
      if (failure === null) meter.cancelled({ served, usage });
      else await meter.failed(failure, { served, usage });
    }
  }
}

/** Brings both variants to one call, with the contract's defaults. Throws `invalid_request`. */
function callOf(request: ChatRequest): UnroutedCall {
  const call: UnroutedCall = {
    messages:
      typeof request.messages === 'object'
        ? checkedMessages(request.messages)
        : [said('user', String(request.message))],
    temperature: request.temperature ?? defaultTemperature,
    temperatureGiven: request.temperature !== undefined,
    maxTokens: request.maxTokens ?? defaultMaxTokens,
  };
  const { tools, tool_choice, parallel_tool_calls, response_format } = request;
  if (!tools && tool_choice === undefined && parallel_tool_calls === undefined && !response_format)
    return call;
  checkToolOptions(request);
  return {
    ...call,
    ...(tools && { tools }),
    ...(tool_choice !== undefined && { toolChoice: tool_choice }),
    ...(parallel_tool_calls !== undefined && { parallelToolCalls: parallel_tool_calls }),
    ...(response_format && response_format.type !== 'text' && { responseFormat: response_format }),
  };
}

/** The parts that may stand in a message, by who speaks. */
const taken: Readonly<Record<ChatMessage['role'], readonly ChatPart['type'][]>> = {
  system: ['text'],
  user: ['text', 'image_url', 'file', 'input_audio'],
  assistant: ['text'],
  tool: ['text', 'image_url', 'file'],
};

/** Checks what the contract's schema of a message cannot express: which fields go with which role, and that calls are answered. */
function checkedMessages(messages: readonly ChatMessage[]): readonly ModelMessage[] {
  let waiting: ReadonlySet<string> = answered;
  for (const [index, message] of messages.entries()) {
    const { role, content, tool_calls: calls, tool_call_id: id } = message;
    const at = `messages[${index}]`;
    if (waiting.size > 0 && role !== 'tool') throw unanswered(at, waiting);
    if (calls !== undefined && role !== 'assistant') throw misplaced(`${at}.tool_calls`, 'an assistant');
    if (id !== undefined && role !== 'tool') throw misplaced(`${at}.tool_call_id`, 'a tool');
    if (content == null) {
      if (calls === undefined) throw missing(`${at}.content`, content);
    } else if (content === '' && calls === undefined && role !== 'tool') {
      throw fieldError(`${at}.content`, 'minLength', 'must not be empty');
    }
    if (role === 'tool') waiting = withoutAnswered(waiting, id, at);
    else if (calls !== undefined) waiting = idsOf(calls, at);
  }
  if (waiting.size > 0) throw unanswered(`messages[${messages.length}]`, waiting);
  return messagesOf(messages.map((message, index) => withReadParts(message, `messages[${index}]`)));
}

/** Checks what the contract's schema of `tools` and `tool_choice` cannot express. */
function checkToolOptions(request: Pick<ChatRequest, 'tools' | 'tool_choice'>): void {
  const { tools, tool_choice: choice } = request;
  const names = new Set<string>();
  for (const [index, tool] of (tools ?? []).entries()) {
    const { name } = tool.function;
    if (names.has(name))
      throw fieldError(`tools[${index}].function.name`, 'unique', `repeats ${JSON.stringify(name)}`);
    names.add(name);
  }
  if (typeof choice === 'object' && !names.has(choice.function.name))
    throw fieldError('tool_choice.function.name', 'enum', `must be one of ${[...names].join(', ')}`);
}

const answered: ReadonlySet<string> = new Set();

function idsOf(calls: NonNullable<ChatMessage['tool_calls']>, at: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [index, { id }] of calls.entries()) {
    if (ids.has(id))
      throw fieldError(`${at}.tool_calls[${index}].id`, 'unique', 'repeats that of another call');
    ids.add(id);
  }
  return ids;
}

function withoutAnswered(
  waiting: ReadonlySet<string>,
  id: string | undefined,
  at: string,
): ReadonlySet<string> {
  if (id === undefined) throw fieldError(`${at}.tool_call_id`, 'required', 'is required');
  if (!waiting.has(id))
    throw fieldError(
      `${at}.tool_call_id`,
      'enum',
      'must name a call of the assistant message before it, once',
    );
  return new Set([...waiting].filter((other) => other !== id));
}

function unanswered(at: string, waiting: ReadonlySet<string>): ServiceError {
  const [first = ''] = waiting;
  return fieldError(at, 'required', `must be a tool message that answers the call ${JSON.stringify(first)}`);
}

function misplaced(path: string, role: string): ServiceError {
  return fieldError(path, 'unknown_field', `belongs in ${role} message only`);
}

function missing(path: string, content: null | undefined): ServiceError {
  return content === null
    ? fieldError(path, 'type', 'must be a string')
    : fieldError(path, 'required', 'is required');
}

/** A message whose parts are read. Throws `invalid_request`, which names the part, for one that may not stand there or is broken. */
function withReadParts(message: ChatMessage, at: string): ContractMessage {
  const { role, content } = message;
  if (!Array.isArray(content)) return { ...message, content: content ?? null };
  const may = taken[role];
  for (const [index, { type }] of content.entries()) {
    if (may.includes(type)) continue;
    const path = `${at}.content[${index}].type`;
    throw refused(path, 'enum', `${path} must be ${may.join(', ')} in a message of the role ${role}.`);
  }
  return { ...message, content: read(content, `${at}.content`) };
}

/** Checks what the schema cannot: that data is base64, and an address is one. */
function read(content: readonly ChatPart[], path: string): readonly ContentPart[] {
  try {
    return readContent(content, path);
  } catch (error) {
    if (error instanceof ServiceError && error.param !== null && error.details.length === 0)
      throw refused(error.param, 'format', error.message);
    throw error;
  }
}

function refused(path: string, code: string, message: string): ServiceError {
  return new ServiceError('invalid_request', message, { details: [{ path, code, message }] });
}
