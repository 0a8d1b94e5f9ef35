import type { ThinkingPart } from '../../../../model/parts.ts';
import type { ToolCallEvent } from '../../../../model/port.ts';
import type { AnswerMeta, StreamWriter } from '../../wire.ts';
import {
  annotationsOf,
  callOnWire,
  type FinishReasonOnWire,
  finishReasonOnWire,
  usageOnWire,
} from './answer.ts';
import { openAiErrorEvent } from './errors.ts';
import { extraContentOf } from './read-content.ts';

/**
 * Chunks of a stream that are alike but for their choices and usage, and its end: where the client asked for it, usage without choices,
 * and `[DONE]`.
 */
export function chunkWriter(head: object, meta: AnswerMeta, withUsage: boolean) {
  const chunk = (choices: readonly object[], usage: object | null) =>
    `data: ${JSON.stringify({ ...head, choices, ...(withUsage && { usage }) })}\n\n`;
  return {
    chunk: (choice: object) => chunk([choice], null),
    end: () => `${withUsage ? chunk([], usageOnWire(meta.usage())) : ''}data: [DONE]\n\n`,
  };
}

/** A streamed answer as chunks. The first names the role, the last but one or two the reason of its end. */
export function chatStream(meta: AnswerMeta, withUsage: boolean): StreamWriter {
  const { id, createdAt: created, model } = meta;
  const object = 'chat.completion.chunk';
  const { chunk, end } = chunkWriter({ id: `chatcmpl-${id}`, object, created, model }, meta, withUsage);
  let length = 0;
  let refused = false;
  /** Whether deltas of the thinking have come that is going on. */
  let thinks = false;
  /** Thinking that leads to the next call. */
  let before: readonly ThinkingPart[] = [];
  /** The calls that have begun, by their index, with the thinking that led to each. */
  const begun = new Map<number, { readonly before: readonly ThinkingPart[]; readonly shown: boolean }>();

  const delta = (delta: object, finish: FinishReasonOnWire | null = null) =>
    chunk({ index: 0, delta, logprobs: null, finish_reason: finish });

  /** @param shown whether the client has what has to come back with the call */
  const begin = (index: number, shown: boolean) => {
    begun.set(index, { before, shown });
    before = [];
  };

  /** Its text has come in deltas, where there were any. */
  const endThinking = (part: ThinkingPart) => {
    const shown = thinks;
    thinks = false;
    if (part.sealed) before = [...before, part];
    return shown || part.text === '' ? '' : delta({ reasoning_content: part.text });
  };

  /** The text of a custom tool comes in one piece: the SDKs put only arguments of functions together. */
  const callDelta = (event: Extract<ToolCallEvent, { type: 'tool_call_delta' }>) => {
    const { index, id, name, arguments: piece, custom } = event;
    if (custom) return '';
    if (begun.has(index))
      return piece === '' ? '' : delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    // Some clients read it from the delta alone that opens the call (the AI SDK's @ai-sdk/openai-compatible 3.0.92, seen 2026-11-27).
    const extra = extraContentOf(event, before);
    begin(index, event.extraContent !== undefined);
    const call = { index, id, type: 'function', function: { name, arguments: piece } };
    return delta({ tool_calls: [{ ...call, ...(extra && { extra_content: extra }) }] });
  };

  /** The data to be sent back with the call is sent once, so that a client may join pieces in any way: late only if it came late. */
  const endCall = ({ index, toolCall }: Extract<ToolCallEvent, { type: 'tool_call' }>) => {
    const known = begun.get(index);
    if (!known) {
      const call = callOnWire(toolCall, before);
      begin(index, true);
      return delta({ tool_calls: [{ index, ...call }] });
    }
    if (known.shown || !toolCall.extraContent) return '';
    const { extra_content } = callOnWire(toolCall, known.before);
    return delta({ tool_calls: [{ index, function: { arguments: '' }, extra_content }] });
  };

  return {
    start: () => delta({ role: 'assistant', content: null, refusal: null }),
    take(event) {
      switch (event.type) {
        case 'delta':
          length += event.content.length;
          return delta({ content: event.content });
        case 'refusal_delta':
          refused = true;
          return delta({ refusal: event.content });
        case 'thinking_delta':
          thinks = true;
          return delta({ reasoning_content: event.content });
        case 'thinking':
          return endThinking(event.part);
        case 'citation': {
          // Its place is relative to the text so far.
          const annotations = annotationsOf([event.citation], 0, length);
          return annotations.length === 0 ? '' : delta({ annotations });
        }
        case 'tool_call_delta':
          return callDelta(event);
        case 'tool_call':
          return endCall(event);
        case 'end':
          return delta({}, finishReasonOnWire(event, refused)) + end();
      }
    },
    fail: openAiErrorEvent,
  };
}
