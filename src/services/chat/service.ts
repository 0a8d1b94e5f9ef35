import type { ChatRequest, ChatResponse, ChatStreamEvent } from '../../../generated/types.gen.ts';
import { ulid } from '../../lib/ids.ts';
import { contentOf, toolCallOf, toolCallsOf } from '../../model/contract-form.ts';
import { said } from '../../model/parts.ts';
import type { CallContext, CompletionEvent, ModelGateway, UnroutedCall } from '../../model/port.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import { admit, type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import { answerText, maxTokensOf, tokensBefore, usageOf } from '../../tenants/metering/spent.ts';
import { checkedMessages, checkToolOptions } from './conversation.ts';

/** The contract's defaults. */
const defaultTemperature = 0.7;
const defaultMaxTokens = 2048;

/** A chat request, and whose it is. */
export type ChatContext = MeteredRequest & CallContext;

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
          usage,
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
          // What comes before the end does not wait for the ledger.
          if (together.length > 0) yield together;
          const usage = await usageOf(event.usage, call, content);
          ended = true;
          await meter.succeeded({ served, usage, finishReason: event.finishReason });
          together = [{ type: 'end', finish_reason: event.finishReason, usage }];
        }
      }
      if (together.length > 0) yield together;
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    // Also when nobody asks for the next event any more: the reader is gone, or was given up.
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
