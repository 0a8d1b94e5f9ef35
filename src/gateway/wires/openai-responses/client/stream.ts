import type { ServiceError } from '../../../../contract/errors.ts';
import type { CompletionEvent, Ending } from '../../../../model/port.ts';
import type { AnswerMeta, Body, StreamWriter } from '../../wire.ts';
import { frameOf, type ResponseState, stateOf, statusOf, usageOnWire } from './answer.ts';
import { CallWriter } from './call-writer.ts';
import { failureOf, objectOf } from './errors.ts';
import { EventWriter, Output } from './event-writer.ts';
import { MessageWriter } from './message-writer.ts';
import type { ToolNames } from './read-tools.ts';
import { ReasoningWriter } from './reasoning-writer.ts';

/**
 * A streamed answer as the events of this wire, with all that OpenAI sends: clients differ in which of them they read
 * (Codex takes whole items at their end, the SDKs put them together from pieces).
 */
export function responseStream(
  body: Body,
  meta: AnswerMeta,
  names: ToolNames,
  customTools: ReadonlySet<string>,
): StreamWriter {
  const events = new EventWriter(frameOf(body, meta));
  const output = new Output(events, meta.id);
  const message = new MessageWriter(output);
  const reasoning = new ReasoningWriter(output);
  const calls = new CallWriter(output, names, customTools);

  const state = (changes: Partial<ResponseState>) => stateOf({ output: output.items, ...changes });

  const end = (ending: Ending): string => {
    const status = statusOf(ending, message.refused);
    const complete = status.status === 'completed';
    const open = reasoning.end() + message.end(complete) + calls.end(complete);
    const type = complete ? 'response.completed' : 'response.incomplete';
    return open + events.response(type, state({ ...status, usage: usageOnWire(meta.usage()) }));
  };

  const written = (event: CompletionEvent): string => {
    switch (event.type) {
      case 'delta':
        return reasoning.end() + message.text(event.content);
      case 'refusal_delta':
        return reasoning.end() + message.refusal(event.content);
      case 'citation':
        return reasoning.end() + message.citation(event.citation);
      case 'thinking_delta':
        return message.end(true) + reasoning.delta(event.content);
      case 'thinking':
        return message.end(true) + reasoning.whole(event.part);
      case 'tool_call_delta':
        return reasoning.end() + message.end(true) + calls.delta(event);
      case 'tool_call':
        return reasoning.end() + message.end(true) + calls.whole(event);
      case 'end':
        return end(event);
    }
  };

  let begun = false;

  return {
    start() {
      begun = true;
      return (
        events.response('response.created', state({})) + events.response('response.in_progress', state({}))
      );
    },
    take(event: CompletionEvent): string {
      return (event.type === 'end' ? '' : calls.end(true)) + written(event);
    },
    // Codex counts events and no comments (https://github.com/Menci/Floway/issues/498, seen 2026-11-27).
    ping: () => (begun ? events.response('response.in_progress', state({})) : ''),
    fail(error: ServiceError, requestId: string): string {
      const cut = calls.end(false);
      const failed = state({ status: 'failed', error: failureOf(error) });
      return cut + events.error(objectOf(error, requestId)) + events.response('response.failed', failed);
    },
  };
}
