import type { Message, TextBlock, ToolUseBlock, Usage } from '@anthropic-ai/sdk/resources/messages/messages';
import type { AnswerPart, Completion, Ending, VendorUsage } from '../port.ts';
import { tokenUsage } from '../token-usage.ts';
import { ToolCallCollector } from '../wire/tool-calls.ts';
import { count, isObject, type Untrusted } from '../wire/untrusted.ts';
import { invalidReply, type Vendor } from '../wire/vendor.ts';

/** Reads a whole reply of `POST /v1/messages`. Throws `ProviderError` when it holds no answer. */
export function readReply(vendor: Vendor, received: unknown): Completion {
  const reply = received as Untrusted<Message>;
  const blocks: unknown = reply?.content;
  if (!Array.isArray(blocks)) throw invalidReply(vendor, 'a reply without an answer', received);
  const collector = new ToolCallCollector(vendor);
  let text = '';
  for (const [index, block] of blocks.entries()) {
    requireBlock(vendor, block);
    // Thinking and the like is not for the reader.
    if (block.type === 'text') text += textIn(vendor, (block as NonNullable<Untrusted<TextBlock>>).text);
    if (isToolUse(block)) {
      const input = inputOf(vendor, block);
      collector.take(index, { id: block.id, name: block.name, arguments: input });
    }
  }
  const toolCalls = collector.all();
  const parts: AnswerPart[] = text === '' ? toolCalls : [{ type: 'text', text }, ...toolCalls];
  return {
    parts,
    ...reasonsOf(vendor, reply?.stop_reason, toolCalls.length > 0),
    usage: readUsage(reply?.usage),
  };
}

/** Throws `ProviderError` for what is no block of content. */
export function requireBlock(
  vendor: Vendor,
  block: unknown,
): asserts block is { readonly type: string; readonly [field: string]: unknown } {
  if (!isObject(block) || typeof block['type'] !== 'string')
    throw invalidReply(vendor, 'a block of content that is none', block);
}

/** Text of a block or a piece of it. Throws `ProviderError` for what is none. */
export function textIn(vendor: Vendor, text: unknown): string {
  if (typeof text === 'string') return text;
  throw invalidReply(vendor, 'content that is no text', text);
}

/** Tools that the vendor runs itself have other types, and we ask for none. */
export function isToolUse(block: {
  readonly type: string;
}): block is { readonly type: 'tool_use' } & NonNullable<Untrusted<ToolUseBlock>> {
  return block.type === 'tool_use';
}

/** The arguments of a call: an object, undefined where none are given. */
export function inputOf(vendor: Vendor, { input }: NonNullable<Untrusted<ToolUseBlock>>): object | undefined {
  if (input == null || isObject(input)) return input ?? undefined;
  throw invalidReply(vendor, 'a call of a tool whose input is no object', input);
}

/** A reason that is unknown to us counts as the model being done. Throws `ProviderError` where there is none. */
export function reasonsOf(vendor: Vendor, reason: unknown, callsTools: boolean): Omit<Ending, 'usage'> {
  if (typeof reason !== 'string') throw invalidReply(vendor, 'an answer without a stop reason', reason);
  if (reason === 'refusal') return { finishReason: 'content_filter', endReason: 'refusal' };
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded')
    return { finishReason: 'length', endReason: 'length' };
  const finishReason = callsTools ? 'tool_calls' : 'stop';
  return { finishReason, endReason: finishReason };
}

/** Tokens, null when the vendor gave none. On this wire `input_tokens` leaves out what concerns the cache. */
export function readUsage(usage: Untrusted<Usage>): VendorUsage {
  const input = count(usage?.input_tokens);
  const output = count(usage?.output_tokens);
  if (input === null || output === null) return null;
  const cached = count(usage?.cache_read_input_tokens) ?? 0;
  const written = count(usage?.cache_creation_input_tokens) ?? 0;
  const thinking = count(usage?.output_tokens_details?.thinking_tokens) ?? 0;
  return tokenUsage({
    inputUncached: input,
    cacheRead: cached,
    cacheWrite5m: written,
    output,
    reasoning: thinking,
  });
}
