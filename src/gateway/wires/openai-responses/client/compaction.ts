import type {
  Response,
  ResponseCompactionItem,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { ServiceError } from '../../../../contract/errors.ts';
import { isObject } from '../../../../lib/json.ts';
import type { ModelMessage } from '../../../../model/parts.ts';
import type { Completion, CompletionEvent } from '../../../../model/port.ts';
import { invalid } from '../../check.ts';
import { unwrapped, wrapped } from '../../envelope.ts';
import type { AnswerMeta, Body, StreamWriter } from '../../wire.ts';
import { frameOf, type ResponseState, stateOf, statusOf, usageOnWire } from './answer.ts';
import { failureOf, objectOf } from './errors.ts';
import { EventWriter } from './event-writer.ts';

/**
 * Compaction: a conversation that has become too long is replaced by one item that only the server can read. OpenAI's models make
 * it themselves; any other model is asked for a summary, which is the content of the item. Codex asks for it by a trigger at the end
 * of its input (https://github.com/openai/codex, `compact_remote_v2.rs`), SDKs by `POST /v1/responses/compact`
 * (https://platform.openai.com/docs/api-reference/responses/compact).
 */
export const compactionTrigger = { type: 'compaction_trigger' };

const request = `The conversation above is about to be deleted. Only the summary that you write now will be left of it, and another model will continue from that summary without seeing anything else.

Write down, in the language of the conversation:
- what the user wants, with all constraints and preferences they stated;
- what has been done, decided and found out, and why;
- the exact names, paths, commands, values and error messages that are still needed;
- what did not work;
- what remains to be done, and the next step.

Leave out what no longer matters. Call no tools. Write nothing but the summary.`;

const preface = 'The conversation so far was replaced by this summary of it:';

/** The request for the summary, after the conversation. */
export const summaryRequest: ModelMessage = { role: 'user', content: [{ type: 'text', text: request }] };

/** The items without the trigger at their end; null where there is none. Throws `invalid_request` for one that stands elsewhere. */
export function withoutTrigger(items: readonly Body[]): readonly Body[] | null {
  const index = items.findIndex(({ type }) => type === compactionTrigger.type);
  if (index === -1) return null;
  if (index < items.length - 1) throw invalid(`input[${index}]`, 'must be the last item of the input');
  return items.slice(0, -1);
}

/** The summary that a model reads in place of a conversation that was compacted here; null for an item that another server made. */
export function summaryIn(item: unknown): string | null {
  if (!isObject(item) || item['type'] !== 'compaction') return null;
  const { encrypted_content: content } = item;
  const summary = typeof content === 'string' ? unwrapped(content)?.['summary'] : undefined;
  return typeof summary === 'string' ? `${preface}\n\n${summary}` : null;
}

function compactionItem(id: string, summary: string): ResponseCompactionItem {
  return { id: `cmp_${id}`, type: 'compaction', encrypted_content: wrapped({ summary }) };
}

function noSummary(): ServiceError {
  return new ServiceError('provider_invalid_response', 'The model was asked for a summary and wrote none.');
}

function summaryOf({ parts }: Completion): string {
  const summary = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  if (summary.trim() === '') throw noSummary();
  return summary;
}

/** The answer to a request that ends with the trigger. Throws `provider_invalid_response` if the model wrote nothing. */
export function compactingAnswer(body: Body, completion: Completion, meta: AnswerMeta): object {
  const state: ResponseState = {
    ...statusOf(completion, false),
    error: null,
    output: [compactionItem(meta.id, summaryOf(completion))],
    usage: usageOnWire(meta.usage()),
  };
  return { ...frameOf(body, meta), ...state };
}

/** The answer of `POST /v1/responses/compact`: the client's own messages, and the item that represents all the rest. */
export function compactedConversation(
  items: readonly Body[],
  completion: Completion,
  meta: AnswerMeta,
): object {
  const messages = items.flatMap((item, index) => {
    if (item['role'] !== 'user') return [];
    const { content } = item;
    const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
    return [{ id: `msg_${meta.id}_${index}`, ...item, type: 'message', status: 'completed', content: parts }];
  });
  return {
    id: `resp_${meta.id}`,
    object: 'response.compaction',
    created_at: meta.createdAt,
    output: [...messages, compactionItem(meta.id, summaryOf(completion))],
    usage: usageOnWire(meta.usage()),
  } satisfies Pick<Response, 'id' | 'created_at'> & Body;
}

/** The same as events. The summary itself is in the last of them; those before it say that it is being written. */
export function compactingStream(body: Body, meta: AnswerMeta): StreamWriter {
  const events = new EventWriter(frameOf(body, meta));
  const place = { output_index: 0, item_id: `cmp_${meta.id}` };
  let summary = '';
  const failed = (error: ServiceError, requestId: string) =>
    events.error(objectOf(error, requestId)) +
    events.response('response.failed', stateOf({ status: 'failed', error: failureOf(error) }));

  const written = (text: string): string => {
    const added =
      summary === ''
        ? events.event('response.output_item.added', {
            output_index: 0,
            item: { ...compactionItem(meta.id, ''), encrypted_content: '' },
          })
        : '';
    summary += text;
    return added + events.event('response.compaction.compacting', place);
  };

  const end = (event: Extract<CompletionEvent, { type: 'end' }>): string => {
    const usage = usageOnWire(meta.usage());
    if (summary.trim() === '') return failed(noSummary(), meta.id);
    const item: ResponseOutputItem = compactionItem(meta.id, summary);
    const status = statusOf(event, false);
    const type = status.status === 'completed' ? 'response.completed' : 'response.incomplete';
    return (
      events.event('response.output_item.done', { output_index: 0, item }) +
      events.response(type, stateOf({ ...status, output: [item], usage }))
    );
  };

  return {
    start: () =>
      events.response('response.created', stateOf({})) + events.response('response.in_progress', stateOf({})),
    take(event) {
      if (event.type === 'delta') return event.content === '' ? '' : written(event.content);
      return event.type === 'end' ? end(event) : '';
    },
    ping: () => events.response('response.in_progress', stateOf({})),
    fail: failed,
  };
}
