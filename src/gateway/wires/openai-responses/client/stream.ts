import type { CompletionEvent } from '../../../../model/port.ts';
import type { AnswerMeta, Body, StreamWriter } from '../../wire.ts';
import { frameOf, type ResponseState, stateOf, statusOf, usageOnWire } from './answer.ts';
import { failureOf, objectOf } from './errors.ts';
import { EventWriter } from './event-writer.ts';
import { type ClientTools, itemWriter } from './item-writer.ts';

/**
 * A streamed answer as the events of this wire, with all that OpenAI sends: clients differ in which of them they read
 * (Codex takes whole items at their end, the SDKs put them together from pieces).
 */
export function responseStream(body: Body, meta: AnswerMeta, tools: ClientTools): StreamWriter {
  const events = new EventWriter(frameOf(body, meta));
  const writer = itemWriter(meta.id, tools, events);
  const state = (changes: Partial<ResponseState> = {}) => stateOf({ output: writer.items, ...changes });
  let begun = false;

  return {
    start() {
      begun = true;
      return events.response('response.created', state()) + events.response('response.in_progress', state());
    },
    take(event: CompletionEvent) {
      if (event.type !== 'end') {
        writer.take(event);
        return writer.flush();
      }
      const status = statusOf(event, writer.refused);
      const complete = status.status === 'completed';
      writer.end(complete);
      const type = complete ? 'response.completed' : 'response.incomplete';
      const ended = { ...status, usage: usageOnWire(meta.usage()) };
      return writer.flush() + events.response(type, state(ended));
    },
    // Codex counts events and no comments (https://github.com/Menci/Floway/issues/498, seen 2026-11-27).
    ping: () => (begun ? events.response('response.in_progress', state()) : ''),
    fail(error, requestId) {
      writer.endWaiting(false);
      const failed = state({ status: 'failed', error: failureOf(error) });
      return (
        writer.flush() + events.error(objectOf(error, requestId)) + events.response('response.failed', failed)
      );
    },
  };
}
