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
import type { Untrusted } from '../wire/untrusted.ts';
import { invalidReply, type Vendor } from '../wire/vendor.ts';
import { errorIn, errorOfObject } from '../wire/vendor-errors.ts';
import { finishReasonOf, isToolUse, readUsage } from './reply.ts';

/**
 * Decodes message events. The answer is complete with `message_stop`. Usage comes with `message_start` and again,
 * cumulative, with `message_delta`, where a field that is null has not changed.
 */
export function createAnthropicDecoder(vendor: Vendor, model: string): StreamDecoder {
  let finish: unknown = null;
  let usage: { [field: string]: unknown } = {};
  let calls: ToolCallCollector | null = null;

  const merge = (more: Untrusted<Partial<Usage>>) => {
    for (const [field, value] of Object.entries(more ?? {}))
      if (value != null) usage = { ...usage, [field]: value };
  };

  const emitText = (text: unknown, emit: (event: CompletionEvent) => void) => {
    if (typeof text === 'string' && text) emit({ type: 'delta', content: text });
  };

  /** The input of a block that streams begins as `{}` and comes in pieces of JSON text. */
  const beginCall = (
    index: unknown,
    { id, name, input }: NonNullable<Untrusted<ToolUseBlock>>,
    emit: (event: CompletionEvent) => void,
  ) => {
    calls ??= new ToolCallCollector(vendor);
    const whole = Object.keys(input ?? {}).length > 0 ? input : undefined;
    calls.take(index, { id, name, arguments: whole }, emit);
  };

  return {
    completed: () => null,
    take({ data, event }, emit) {
      const message = parse(vendor, data);
      switch (message?.type ?? event) {
        case 'message_start':
          return merge((message as Untrusted<RawMessageStartEvent>)?.message?.usage);
        case 'content_block_start': {
          const { index, content_block: block } = (message as Untrusted<RawContentBlockStartEvent>) ?? {};
          if (isToolUse(block)) return beginCall(index, block, emit);
          // As a rule the block starts empty, but nothing says that it must.
          return block?.type === 'text' ? emitText((block as Untrusted<TextBlock>)?.text, emit) : undefined;
        }
        case 'content_block_delta': {
          const { index, delta } = (message as Untrusted<RawContentBlockDeltaEvent>) ?? {};
          if (delta?.type === 'text_delta') return emitText((delta as Untrusted<TextDelta>)?.text, emit);
          if (delta?.type === 'input_json_delta' && calls?.has(index))
            calls.take(index, { arguments: (delta as Untrusted<InputJSONDelta>)?.partial_json }, emit);
          return;
        }
        case 'content_block_stop':
          return calls?.complete((message as Untrusted<RawContentBlockStopEvent>)?.index, emit);
        case 'message_delta': {
          const { delta, usage: more } = (message as NonNullable<Untrusted<RawMessageDeltaEvent>>) ?? {};
          finish = delta?.stop_reason ?? finish;
          return merge(more);
        }
        case 'message_stop':
          calls?.all(emit);
          return emit({
            type: 'end',
            finishReason: finishReasonOf(finish, calls !== null),
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

function parse(vendor: Vendor, data: string): Untrusted<{ type: string }> {
  try {
    return JSON.parse(data);
  } catch {
    throw invalidReply(vendor, 'an event that is not valid JSON', data);
  }
}
