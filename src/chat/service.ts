import type { ChatRequest, ChatResponse, ChatStreamEvent, Usage } from '../../generated/types.gen.ts';
import { ulid } from '../lib/ids.ts';
import { estimateMessageTokens, estimateTokens } from '../lib/tokens.ts';
import type { CallContext, ModelGateway, UnroutedCall, VendorUsage } from '../models/port.ts';

/** The contract's defaults. */
const defaultTemperature = 0.7;
const defaultMaxTokens = 2048;

export interface ChatService {
  /** Answers a chat request. Throws `ServiceError`. */
  answer(request: ChatRequest, context: CallContext): Promise<ChatResponse>;
  /**
   * Answers as a stream: one `start`, `delta`s, one `end`. Throws `ServiceError` before the first event; a failure
   * after it is thrown by the iteration, in place of `end`.
   */
  stream(request: ChatRequest, context: CallContext): Promise<AsyncIterable<ChatStreamEvent>>;
}

export function createChatService(models: ModelGateway): ChatService {
  return {
    async answer(request, context) {
      const call = callOf(request);
      const { completion, provider, model, warnings } = await models.complete(
        request.model ?? null,
        call,
        context,
      );
      const { content, finishReason, usage } = completion;
      return {
        id: `chat-${ulid()}`,
        model,
        provider,
        content,
        finish_reason: finishReason,
        usage: await usageOf(usage, call, content),
        warnings: [...warnings],
      };
    },

    async stream(request, context) {
      const call = callOf(request);
      const served = await models.stream(request.model ?? null, call, context);
      return events(served, call);
    },
  };
}

async function* events(
  { events, provider, model, warnings }: Awaited<ReturnType<ModelGateway['stream']>>,
  call: UnroutedCall,
): AsyncIterable<ChatStreamEvent> {
  yield { type: 'start', id: `chat-${ulid()}`, model, provider, warnings: [...warnings] };
  // Kept for the estimate alone, which never exceeds maxTokens: of more text than this it would not change.
  const enough = call.maxTokens * 8;
  let content = '';
  for await (const event of events) {
    if (event.type === 'delta') {
      if (content.length < enough) content += event.content;
      yield event;
    } else {
      const usage = await usageOf(event.usage, call, content);
      yield { type: 'end', finish_reason: event.finishReason, usage };
    }
  }
}

/** Brings both variants to one call, with the contract's defaults. */
function callOf(request: ChatRequest): UnroutedCall {
  return {
    messages: 'messages' in request ? request.messages : [{ role: 'user', content: request.message }],
    temperature: request.temperature ?? defaultTemperature,
    temperatureGiven: request.temperature !== undefined,
    maxTokens: request.maxTokens ?? defaultMaxTokens,
  };
}

async function usageOf(
  counted: VendorUsage,
  { messages, maxTokens }: UnroutedCall,
  content: string,
): Promise<Usage> {
  if (counted) return { ...counted, source: 'provider' };
  const prompt = await estimateMessageTokens(messages);
  const completion = Math.min(await estimateTokens(content), maxTokens);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    source: 'estimated',
  };
}
