import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { FinishReason } from '../../../generated/types.gen.ts';
import type { Completion, VendorUsage } from '../port.ts';
import { ToolCallCollector, type ToolCallPiece } from '../wire/tool-calls.ts';
import { count, isObject, type Untrusted } from '../wire/untrusted.ts';
import { usageOf } from '../wire/usage.ts';
import { invalidReply, type Vendor } from '../wire/vendor.ts';
import { errorOfObject } from '../wire/vendor-errors.ts';

/** Reads a whole reply of `POST /chat/completions`. Throws `ProviderError` when it holds no answer. */
export function readReply(vendor: Vendor, model: string, received: unknown): Completion {
  const reply = received as Untrusted<ChatCompletion>;
  const choice = firstChoice(vendor, reply);
  if (!isObject(choice?.message)) throw invalidReply(vendor, 'a reply without an answer', received);
  const reason = reasonIn(vendor, choice.finish_reason);
  if (reason === 'error') throw errorOfObject(vendor, model, choice);
  if (reason === null) throw invalidReply(vendor, 'an answer without a finish reason', received);
  const { content, refusal, tool_calls: calls } = choice.message;
  const collector = new ToolCallCollector(vendor);
  for (const [index, call] of callsIn(vendor, calls).entries()) collector.take(index, pieceOf(vendor, call));
  const toolCalls = collector.all();
  const refused = textIn(vendor, refusal);
  return {
    content: textIn(vendor, content) + refused,
    toolCalls,
    finishReason: finishReasonOf(reason, refused !== '', toolCalls.length > 0),
    usage: readUsage(reply?.usage),
  };
}

/** The first choice of a reply or a chunk; undefined where there is none. Throws `ProviderError` for what is no choice. */
export function firstChoice<Choice extends object>(
  vendor: Vendor,
  reply: { readonly choices?: readonly (Choice | null | undefined)[] | null | undefined } | null | undefined,
): Choice | undefined {
  const choices: unknown = reply?.choices ?? [];
  const [choice] = Array.isArray(choices) ? choices : [null];
  if (choice === undefined || isObject(choice)) return choice as Choice | undefined;
  throw invalidReply(vendor, 'a choice that is none', reply);
}

/** Why the answer ended; null where that is not told, for which some vendors send an empty text. */
export function reasonIn(vendor: Vendor, reason: unknown): string | null {
  if (reason == null || typeof reason === 'string') return reason || null;
  throw invalidReply(vendor, 'a finish reason that is no text', reason);
}

/** The calls of an answer, or the pieces of calls of a chunk. */
export function callsIn(vendor: Vendor, calls: unknown): readonly unknown[] {
  if (calls == null || Array.isArray(calls)) return calls ?? [];
  throw invalidReply(vendor, 'calls of tools that are no list', calls);
}

/**
 * Text is a string, or with Mistral's reasoning models a list of parts of which only `text` is for the reader; null
 * where there is none.
 */
export function textIn(vendor: Vendor, content: unknown): string {
  if (content == null || typeof content === 'string') return content ?? '';
  if (!Array.isArray(content)) throw invalidReply(vendor, 'content that is no text', content);
  return content.map((part: unknown) => textOfPart(vendor, part)).join('');
}

function textOfPart(vendor: Vendor, part: unknown): string {
  const text: unknown = isObject(part) ? (part['text'] ?? '') : null;
  if (typeof text === 'string') return text;
  throw invalidReply(vendor, 'a part of the content that is no text', part);
}

/** `extra_content` is Gemini's (https://ai.google.dev/gemini-api/docs/thought-signatures). */
type CallOnTheWire = ChatCompletionMessageFunctionToolCall & { extra_content: object };

/** A call as it stands in a reply and, in pieces, in a stream. */
export function pieceOf(vendor: Vendor, received: unknown): ToolCallPiece {
  const call = received as Untrusted<CallOnTheWire>;
  if (!isObject(call) || !isObject(call.function ?? {}))
    throw invalidReply(vendor, 'a call of a tool that is none', received);
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
export function finishReasonOf(reason: string, refused: boolean, callsTools: boolean): FinishReason {
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
