import type { Message } from '@anthropic-ai/sdk/resources/messages/messages';
import { given, isObject } from '../../../../lib/json.ts';
import type { Citation, ThinkingPart } from '../../../../model/parts.ts';
import type { AnswerPart, Completion, Ending, EndReason } from '../../../../model/port.ts';
import { endedBy, meaningOf } from '../../../upstream/endings.ts';
import { ToolCallCollector } from '../../../upstream/tool-calls.ts';
import { invalidReply, type Untrusted, type Vendor } from '../../../upstream/vendor.ts';
import { failureOf } from '../../../upstream/vendor-errors.ts';
import { readUsage } from './usage.ts';

/** Who answers, and the tools among its own whose arguments were wrapped. */
export interface Answerer {
  readonly vendor: Vendor;
  readonly model: string;
  readonly customTools: ReadonlySet<string>;
}

/** Reads a whole reply of `POST /v1/messages`. Throws `ProviderError` when it holds no answer. */
export function readReply(answerer: Answerer, received: unknown): Completion {
  const { vendor } = answerer;
  const reply = received as Untrusted<Message>;
  const blocks: unknown = reply?.content;
  if (!Array.isArray(blocks)) throw invalidReply(vendor, 'a reply without an answer', received);
  const collector = new ToolCallCollector(vendor, answerer.customTools);
  const parts: AnswerPart[] = [];
  for (const [index, block] of blocks.entries()) {
    requireBlock(vendor, block);
    if (block.type === 'text') parts.push(textPart(vendor, block));
    else if (isThinking(block)) parts.push(thinkingPart(answerer, block));
    else if (isToolUse(block)) {
      collector.take(index, { id: block['id'], name: block['name'], arguments: inputOf(vendor, block) });
      parts.push(...collector.complete(index));
    }
    // Blocks of the vendor's own tools are not for the reader, and we ask for none.
  }
  const end: ToldEnd = reply ?? {};
  const refusal = refusalIn(end);
  return {
    parts: refusal === '' ? parts : [...parts, { type: 'refusal', text: refusal }],
    ...endOf(answerer, end, { callsTools: collector.size > 0, said: parts.length > 0 }),
    usage: readUsage(reply?.usage),
  };
}

export interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Throws `ProviderError` for what is no block of content. */
export function requireBlock(vendor: Vendor, block: unknown): asserts block is Block {
  if (!isObject(block) || typeof block['type'] !== 'string')
    throw invalidReply(vendor, 'a block of content that is none', block);
}

/** Text of a block or a piece of it. Throws `ProviderError` for what is none. */
export function textIn(vendor: Vendor, text: unknown): string {
  if (typeof text === 'string') return text;
  throw invalidReply(vendor, 'content that is no text', text);
}

function textPart(vendor: Vendor, { text, citations: received }: Block): AnswerPart {
  const citations = citationsOf(received);
  return { type: 'text', text: textIn(vendor, text), ...(citations.length > 0 && { citations }) };
}

/** Thinking that is shown, or encrypted as a whole. */
export function isThinking(block: Block): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/** Thinking, which goes back to the vendor as it came, with every field. */
export function thinkingPart({ vendor, model }: Answerer, block: Block): ThinkingPart {
  const { type, thinking } = block;
  const text = type === 'thinking' ? textIn(vendor, thinking ?? '') : '';
  return { type: 'thinking', text, sealed: { wire: 'anthropic', provider: vendor.id, model, value: block } };
}

/** Tools that the vendor runs itself have other types, and we ask for none. */
export function isToolUse({ type }: Block): boolean {
  return type === 'tool_use';
}

/** The arguments of a call: an object, undefined where none are given. */
export function inputOf(vendor: Vendor, { input }: Block): object | undefined {
  if (input == null || isObject(input)) return input ?? undefined;
  throw invalidReply(vendor, 'a call of a tool whose input is no object', input);
}

/**
 * The parts of a citation that every wire understands; null for anything else. A page of the web has `url`, a search result
 * `source`, a document `document_title` (https://platform.claude.com/docs/en/build-with-claude/citations).
 */
export function citationOf(received: unknown): Citation | null {
  if (!isObject(received)) return null;
  const text = (...fields: string[]) =>
    fields.map((name) => received[name]).find((value) => typeof value === 'string');
  const [url, title] = [text('url', 'source'), text('title', 'document_title')];
  return given({ url, title, citedText: text('cited_text') });
}

export function citationsOf(received: unknown): Citation[] {
  if (!Array.isArray(received)) return [];
  return received.map(citationOf).filter((citation) => citation !== null);
}

/** The end as a message or its last event reports it; values are unchecked. */
export type ToldEnd = Pick<NonNullable<Untrusted<Message>>, 'stop_reason' | 'stop_sequence' | 'stop_details'>;

/**
 * A reason that is unknown to us counts as the model being done, and so does none of an answer that is whole all the same. Throws
 * `ProviderError` for a reason that says that there is no answer, and where there is neither a reason nor an answer.
 * @param said whether there is anything of an answer
 */
export function endOf(
  { vendor, model }: { readonly vendor: Vendor; readonly model: string },
  end: ToldEnd,
  { callsTools, said }: { readonly callsTools: boolean; readonly said: boolean },
): Omit<Ending, 'usage'> {
  const { stop_reason: reason, stop_sequence: sequence } = end;
  if (typeof (reason ?? '') !== 'string' || (reason == null && !said))
    throw invalidReply(vendor, 'an answer without a stop reason', reason);
  if (typeof reason === 'string' && meaningOf(reason) === 'failed')
    throw failureOf(vendor, model, reason, {});
  const endReason = endReasonOf(reason as string | null | undefined, callsTools);
  return {
    ...endedBy(endReason, callsTools),
    ...(endReason === 'stop_sequence' && typeof sequence === 'string' && { stopSequence: sequence }),
  };
}

/** For a reason that is no failure. */
export function endReasonOf(reason: string | null | undefined, callsTools: boolean): EndReason {
  const meaning = reason == null ? null : (reasons.get(reason) ?? meaningOf(reason));
  if (meaning !== null && meaning !== 'failed' && meaning !== 'stop' && meaning !== 'tool_calls')
    return meaning;
  return callsTools ? 'tool_calls' : 'stop';
}

/** Why the answer was refused, in words for the client; empty where the vendor does not say. */
export function refusalIn({ stop_reason: reason, stop_details: details }: ToldEnd): string {
  if (reason !== 'refusal' || !isObject(details)) return '';
  const explanation: unknown = details['explanation'];
  return typeof explanation === 'string' ? explanation : '';
}

const reasons: ReadonlyMap<string, EndReason> = new Map([
  ['refusal', 'refusal'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context_window'],
  ['stop_sequence', 'stop_sequence'],
  ['pause_turn', 'pause'],
]);
