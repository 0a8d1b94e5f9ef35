import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { Citation, ThinkingPart, ToolCallPart } from '../../../../model/parts.ts';
import type { Completion, Ending } from '../../../../model/port.ts';
import { inputTokens, type TokenUsage } from '../../../../model/usage.ts';
import type { AnswerMeta, Body } from '../../wire.ts';
import { extraContentOf } from './read-content.ts';

/** A message, with the thinking where DeepSeek's clients look for it: OpenAI has no field for it. */
type MessageOnWire = ChatCompletionMessage & { readonly reasoning_content?: string };

/** A call, with what has to come back with it. */
type ToolCallOnWire = ChatCompletionMessageToolCall & { readonly extra_content?: Body };

interface AnswerOnWire extends Omit<ChatCompletion, 'choices' | 'system_fingerprint' | 'service_tier'> {
  readonly choices: (Omit<ChatCompletion.Choice, 'message'> & { readonly message: MessageOnWire })[];
  /** Without these the SDK of OpenRouter and LiteLLM's `groq/` read no answer. */
  readonly system_fingerprint: null;
  readonly service_tier: null;
}

/** A whole answer as the body of a reply to `POST /v1/chat/completions`. */
export function answerOnWire(completion: Completion, meta: AnswerMeta): AnswerOnWire {
  const message = messageOnWire(completion);
  return {
    id: `chatcmpl-${meta.id}`,
    object: 'chat.completion',
    created: meta.createdAt,
    model: meta.model,
    system_fingerprint: null,
    service_tier: null,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: finishReasonOnWire(completion, message.refusal !== null),
      },
    ],
    usage: usageOnWire(meta.usage()),
  };
}

function messageOnWire({ parts }: Completion): MessageOnWire {
  let content: string | null = null;
  let refusal: string | null = null;
  let reasoning = '';
  const annotations: ChatCompletionMessage.Annotation[] = [];
  const calls: ToolCallOnWire[] = [];
  let before: ThinkingPart[] = [];
  for (const part of parts) {
    if (part.type === 'text') {
      const start: number = content?.length ?? 0;
      content = (content ?? '') + part.text;
      annotations.push(...annotationsOf(part.citations ?? [], start, content.length));
    } else if (part.type === 'refusal') refusal = (refusal ?? '') + part.text;
    else if (part.type === 'thinking') {
      reasoning += part.text;
      before.push(part);
    } else {
      calls.push(callOnWire(part, before));
      before = [];
    }
  }
  return {
    role: 'assistant',
    content: content ?? (refusal === null && calls.length === 0 ? '' : null),
    refusal,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    annotations,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

export function callOnWire(part: ToolCallPart, thinking: readonly ThinkingPart[]): ToolCallOnWire {
  const { id, name, arguments: text, custom } = part;
  const extra = extraContentOf(part, thinking);
  return {
    id,
    ...(custom
      ? { type: 'custom' as const, custom: { name, input: text } }
      : { type: 'function' as const, function: { name, arguments: text } }),
    ...(extra && { extra_content: extra }),
  };
}

/**
 * The sources of an answer, as far as they have addresses.
 * @param start where the text begins that the citations count from
 * @param end where it ends, for one without a place
 */
export function annotationsOf(
  citations: readonly Citation[],
  start: number,
  end: number,
): ChatCompletionMessage.Annotation[] {
  return citations.flatMap(({ url, title, start: from, end: to }) =>
    url === undefined
      ? []
      : [
          {
            type: 'url_citation' as const,
            url_citation: {
              url,
              title: title ?? '',
              start_index: from === undefined ? start : start + from,
              end_index: to === undefined ? end : start + to,
            },
          },
        ],
  );
}

/** Tokens in OpenAI's terms: the prompt includes what concerns the cache, and the completion the reasoning. */
export function usageOnWire(tokens: TokenUsage): CompletionUsage {
  const prompt = inputTokens(tokens);
  const written = tokens.cacheWrite5m + tokens.cacheWrite1h;
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.output,
    total_tokens: prompt + tokens.output,
    prompt_tokens_details: {
      cached_tokens: tokens.cacheRead,
      audio_tokens: tokens.audioIn,
      ...(written > 0 && { cache_write_tokens: written }),
    },
    completion_tokens_details: {
      reasoning_tokens: tokens.reasoning,
      audio_tokens: tokens.audioOut,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

export type FinishReasonOnWire = ChatCompletion.Choice['finish_reason'];

/**
 * Why an answer ended, in this wire's words. OpenAI calls it `stop` when its models refuse in `refusal`; where a vendor
 * refuses in plain text or with none, only `content_filter` can express it.
 * @param refused whether the answer has a refusal of its own
 */
export function finishReasonOnWire(ending: Ending, refused: boolean): FinishReasonOnWire {
  return ending.endReason === 'refusal' && refused ? 'stop' : ending.finishReason;
}
