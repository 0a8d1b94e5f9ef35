import type {
  Response,
  ResponseCustomToolCall,
  ResponseFunctionToolCall,
  ResponseReasoningItem,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import { isObject } from '../../../../lib/json.ts';
import type { Citation, ThinkingPart } from '../../../../model/parts.ts';
import type { AnswerPart, Completion, Ending, VendorUsage } from '../../../../model/port.ts';
import { count, tokenUsage, wholeInput } from '../../../../model/usage.ts';
import { endedBy } from '../../../upstream/endings.ts';
import { ToolCallCollector, type ToolCallPiece } from '../../../upstream/tool-calls.ts';
import { invalidReply, type Untrusted, type Vendor } from '../../../upstream/vendor.ts';
import { errorOfObject } from '../../../upstream/vendor-errors.ts';

/** An item of an answer, or a part of one, of which nothing is known but that it is an object. */
export type Item = Readonly<Record<string, unknown>>;

/**
 * Reads a whole reply of `POST /responses`. Throws `ProviderError` when it holds no answer.
 * @param json whether the answer is to be JSON: the model's text on the way to it is not part of it
 */
export function readReply(vendor: Vendor, model: string, received: unknown, json = false): Completion {
  if (!isObject(received)) throw invalidReply(vendor, 'a reply that is no object', received);
  const items = itemsIn(vendor, received['output']).filter((item) => !json || !isComment(item));
  const collector = new ToolCallCollector(vendor);
  for (const [index, item] of items.entries()) if (isCall(item)) collector.take(index, pieceOf(item));
  const parts = items.flatMap((item, index): readonly AnswerPart[] => {
    if (item['type'] === 'message') return contentIn(vendor, item).flatMap((part) => partOf(vendor, part));
    if (item['type'] === 'reasoning') return [thinkingPart(vendor, model, item)];
    return collector.complete(index);
  });
  const refused = parts.some(({ type }) => type === 'refusal');
  const ending = endingOf(vendor, model, received['status'], received, refused, collector.size > 0);
  return { parts, ...ending };
}

/**
 * How an answer has ended. Throws `ProviderError` for one that has failed or has not ended.
 * @param status as the response or the name of the event says it
 * @param refused whether the model has said a refusal
 */
export function endingOf(
  vendor: Vendor,
  model: string,
  status: unknown,
  received: unknown,
  refused: boolean,
  callsTools: boolean,
): Ending {
  const response = received as Untrusted<Response>;
  if (status === 'failed') throw errorOfObject(vendor, model, response?.error);
  const usage = readUsage(response?.usage);
  if (status === 'incomplete') {
    const filtered = response?.incomplete_details?.reason === 'content_filter';
    return { ...endedBy(filtered ? 'content_filter' : 'length', callsTools), usage };
  }
  if (status !== 'completed') throw invalidReply(vendor, 'a response that is not complete', received);
  return { ...endedBy(refused ? 'refusal' : callsTools ? 'tool_calls' : 'stop', callsTools), usage };
}

function itemsIn(vendor: Vendor, output: unknown): readonly Item[] {
  if (Array.isArray(output) && output.every(isObject)) return output;
  throw invalidReply(vendor, 'a response without a list of items', output);
}

/** Whether a model that works for longer says what it is doing (https://developers.openai.com/api/docs/guides/prompt-guidance). */
export function isComment({ type, phase }: Item): boolean {
  return type === 'message' && phase === 'commentary';
}

/** The parts of a message. */
export function contentIn(vendor: Vendor, { content }: Item): readonly Item[] {
  if (content == null) return [];
  if (Array.isArray(content) && content.every(isObject)) return content;
  throw invalidReply(vendor, 'a message whose content is no list', content);
}

/** A text or a refusal; empty ones are left out. */
export function partOf(vendor: Vendor, part: Item): AnswerPart[] {
  if (part['type'] === 'refusal') {
    const text = textIn(vendor, part['refusal']);
    return text === '' ? [] : [{ type: 'refusal', text }];
  }
  if (part['type'] !== 'output_text') return [];
  const text = textIn(vendor, part['text']);
  const citations = Array.isArray(part['annotations']) ? part['annotations'].flatMap(citationOf) : [];
  return text === '' ? [] : [{ type: 'text', text, ...(citations.length > 0 && { citations }) }];
}

/** A text, empty where there is none. */
export function textIn(vendor: Vendor, value: unknown): string {
  if (value == null || typeof value === 'string') return value ?? '';
  throw invalidReply(vendor, 'a text that is none', value);
}

/** The address that an annotation names; anything else is skipped: nothing depends on it. */
export function citationOf(annotation: unknown): Citation[] {
  return isObject(annotation) && annotation['type'] === 'url_citation' ? citedPage(annotation) : [];
}

/** The page that a citation of an address names, and where in the text it is cited. */
export function citedPage(received: unknown): Citation[] {
  const { url, title, start_index, end_index } = isObject(received) ? received : ({} as Item);
  if (typeof url !== 'string') return [];
  const [start, end] = [count(start_index), count(end_index)];
  return [
    {
      url,
      ...(typeof title === 'string' && { title }),
      ...(start !== null && { start }),
      ...(end !== null && { end }),
    },
  ];
}

/** The thinking in an item. Without its encrypted form it cannot be sent again. */
export function thinkingPart({ id }: Vendor, model: string, item: Item): ThinkingPart {
  const { summary, content, encrypted_content: encrypted } = item as Untrusted<ResponseReasoningItem> & {};
  const text = [...textsIn(summary), ...textsIn(content)].join('\n\n');
  const sealed =
    typeof encrypted === 'string' && encrypted !== ''
      ? ({ wire: 'openai-responses', provider: id, model, value: item } as const)
      : null;
  return { type: 'thinking', text, sealed };
}

function textsIn(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
}

export function isCall({ type }: Item): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

/** A call as an item has it, whose arguments may still be missing. */
export function pieceOf(item: Item): ToolCallPiece {
  const { type, call_id: id, name } = item;
  if (type === 'custom_tool_call')
    return { id, name, arguments: (item as Untrusted<ResponseCustomToolCall>)?.input, custom: true };
  return { id, name, arguments: (item as Untrusted<ResponseFunctionToolCall>)?.arguments };
}

/**
 * Tokens, null when the vendor gave none. On this wire the input includes what concerns the cache, and the output the
 * reasoning. OpenAI's caches keep for 30 minutes or 12 hours: the longer is counted as the longer of ours.
 */
export function readUsage(received: unknown): VendorUsage {
  const usage = received as Untrusted<ResponseUsage>;
  const said = count(usage?.input_tokens);
  const total = count(usage?.total_tokens);
  const output = count(usage?.output_tokens) ?? (total === null ? null : Math.max(0, total - (said ?? 0)));
  if (said === null || output === null) return null;
  const { input_tokens_details: read, output_tokens_details: written } = usage ?? {};
  const input = wholeInput(said, count(read?.cached_tokens) ?? 0, output, total);
  const cacheRead = Math.min(count(read?.cached_tokens) ?? 0, input);
  const cacheWrite = Math.min(count(read?.cache_write_tokens) ?? 0, input - cacheRead);
  const cacheWrite1h = Math.min(count(read?.cache_write_tokens_details?.ttl_12h_tokens) ?? 0, cacheWrite);
  return tokenUsage({
    inputUncached: input - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite5m: cacheWrite - cacheWrite1h,
    cacheWrite1h,
    output,
    reasoning: count(written?.reasoning_tokens) ?? 0,
  });
}
