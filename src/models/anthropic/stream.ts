import type {
  InputJSONDelta,
  RawContentBlockDeltaEvent,
  RawContentBlockStartEvent,
  RawContentBlockStopEvent,
  RawMessageDeltaEvent,
  RawMessageStartEvent,
  TextBlock,
  TextDelta,
  ToolUseBlock,
  Usage,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { CompletionEvent } from '../port.ts';
import type { StreamDecoder } from '../wire/completion-stream.ts';
import { ToolCallCollector } from '../wire/tool-calls.ts';
import { count, isObject, type Untrusted } from '../wire/untrusted.ts';
import { invalidReply, parseJson, type Vendor } from '../wire/vendor.ts';
import { errorIn, errorOfObject } from '../wire/vendor-errors.ts';
import { inputOf, isToolUse, readUsage, reasonsOf, requireBlock, textIn } from './reply.ts';

/**
 * Decodes message events. The answer is complete with `message_stop`. Usage comes with `message_start` and again,
 * cumulative, with `message_delta`, where a field that is null has not changed.
 */
export function createAnthropicDecoder(vendor: Vendor, model: string): StreamDecoder {
  let finish: string | null = null;
  const usage: { [field: string]: unknown } = Object.create(null);
  let calls: ToolCallCollector | null = null;

  const merge = (more: Untrusted<Partial<Usage>>) => {
    for (const [field, value] of Object.entries(more ?? {})) if (value != null) usage[field] = value;
  };

  const emitText = (text: unknown, emit: (event: CompletionEvent) => void) => {
    const content = textIn(vendor, text);
    if (content) emit({ type: 'delta', content });
  };

  /** The input of a block that streams begins as `{}` and comes in pieces of JSON text. */
  const beginCall = (
    index: unknown,
    block: NonNullable<Untrusted<ToolUseBlock>>,
    emit: (event: CompletionEvent) => void,
  ) => {
    if (count(index) === null) throw invalidReply(vendor, 'a call of a tool at an index that is none', block);
    calls ??= new ToolCallCollector(vendor);
    const { id, name } = block;
    const input = inputOf(vendor, block);
    const whole = Object.keys(input ?? {}).length > 0 ? input : undefined;
    calls.take(index, { id, name, arguments: whole }, emit);
  };

  return {
    completed: () => null,
    take({ data, event }, emit) {
      const message = parseJson(vendor, data, 'an event') as Untrusted<{ type: string }>;
      if (!isObject(message) || typeof (message.type ?? '') !== 'string')
        throw invalidReply(vendor, 'an event that is none', data);
      switch (message.type ?? event) {
        case 'message_start':
          return merge((message as Untrusted<RawMessageStartEvent>)?.message?.usage);
        case 'content_block_start': {
          const { index, content_block: block } = (message as Untrusted<RawContentBlockStartEvent>) ?? {};
          requireBlock(vendor, block);
          if (isToolUse(block)) return beginCall(index, block, emit);
          // As a rule the block starts empty, but nothing says that it must.
          if (block.type !== 'text') return;
          return emitText((block as NonNullable<Untrusted<TextBlock>>).text ?? '', emit);
        }
        case 'content_block_delta': {
          const { index, delta } = (message as Untrusted<RawContentBlockDeltaEvent>) ?? {};
          requireBlock(vendor, delta);
          if (delta.type === 'text_delta')
            return emitText((delta as NonNullable<Untrusted<TextDelta>>).text, emit);
          if (delta.type !== 'input_json_delta' || !calls?.has(index)) return;
          const piece = (delta as NonNullable<Untrusted<InputJSONDelta>>).partial_json;
          return calls.take(index, { arguments: textIn(vendor, piece) }, emit);
        }
        case 'content_block_stop':
          return calls?.complete((message as Untrusted<RawContentBlockStopEvent>)?.index, emit);
        case 'message_delta': {
          const { delta, usage: more } = message as NonNullable<Untrusted<RawMessageDeltaEvent>>;
          const { stop_reason: reason } = delta ?? {};
          if (!isObject(delta ?? {}) || typeof (reason ?? '') !== 'string')
            throw invalidReply(vendor, 'a stop reason that is no text', message);
          finish = (reason as string | null | undefined) ?? finish;
          return merge(more);
        }
        case 'message_stop':
          calls?.all(emit);
          return emit({
            type: 'end',
            ...reasonsOf(vendor, finish, calls !== null),
            usage: readUsage(usage),
          });
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
