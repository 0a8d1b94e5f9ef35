import type { Response, ResponseUsage } from 'openai/resources/responses/responses';
import { isObject } from '../../../../lib/json.ts';
import type { Ending } from '../../../../model/port.ts';
import { inputTokens, type TokenUsage } from '../../../../model/usage.ts';
import type { AnswerMeta, Body } from '../../wire.ts';

/** The SDK computes `output_text`; it is not on the wire. */
export type ResponseOnWire = Omit<Response, 'output_text'>;

/** The fields of a response that change while it is made. */
export type ResponseState = Required<
  Pick<ResponseOnWire, 'status' | 'error' | 'incomplete_details' | 'output'>
> & { readonly usage: ResponseUsage | null };

/** That of a response of which nothing is there yet, but for what is said. */
export function stateOf(changes: Partial<ResponseState>): ResponseState {
  const nothing = { error: null, incomplete_details: null, output: [], usage: null };
  return { status: 'in_progress', ...nothing, ...changes };
}

export type ResponseFrame = Omit<ResponseOnWire, keyof ResponseState>;

/** The fields of a response that are known before the answer: who answers, and the settings of the request as the client sent them. */
export function frameOf(
  body: Body,
  { id, model, createdAt }: Pick<AnswerMeta, 'id' | 'model' | 'createdAt'>,
): ResponseFrame {
  const frame: { readonly [Field in keyof ResponseFrame]: unknown } = {
    id: `resp_${id}`,
    object: 'response',
    created_at: createdAt,
    access_programs: null,
    background: false,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: body['max_tool_calls'] ?? null,
    metadata: body['metadata'] ?? {},
    model,
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: null, summary: null, ...(isObject(body['reasoning']) && body['reasoning']) },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: body['service_tier'] ?? 'default',
    store: false,
    temperature: body['temperature'] ?? null,
    text: body['text'] ?? { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: Array.isArray(body['tools']) ? body['tools'].map(toolOf) : [],
    top_logprobs: 0,
    top_p: body['top_p'] ?? null,
    truncation: body['truncation'] ?? 'disabled',
    ...(typeof body['user'] === 'string' && { user: body['user'] }),
  } as { readonly [Field in keyof ResponseFrame]: unknown };
  return frame as ResponseFrame;
}

/** A function in an answer always has `parameters` and `strict`. */
function toolOf(tool: unknown): unknown {
  return isObject(tool) && tool['type'] === 'function' ? { parameters: null, strict: null, ...tool } : tool;
}

/** The status of an answer that has ended, and why it is incomplete. */
export function statusOf(
  { endReason }: Ending,
  refused: boolean,
): Pick<ResponseState, 'status' | 'incomplete_details'> {
  if (endReason === 'length' || endReason === 'context_window')
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  // Refused without a word of refusal: the vendor has cut the answer off.
  if (endReason === 'content_filter' || (endReason === 'refusal' && !refused))
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  return { status: 'completed', incomplete_details: null };
}

export function usageOnWire(tokens: TokenUsage): ResponseUsage {
  const input = inputTokens(tokens);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: tokens.cacheRead,
      cache_write_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
    },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: tokens.reasoning },
    total_tokens: input + tokens.output,
  };
}
