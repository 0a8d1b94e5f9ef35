import type {
  ContentBlock,
  Message,
  MessageDeltaUsage,
  RedactedThinkingBlock,
  RefusalStopDetails,
  StopReason,
  TextCitation,
  ThinkingBlock,
  Usage,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { objectIn, parseExactly } from '../../../../lib/json.ts';
import type { Citation, ThinkingPart } from '../../../../model/parts.ts';
import type { Ending, EndReason } from '../../../../model/port.ts';
import type { TokenUsage } from '../../../../model/usage.ts';
import { wrapThinking } from '../../envelope.ts';
import type { AnswerMeta } from '../../wire.ts';

/** The prefix of an id that was given in another alphabet. */
const prefix = 'toolu_sy1_';

/**
 * Thinking as clients of this wire know it: that of Claude as it came, that of another vendor with an envelope in place of
 * the signature, and as a whole in an envelope where all of it is hidden.
 */
export function thinkingBlock({ text, sealed }: ThinkingPart): ThinkingBlock | RedactedThinkingBlock | null {
  if (sealed?.wire === 'anthropic') return sealed.value as unknown as ThinkingBlock | RedactedThinkingBlock;
  if (sealed && text === '') return { type: 'redacted_thinking', data: wrapThinking(sealed) };
  if (!sealed && text === '') return null;
  return { type: 'thinking', thinking: text, signature: sealed ? wrapThinking(sealed) : '' };
}

/** A page of the web, which is what other vendors cite. */
export function citationOnWire({ url = '', title, citedText = '' }: Citation): TextCitation {
  return {
    type: 'web_search_result_location',
    url,
    title: title ?? null,
    cited_text: citedText,
    encrypted_index: '',
  };
}

/** The input of a call. Arguments that are no JSON object, which the model got wrong, are shown as they came. */
export function inputOf(json: string): object {
  return objectIn(json, parseExactly) ?? { unparsed: json };
}

/**
 * The id of a call for clients of this wire, whose ids are letters, digits, `_` and `-`. One that has other characters is
 * encoded, so that its vendor gets it back as it gave it.
 */
export function clientId(id: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(id) && !id.startsWith(prefix)) return id;
  return prefix + Buffer.from(id).toString('base64url');
}

/** The id that the vendor gave. */
export function originalId(id: string): string {
  return id.startsWith(prefix) ? Buffer.from(id.slice(prefix.length), 'base64url').toString() : id;
}

/** A message: a whole answer, or the beginning of one. */
export function messageOf(
  { id, model }: AnswerMeta,
  content: ContentBlock[],
  end: Pick<Message, keyof EndOnWire>,
  tokens: TokenUsage,
): Message {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    container: null,
    diagnostics: null,
    ...end,
    usage: usageOnWire(tokens),
  };
}

/** Tokens as this wire counts them: the input leaves out what concerns the cache. */
function usageOnWire(tokens: TokenUsage): Usage {
  return {
    ...totalsOnWire(tokens),
    input_tokens: tokens.inputUncached,
    cache_creation: {
      ephemeral_5m_input_tokens: tokens.cacheWrite5m,
      ephemeral_1h_input_tokens: tokens.cacheWrite1h,
    },
    inference_geo: null,
    service_tier: null,
    speed: null,
  };
}

/** The same at the end of a stream. */
export function totalsOnWire(tokens: TokenUsage): MessageDeltaUsage {
  return {
    input_tokens: tokens.inputUncached,
    cache_creation_input_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
    output_tokens_details: { thinking_tokens: tokens.reasoning },
    server_tool_use: null,
  };
}

interface EndOnWire {
  readonly stop_reason: StopReason;
  readonly stop_sequence: string | null;
  readonly stop_details: RefusalStopDetails | null;
}

const stopReasons: Readonly<Record<EndReason, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
  stop_sequence: 'stop_sequence',
  context_window: 'model_context_window_exceeded',
  pause: 'pause_turn',
};

/**
 * Why an answer ended.
 * @param refusal what was said in place of an answer; empty: nothing
 */
export function endOnWire(
  { endReason, stopSequence }: Pick<Ending, 'endReason' | 'stopSequence'>,
  refusal: string,
): EndOnWire {
  const reason = refusal === '' ? stopReasons[endReason] : 'refusal';
  return {
    stop_reason: reason,
    stop_sequence: reason === 'stop_sequence' ? (stopSequence ?? null) : null,
    stop_details:
      reason === 'refusal' ? { type: 'refusal', category: null, explanation: refusal || null } : null,
  };
}
