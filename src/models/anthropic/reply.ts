import type { Message, TextBlock, ToolUseBlock, Usage } from '@anthropic-ai/sdk/resources/messages/messages';
import type { FinishReason } from '../../../generated/types.gen.ts';
import type { Completion, VendorUsage } from '../port.ts';
import { ToolCallCollector } from '../wire/tool-calls.ts';
import { count, type Untrusted } from '../wire/untrusted.ts';
import { usageOf } from '../wire/usage.ts';
import { invalidReply, type Vendor } from '../wire/vendor.ts';

/** Reads a whole reply of `POST /v1/messages`. Throws `ProviderError` when it holds no answer. */
export function readReply(vendor: Vendor, received: unknown): Completion {
  const reply = received as Untrusted<Message>;
  const blocks: unknown = reply?.content;
  if (!Array.isArray(blocks)) throw invalidReply(vendor, 'a reply without an answer', received);
  const collector = new ToolCallCollector(vendor);
  for (const [index, block] of blocks.entries()) {
    if (isToolUse(block)) collector.take(index, { id: block.id, name: block.name, arguments: block.input });
  }
  const toolCalls = collector.all();
  return {
    content: blocks.map(textOf).join(''),
    toolCalls,
    finishReason: finishReasonOf(reply?.stop_reason, toolCalls.length > 0),
    usage: readUsage(reply?.usage),
  };
}

/** Thinking and the like is not for the reader. */
function textOf(block: Untrusted<TextBlock>): string {
  return block?.type === 'text' && typeof block.text === 'string' ? block.text : '';
}

/** Tools that the vendor runs itself have other types, and we ask for none. */
export function isToolUse(block: unknown): block is NonNullable<Untrusted<ToolUseBlock>> {
  return (block as Untrusted<ToolUseBlock>)?.type === 'tool_use';
}

/** A reason that is unknown to us counts as the model being done. */
export function finishReasonOf(reason: unknown, callsTools: boolean): FinishReason {
  if (reason === 'refusal') return 'content_filter';
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  return callsTools ? 'tool_calls' : 'stop';
}

/** Tokens, null when the vendor gave none. On this wire `input_tokens` leaves out what concerns the cache. */
export function readUsage(usage: Untrusted<Usage>): VendorUsage {
  const input = count(usage?.input_tokens);
  const output = count(usage?.output_tokens);
  if (input === null || output === null) return null;
  const cached = count(usage?.cache_read_input_tokens) ?? 0;
  const written = count(usage?.cache_creation_input_tokens) ?? 0;
  const thinking = count(usage?.output_tokens_details?.thinking_tokens) ?? 0;
  return usageOf(input + cached + written, output, cached, thinking);
}
