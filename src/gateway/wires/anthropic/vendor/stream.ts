import { isObject } from '../../../../lib/json.ts';
import type { CompletionEvent } from '../../../../model/port.ts';
import { count } from '../../../../model/usage.ts';
import type { StreamDecoder } from '../../../upstream/completion-stream.ts';
import { errorIn } from '../../../upstream/endings.ts';
import { ToolCallCollector } from '../../../upstream/tool-calls.ts';
import { invalidReply, parseJson } from '../../../upstream/vendor.ts';
import { errorOfObject } from '../../../upstream/vendor-errors.ts';
import {
  type Answerer,
  type Block,
  citationOf,
  citationsOf,
  endOf,
  inputOf,
  isThinking,
  isToolUse,
  refusalIn,
  requireBlock,
  type ToldEnd,
  textIn,
  thinkingPart,
} from './reply.ts';
import { StreamedUsage } from './usage.ts';

/** Maximum number of characters of one stretch of thinking. */
const maxThinkingLength = 4 * 1024 * 1024;

type Emit = (event: CompletionEvent) => void;

/** Decodes message events. The answer is complete with `message_stop`, or with a stop reason after which nothing more comes. */
export function createAnthropicDecoder(answerer: Answerer): StreamDecoder {
  const { vendor, model } = answerer;
  const usage = new StreamedUsage();
  let ended: ToldEnd = {};
  let said = false;
  let calls: ToolCallCollector | null = null;
  /** A stretch of thinking that is not complete yet, and its characters so far. */
  let thinking = null as { readonly index: unknown; block: Block; length: number } | null;

  /** The input of a block that streams begins as `{}` and comes in pieces of JSON text. */
  const beginCall = (index: unknown, block: Block, emit: Emit) => {
    if (count(index) === null) throw invalidReply(vendor, 'a call of a tool at an index that is none', block);
    calls ??= new ToolCallCollector(vendor, answerer.customTools);
    const { id, name } = block;
    const input = inputOf(vendor, block);
    const whole = Object.keys(input ?? {}).length > 0 ? input : undefined;
    calls.take(index, { id, name, arguments: whole }, emit);
  };

  const begin = (index: unknown, block: Block, emit: Emit) => {
    if (isToolUse(block)) return beginCall(index, block, emit);
    if (isThinking(block)) {
      endThinking(emit);
      thinking = { index, block, length: 0 };
      const text = block.type === 'thinking' ? block['thinking'] : '';
      if (typeof text === 'string' && text !== '') emit({ type: 'thinking_delta', content: text });
      return;
    }
    // As a rule the block starts empty, but nothing says that it must.
    if (block.type !== 'text') return;
    const { text, citations } = block;
    const content = textIn(vendor, text ?? '');
    if (content) emit({ type: 'delta', content });
    for (const citation of citationsOf(citations)) emit({ type: 'citation', citation });
  };

  const go = (index: unknown, delta: Block, emit: Emit) => {
    switch (delta.type) {
      case 'text_delta': {
        const content = textIn(vendor, delta['text']);
        if (content) emit({ type: 'delta', content });
        return;
      }
      case 'input_json_delta': {
        if (!calls?.has(index)) return;
        calls.take(index, { arguments: textIn(vendor, delta['partial_json']) }, emit);
        return;
      }
      case 'citations_delta': {
        const citation = citationOf(delta['citation']);
        if (citation) emit({ type: 'citation', citation });
        return;
      }
      case 'thinking_delta': {
        if (!thinking || thinking.index !== index) return;
        const content = textIn(vendor, delta['thinking']);
        thinking.length += content.length;
        if (thinking.length > maxThinkingLength)
          throw invalidReply(vendor, 'more than 4 MiB of thinking', `${thinking.length} characters`);
        const before = textIn(vendor, thinking.block['thinking'] ?? '');
        thinking.block = { ...thinking.block, thinking: before + content };
        if (content !== '') emit({ type: 'thinking_delta', content });
        return;
      }
      // A signature replaces what was there.
      case 'signature_delta':
        if (!thinking || thinking.index !== index) return;
        thinking.block = { ...thinking.block, signature: textIn(vendor, delta['signature']) };
    }
  };

  const endThinking = (emit: Emit) => {
    if (thinking) emit({ type: 'thinking', part: thinkingPart(answerer, thinking.block) });
    thinking = null;
  };

  const end = (emit: Emit) => {
    endThinking(emit);
    calls?.all(emit);
    const callsTools = calls !== null && calls.size > 0;
    const ending = endOf(answerer, ended, { callsTools, said });
    const refusal = refusalIn(ended);
    if (refusal !== '') emit({ type: 'refusal_delta', content: refusal });
    emit({ type: 'end', ...ending, usage: usage.total });
  };

  return {
    completed(emit) {
      if (ended.stop_reason != null) end(emit);
    },
    take({ data, event }, emit) {
      // Some vendors end as OpenAI does; whether the answer is whole shows when the connection ends.
      if (data === '[DONE]') return;
      const message = parseJson(vendor, data, 'an event');
      if (!isObject(message) || typeof (message['type'] ?? '') !== 'string')
        throw invalidReply(vendor, 'an event that is none', data);
      const { index, delta } = message;
      switch (message['type'] ?? event) {
        case 'message_start': {
          const { message: begun } = message;
          return usage.merge(isObject(begun) ? begun['usage'] : undefined);
        }
        case 'content_block_start': {
          const { content_block: block } = message;
          requireBlock(vendor, block);
          said = true;
          return begin(index, block, emit);
        }
        case 'content_block_delta':
          requireBlock(vendor, delta);
          said = true;
          return go(index, delta, emit);
        case 'content_block_stop':
          if (thinking?.index === index) endThinking(emit);
          return calls?.complete(index, emit);
        case 'message_delta':
          if (!isObject(delta ?? {}) || typeof (reasonIn(delta) ?? '') !== 'string')
            throw invalidReply(vendor, 'a stop reason that is no text', message);
          if (reasonIn(delta) != null) ended = delta as ToldEnd;
          return usage.merge(message['usage']);
        case 'message_stop':
          return end(emit);
        case 'error':
          throw errorOfObject(vendor, model, errorIn(message) ?? message);
        default: {
          // `ping`, and events to come. A proxy's error may bear no type.
          const error = errorIn(message);
          if (error !== undefined) throw errorOfObject(vendor, model, error);
        }
      }
    },
  };
}

function reasonIn(delta: unknown): unknown {
  return isObject(delta) ? delta['stop_reason'] : undefined;
}
