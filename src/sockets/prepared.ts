import { frameOf } from '../gateway/wires/openai-responses/client/answer.ts';
import { EventWriter } from '../gateway/wires/openai-responses/client/event-writer.ts';
import { ulid } from '../lib/ids.ts';
import type { SocketError } from './reply-frames.ts';

/**
 * `generate: false`: a client tells in advance what its next request will begin with. Nothing is asked of a model, so there is nothing
 * but an id, by which that request names it.
 */

/** The events of a response without output. */
export function preparedEvents(body: Readonly<Record<string, unknown>>): string {
  const meta = { id: ulid(), model: String(body['model']), createdAt: Math.floor(Date.now() / 1000) };
  const events = new EventWriter(frameOf(body, meta));
  const state = { error: null, incomplete_details: null, output: [] };
  const details = { input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 } };
  const usage = {
    ...{ input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    ...{ ...details, output_tokens_details: { reasoning_tokens: 0 } },
  };
  return (
    events.response('response.created', { ...state, status: 'in_progress', usage: null }) +
    events.response('response.completed', { ...state, status: 'completed', usage })
  );
}

/** What a dry run says against a request, with its status; null: nothing. */
export function refusalIn(report: string): { readonly status: number; readonly error: SocketError } | null {
  const { refusals } = JSON.parse(report) as {
    readonly refusals: readonly (Omit<SocketError, 'type'> & { readonly status: number })[];
  };
  const [first] = refusals;
  if (first === undefined) return null;
  const { status, code, message, param } = first;
  return { status, error: { type: 'invalid_request_error', code, message, param } };
}
