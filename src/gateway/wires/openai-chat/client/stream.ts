import type { ChatCompletionChunk } from 'openai/resources/chat/completions/completions';
import type { ServiceError } from '../../../../contract/errors.ts';
import type { Citation, ThinkingPart } from '../../../../model/parts.ts';
import type { CompletionEvent, Ending, ToolCallEvent } from '../../../../model/port.ts';
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
 * A streamed answer as chunks. The first names the role, the last but one or two the reason of its end; then, where the
 * client asked for it, usage without choices, and `[DONE]`.
 */
export class ChatStreamWriter implements StreamWriter {
  readonly #meta: AnswerMeta;
  readonly #withUsage: boolean;
  readonly #head: Pick<ChatCompletionChunk, 'id' | 'object' | 'created' | 'model'>;
  #length = 0;
  #refused = false;
  /** Whether deltas of the thinking have come that is going on. */
  #thinking = false;
  /** Thinking that leads to the next call. */
  #before: readonly ThinkingPart[] = [];
  /** The calls that have begun, by their index, with the thinking that led to each. */
  readonly #begun = new Map<number, { readonly before: readonly ThinkingPart[]; readonly told: boolean }>();

  constructor(meta: AnswerMeta, withUsage: boolean) {
    this.#meta = meta;
    this.#withUsage = withUsage;
    this.#head = {
      id: `chatcmpl-${meta.id}`,
      object: 'chat.completion.chunk',
      created: meta.createdAt,
      model: meta.model,
    };
  }

  start(): string {
    return this.#delta({ role: 'assistant', content: null, refusal: null });
  }

  take(event: CompletionEvent): string {
    switch (event.type) {
      case 'delta':
        this.#length += event.content.length;
        return this.#delta({ content: event.content });
      case 'refusal_delta':
        this.#refused = true;
        return this.#delta({ refusal: event.content });
      case 'thinking_delta':
        this.#thinking = true;
        return this.#delta({ reasoning_content: event.content });
      case 'thinking':
        return this.#wholeThinking(event.part);
      case 'citation':
        return this.#citation(event.citation);
      case 'tool_call_delta':
        return this.#callDelta(event);
      case 'tool_call':
        return this.#wholeCall(event);
      case 'end':
        return this.#end(event);
    }
  }

  fail(error: ServiceError, requestId: string): string {
    return openAiErrorEvent(error, requestId);
  }

  /** Its text has come in deltas, where there were any. */
  #wholeThinking(part: ThinkingPart): string {
    const told = this.#thinking;
    this.#thinking = false;
    if (part.sealed) this.#before = [...this.#before, part];
    return told || part.text === '' ? '' : this.#delta({ reasoning_content: part.text });
  }

  /** It tells its place in the text so far. */
  #citation(citation: Citation): string {
    const annotations = annotationsOf([citation], 0, this.#length);
    return annotations.length === 0 ? '' : this.#delta({ annotations });
  }

  /** The text of a custom tool comes in one piece: the SDKs put only arguments of functions together. */
  #callDelta(event: Extract<ToolCallEvent, { type: 'tool_call_delta' }>): string {
    const { index, id, name, arguments: piece, custom } = event;
    if (custom) return '';
    if (this.#begun.has(index))
      return piece === '' ? '' : this.#delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    // Some clients read it from the delta alone that opens the call (the AI SDK's @ai-sdk/openai-compatible 3.0.92, seen 2026-11-27).
    const extra = extraContentOf(event, this.#before);
    this.#begin(index, event.extraContent !== undefined);
    return this.#delta({
      tool_calls: [
        {
          index,
          id,
          type: 'function',
          function: { name, arguments: piece },
          ...(extra && { extra_content: extra }),
        },
      ],
    });
  }

  /** What has to come back with the call comes once, so that a client may put pieces together in any way: late only if it came late. */
  #wholeCall({ index, toolCall }: Extract<ToolCallEvent, { type: 'tool_call' }>): string {
    const begun = this.#begun.get(index);
    if (!begun) {
      const call = callOnWire(toolCall, this.#before);
      this.#begin(index, true);
      return this.#delta({ tool_calls: [{ index, ...call }] });
    }
    if (begun.told || !toolCall.extraContent) return '';
    const { extra_content } = callOnWire(toolCall, begun.before);
    return this.#delta({ tool_calls: [{ index, function: { arguments: '' }, extra_content }] });
  }

  /** @param told whether the client has what has to come back with the call */
  #begin(index: number, told: boolean): void {
    this.#begun.set(index, { before: this.#before, told });
    this.#before = [];
  }

  #end(ending: Ending): string {
    const finish = this.#delta({}, finishReasonOnWire(ending, this.#refused));
    const usage = this.#withUsage ? this.#chunk([], usageOnWire(this.#meta.usage())) : '';
    return `${finish}${usage}data: [DONE]\n\n`;
  }

  #delta(delta: object, finish: FinishReasonOnWire | null = null): string {
    return this.#chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }], null);
  }

  #chunk(choices: readonly object[], usage: object | null): string {
    const chunk = { ...this.#head, choices, ...(this.#withUsage && { usage }) };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}
