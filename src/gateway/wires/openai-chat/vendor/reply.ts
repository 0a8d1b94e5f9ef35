import type {
  ChatCompletion,
  ChatCompletionMessageCustomToolCall,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions/completions';
import { isObject } from '../../../../lib/json.ts';
import type { Citation } from '../../../../model/parts.ts';
import type { AnswerPart, Completion, Ending, EndReason } from '../../../../model/port.ts';
import { endedBy, errorIn, meaningOf } from '../../../upstream/endings.ts';
import type { ProviderError } from '../../../upstream/provider-error.ts';
import { ToolCallCollector, type ToolCallPiece } from '../../../upstream/tool-calls.ts';
import { invalidReply, type Untrusted, type Vendor } from '../../../upstream/vendor.ts';
import { errorOfObject, failureOf } from '../../../upstream/vendor-errors.ts';
import { citedPage } from '../../openai-responses/vendor/reply.ts';
import { thinkingIn, thinkingPart } from './thinking.ts';
import { usageIn } from './usage.ts';

/** MiniMax's numbers for what is not its own failure, by OpenAI's names (https://platform.minimax.io/docs/api-reference/errorcode). */
const miniMaxCodes: ReadonlyMap<number, string> = new Map([
  [1002, 'rate_limit_exceeded'],
  [1004, 'invalid_api_key'],
  [1008, 'insufficient_quota'],
  [1039, 'rate_limit_exceeded'],
  [2013, 'invalid_request_error'],
]);

/**
 * Reads a whole reply of `POST /chat/completions`. Throws `ProviderError` when it holds no answer.
 * @param wrapped names of the custom tools that the vendor was shown as functions
 * @param begun what the answer continues: the text of an assistant's message at the end of the request
 * @param repeated whether the vendor repeats it
 */
export function readReply(
  vendor: Vendor,
  model: string,
  received: unknown,
  wrapped?: ReadonlySet<string>,
  begun = '',
  repeated = false,
): Completion {
  const error = errorToldIn(received);
  if (error !== undefined) throw errorOfObject(vendor, model, error);
  const reply = received as Untrusted<ChatCompletion>;
  const choice = firstChoice(vendor, reply);
  const message = messageIn(choice);
  if (!choice || !message) throw invalidReply(vendor, 'a reply without an answer', received);
  const reason = reasonIn(vendor, choice.finish_reason);
  if (reason !== null && meaningOf(reason) === 'failed') throw failureOf(vendor, model, reason, choice);
  const { content, refusal } = message;
  const calls = callsIn(vendor, message);
  const toolCalls = toolCallsIn(vendor, calls, wrapped);
  const said = textIn(vendor, content);
  // llama.cpp, whose answers alone have `timings`, repeats it where it does not stream (findings/llamacpp-repeats-prefill.sh).
  const repeats = repeated || (isObject(received) && 'timings' in received);
  const text = repeats && said.startsWith(begun) ? said.slice(begun.length) : said;
  const refused = refusalIn(vendor, refusal);
  const thinking = thinkingIn(vendor, message);
  const annotated = citationsIn(message);
  const citations = [
    ...annotated,
    ...sourcesIn(received as object & { [field: string]: unknown }, annotated),
  ];
  const parts: AnswerPart[] = [];
  if (thinking) parts.push(thinkingPart(vendor, model, thinking));
  if (text) parts.push({ type: 'text', text, ...(citations.length > 0 && { citations }) });
  if (refused) parts.push({ type: 'refusal', text: refused });
  parts.push(...toolCalls);
  if (parts.length === 0 && calls.length > 0)
    throw invalidReply(vendor, 'a call of a tool without a name', received);
  if (isCallMissing(reason, Boolean(text || refused || calls.length > 0)))
    throw callMissing(vendor, received);
  // A whole reply is a whole answer, whether it says so or not.
  if (reason === null && parts.length === 0)
    throw invalidReply(vendor, 'a reply without an answer and without a finish reason', received);
  return {
    parts,
    ...reasonsOf(reason, refused !== '', toolCalls.length > 0),
    usage: usageIn(reply ?? {}),
  };
}

function toolCallsIn(vendor: Vendor, calls: readonly unknown[], wrapped?: ReadonlySet<string>) {
  if (calls.length === 0) return [];
  const collector = new ToolCallCollector(vendor, wrapped);
  for (const [index, call] of calls.entries()) collector.take(index, pieceOf(vendor, call));
  return collector.all();
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

/** Why the answer ended; null if the vendor does not say, for which some send an empty text. */
export function reasonIn(vendor: Vendor, reason: unknown): string | null {
  if (reason == null || typeof reason === 'string') return reason || null;
  throw invalidReply(vendor, 'a finish reason that is no text', reason);
}

export type Fields = { readonly [field: string]: unknown };

/** The message of a whole choice, also in the form of the older Completions; null where there is none. */
export function messageIn(choice: unknown): Fields | null {
  const { message, text } = isObject(choice) ? choice : ({} as Fields);
  if (isObject(message)) return message;
  return message == null && typeof text === 'string' ? { content: text } : null;
}

/**
 * The calls of an answer, or the pieces of calls of a chunk. `function_call` is OpenAI's older form, of one call
 * (https://platform.openai.com/docs/api-reference/chat/object).
 */
export function callsIn(
  vendor: Vendor,
  { tool_calls: calls, function_call: called }: Fields,
): readonly unknown[] {
  if (calls != null && !Array.isArray(calls))
    throw invalidReply(vendor, 'calls of tools that are no list', calls);
  if (calls && calls.length > 0) return calls;
  return isObject(called) ? [{ index: 0, function: called }] : [];
}

/** Whether an answer says that it ends with calls, and has neither any nor a text. */
export function isCallMissing(reason: string | null, answers: boolean): boolean {
  return !answers && reason !== null && meaningOf(reason) === 'tool_calls';
}

export function callMissing(vendor: Vendor, received: unknown): ProviderError {
  return invalidReply(vendor, 'an answer that ends with a call of a tool and has none', received);
}

/** The model's refusal in place of an answer. Some servers send false for none. */
export function refusalIn(vendor: Vendor, refusal: unknown): string {
  return refusal === false ? '' : textIn(vendor, refusal);
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
type CallOnTheWire = Omit<ChatCompletionMessageFunctionToolCall, 'type'> &
  Pick<ChatCompletionMessageCustomToolCall, 'custom'> & { extra_content: object };

/** A call as in a reply and, in pieces, in a stream. */
export function pieceOf(vendor: Vendor, received: unknown): ToolCallPiece {
  const call = received as Untrusted<CallOnTheWire>;
  if (!isObject(call) || !isObject(call.function ?? {}) || !isObject(call.custom ?? {}))
    throw invalidReply(vendor, 'a call of a tool that is none', received);
  if (call?.custom) {
    const { name, input } = call.custom;
    return { id: call.id, name, arguments: input, custom: true };
  }
  return {
    id: call?.id,
    name: call?.function?.name,
    arguments: call?.function?.arguments,
    extraContent: call?.extra_content,
  };
}

/**
 * A refusal comes in place of an answer, which counts as withheld. Some vendors (Gemini) give `stop` for an answer that
 * calls tools; an unknown or missing reason is treated like it.
 */
export function reasonsOf(
  reason: string | null,
  refused: boolean,
  callsTools: boolean,
): Omit<Ending, 'usage'> {
  const meaning = (refused ? 'refusal' : meaningOf(reason ?? '')) as EndReason | null;
  const { finishReason } = endedBy(meaning ?? 'stop', callsTools);
  // This wire does not distinguish the reasons of a normal end.
  const inOrder = finishReason === 'stop' || finishReason === 'tool_calls';
  return { finishReason, endReason: inOrder ? finishReason : (meaning ?? finishReason) };
}

/** The source pages of an answer by a model that searches. Anything else is skipped: nothing depends on it. */
export function citationsIn(message: { readonly [field: string]: unknown }): Citation[] {
  const annotations = message['annotations'];
  if (!Array.isArray(annotations)) return [];
  return annotations.filter(isObject).flatMap(({ url_citation: cited }) => citedPage(cited));
}

/**
 * The pages that a whole reply or a chunk names beside its choices, without those that are known. Perplexity has `search_results`
 * (https://docs.perplexity.ai/api-reference/chat-completions-post), and as xAI `citations`, which are addresses alone.
 */
export function sourcesIn(
  reply: { readonly [field: string]: unknown },
  known: readonly Citation[] = [],
): Citation[] {
  const { search_results: results, citations } = reply;
  const list = filled(results) ?? filled(citations);
  if (list === null) return [];
  const seen = new Set(known.map(({ url }) => url));
  return list.flatMap((source) => {
    const { url, title } = isObject(source) ? source : { url: source, title: undefined };
    if (typeof url !== 'string' || url === '' || seen.has(url)) return [];
    seen.add(url);
    return [{ url, ...(typeof title === 'string' && { title }) }];
  });
}

function filled(given: unknown): readonly unknown[] | null {
  return Array.isArray(given) && given.length > 0 ? given : null;
}

/**
 * The error in a reply or a chunk that began with 200, or undefined. Beside `error`: vLLM and SGLang send the error itself, as an
 * `object` of that name; Groq says in `x_groq` why it stopped early
 * (https://github.com/groq/groq-python/blob/main/src/groq/types/chat/chat_completion_chunk.py); MiniMax has a status in `base_resp`
 * (https://platform.minimax.io/docs/api-reference/text-openai-api).
 */
export function errorToldIn(reply: unknown): unknown {
  const error = errorIn(reply);
  if (error !== undefined || !isObject(reply)) return error;
  const { object, x_groq: groq, base_resp: status } = reply;
  if (object === 'error') return reply;
  if (isObject(groq) && typeof groq['error'] === 'string' && groq['error'] !== '') return groq['error'];
  if (!isObject(status) || typeof status['status_code'] !== 'number' || status['status_code'] === 0)
    return undefined;
  const { status_code: code, status_msg: message } = status;
  return { message, code: miniMaxCodes.get(code as number) ?? null };
}
