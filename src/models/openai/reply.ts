import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { FinishReason } from '../../../generated/types.gen.ts';
import type { Completion, VendorUsage } from '../port.ts';
import { ToolCallCollector, type ToolCallPiece } from '../wire/tool-calls.ts';
import { count, type Untrusted } from '../wire/untrusted.ts';
import { usageOf } from '../wire/usage.ts';
import { invalidReply, type Vendor } from '../wire/vendor.ts';
import { errorOfObject } from '../wire/vendor-errors.ts';

/** Reads a whole reply of `POST /chat/completions`. Throws `ProviderError` when it holds no answer. */
export function readReply(vendor: Vendor, model: string, received: unknown): Completion {
  const reply = received as Untrusted<ChatCompletion>;
  const choice = reply?.choices?.[0];
  if (typeof choice?.message !== 'object' || choice.message === null)
    throw invalidReply(vendor, 'a reply without an answer', received);
  if (choice.finish_reason === 'error') throw errorOfObject(vendor, model, choice);
  const { content, refusal, tool_calls: calls } = choice.message;
  const collector = new ToolCallCollector(vendor);
  if (Array.isArray(calls)) for (const [index, call] of calls.entries()) collector.take(index, pieceOf(call));
  const toolCalls = collector.all();
  return {
    content: textOf(content) + textOf(refusal),
    toolCalls,
    finishReason: finishReasonOf(choice.finish_reason, textOf(refusal) !== '', toolCalls.length > 0),
    usage: readUsage(reply?.usage),
  };
}

/**
 * Text is a string, or with Mistral's reasoning models a list of parts of which only `text` is for the reader.
 */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: Untrusted<{ text: string }>) => textOf(part?.text)).join('');
}

/** `extra_content` is Gemini's (https://ai.google.dev/gemini-api/docs/thought-signatures). */
type CallOnTheWire = ChatCompletionMessageFunctionToolCall & { extra_content: object };

/** A call as it stands in a reply and, in pieces, in a stream. */
export function pieceOf(received: unknown): ToolCallPiece {
  const call = received as Untrusted<CallOnTheWire>;
  return {
    id: call?.id,
    name: call?.function?.name,
    arguments: call?.function?.arguments,
    extraContent: call?.extra_content,
  };
}

/**
 * A refusal is what the model says in place of an answer: its text is shown, and it counts as withheld. Some vendors
 * (Gemini) give `stop` for an answer that calls tools, and a reason that is unknown to us is like it.
 */
export function finishReasonOf(reason: unknown, refused: boolean, callsTools: boolean): FinishReason {
  if (refused || reason === 'content_filter') return 'content_filter';
  if (reason === 'length') return 'length';
  return callsTools ? 'tool_calls' : 'stop';
}

type Usage = CompletionUsage & {
  /** DeepSeek's name for cached tokens. */
  prompt_cache_hit_tokens: number;
};

/**
 * Tokens, null when the vendor gave none. Here the prompt includes cached tokens and the completion those of
 * reasoning; Gemini and xAI leave the reasoning out of the completion but not of the total, which tells on them.
 */
export function readUsage(
  received: Untrusted<ChatCompletion['usage'] | ChatCompletionChunk['usage']>,
): VendorUsage {
  const usage = received as Untrusted<Usage>;
  const prompt = count(usage?.prompt_tokens);
  if (prompt === null) return null;
  const total = count(usage?.total_tokens);
  const given = count(usage?.completion_tokens);
  if (given === null && total === null) return null;
  const hidden = Math.max(0, (total ?? 0) - prompt - (given ?? 0));
  const reasoning = count(usage?.completion_tokens_details?.reasoning_tokens) ?? 0;
  const cached =
    count(usage?.prompt_tokens_details?.cached_tokens) ?? count(usage?.prompt_cache_hit_tokens) ?? 0;
  // Where the vendor gave no completion at all, what is missing from the total is the answer.
  return usageOf(
    prompt,
    (given ?? 0) + hidden,
    cached,
    given === null ? reasoning : Math.max(reasoning, hidden),
  );
}
