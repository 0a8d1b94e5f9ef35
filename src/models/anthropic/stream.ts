import type {
  RawContentBlockDeltaEvent,
  RawContentBlockStartEvent,
  RawMessageDeltaEvent,
  RawMessageStartEvent,
  TextBlock,
  TextDelta,
  Usage,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { CompletionEvent } from '../port.ts';
import type { StreamDecoder } from '../wire/completion-stream.ts';
import type { Untrusted } from '../wire/untrusted.ts';
import { invalidReply, type Vendor } from '../wire/vendor.ts';
import { errorIn, errorOfObject } from '../wire/vendor-errors.ts';
import { finishReasonOf, readUsage } from './reply.ts';

/**
 * Decodes message events. The answer is complete with `message_stop`. Usage comes with `message_start` and again,
 * cumulative, with `message_delta`, where a field that is null has not changed.
 */
export function createAnthropicDecoder(vendor: Vendor, model: string): StreamDecoder {
  let finish: unknown = null;
  let usage: { [field: string]: unknown } = {};

  const merge = (more: Untrusted<Partial<Usage>>) => {
    for (const [field, value] of Object.entries(more ?? {}))
      if (value != null) usage = { ...usage, [field]: value };
  };

  const emitText = (text: unknown, emit: (event: CompletionEvent) => void) => {
    if (typeof text === 'string' && text) emit({ type: 'delta', content: text });
  };

  return {
    completed: () => null,
    take({ data, event }, emit) {
      const message = parse(vendor, data);
      switch (message?.type ?? event) {
        case 'message_start':
          return merge((message as Untrusted<RawMessageStartEvent>)?.message?.usage);
        case 'content_block_start': {
          // As a rule the block starts empty, but nothing says that it must.
          const block = (message as Untrusted<RawContentBlockStartEvent>)
            ?.content_block as Untrusted<TextBlock>;
          return block?.type === 'text' ? emitText(block.text, emit) : undefined;
        }
        case 'content_block_delta': {
          const delta = (message as Untrusted<RawContentBlockDeltaEvent>)?.delta as Untrusted<TextDelta>;
          return delta?.type === 'text_delta' ? emitText(delta.text, emit) : undefined;
        }
        case 'message_delta': {
          const { delta, usage: more } = (message as NonNullable<Untrusted<RawMessageDeltaEvent>>) ?? {};
          finish = delta?.stop_reason ?? finish;
          return merge(more);
        }
        case 'message_stop':
          return emit({ type: 'end', finishReason: finishReasonOf(finish), usage: readUsage(usage) });
        case 'error':
          throw errorOfObject(vendor, model, errorIn(message) ?? message);
        default: {
          // `ping`, the ends of blocks, and events to come. A proxy's error may bear no type.
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
