import type {
  Message,
  RawContentBlockDeltaEvent,
  RawMessageDeltaEvent,
  RawMessageStartEvent,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { isObject, objectIn } from '../../../../lib/json.ts';
import { backslash, quote, standsIn, textLength } from '../../../../lib/string-bytes.ts';
import type { EndReason } from '../../../../model/port.ts';
import { errorIn, meaningOf } from '../../../upstream/endings.ts';
import { fieldsOf } from '../../../upstream/event-frames.ts';
import type { NativeAnswer, NativeReader } from '../../../upstream/native.ts';
import type { ProviderError } from '../../../upstream/provider-error.ts';
import type { Untrusted } from '../../../upstream/vendor.ts';
import { invalidReply, type Vendor } from '../../../upstream/vendor.ts';
import { errorOfObject, failureOf } from '../../../upstream/vendor-errors.ts';
import { endReasonOf } from './endings.ts';
import { StreamedUsage } from './usage.ts';

/** Reads along with an answer on this wire. Of a stream only the events that frame the message are parsed. */
export function createAnthropicReader(vendor: Vendor, model: string): NativeReader {
  const usage = new StreamedUsage();
  let endReason: EndReason | null = null;
  let complete = false;
  let failure: ProviderError | null = null;
  /** The failure that the reason of the end tells, after which the end mark still comes. */
  let failedEnd: ProviderError | null = null;
  let id: string | null = null;
  let characters = 0;
  /** How many of them a usage has counted. */
  let counted = 0;

  const count = (told: unknown) => {
    usage.merge(told);
    if (isObject(told) && Number(told['output_tokens']) > 0) counted = characters;
  };
  const took = (message: Untrusted<Message>) => {
    if (typeof message?.id === 'string') id = message.id;
    count(message?.usage);
    ended(message?.stop_reason);
  };
  const ended = (reason: unknown) => {
    if (typeof reason !== 'string') return;
    const meaning = meaningOf(reason);
    if (meaning === 'failed') failedEnd ??= failureOf(vendor, model, reason, {});
    else endReason = endReasonOf(reason, meaning === 'tool_calls');
  };

  const takeEvent = (name: string, message: Untrusted<{ type: string }>) => {
    switch (name) {
      case 'message_start':
        return took((message as Untrusted<RawMessageStartEvent>)?.message);
      case 'message_delta': {
        const { delta, usage: more } = (message as Untrusted<RawMessageDeltaEvent>) ?? {};
        count(more);
        return ended(delta?.stop_reason);
      }
      case 'message_stop':
        complete = true;
        return;
      case 'content_block_delta': {
        const { delta } = (message as Untrusted<RawContentBlockDeltaEvent>) ?? {};
        if (isObject(delta)) characters += lengthOf(delta);
        return;
      }
      default: {
        const error = errorIn(message) ?? (name === 'error' ? message : undefined);
        if (error !== undefined) failure = errorOfObject(vendor, model, error);
      }
    }
  };

  return {
    whole(body) {
      const text = body.toString();
      const reply = objectIn(text);
      if (reply === null) throw invalidReply(vendor, 'a reply that is no JSON object', text.slice(0, 2000));
      const error = errorIn(reply);
      if (error !== undefined) throw errorOfObject(vendor, model, error);
      characters = charactersIn((reply as Untrusted<Message>)?.content);
      took(reply as Untrusted<Message>);
      if (failedEnd) throw failedEnd;
      complete = true;
    },
    event(bytes) {
      if (standsIn(bytes, pieceEvent, 0)) {
        characters += pieceLength(bytes);
        return true;
      }
      const text = bytes.toString();
      const name = eventName(text);
      if (name === null || !unread.has(name)) {
        const message = objectIn(fieldsOf(text).data);
        const type = message?.['type'] ?? name ?? '';
        if (message !== null)
          takeEvent(typeof type === 'string' ? type : '', message as Untrusted<{ type: string }>);
      }
      return true;
    },
    get over() {
      return complete || failure !== null;
    },
    get told(): NativeAnswer {
      const uncounted = characters - counted;
      return {
        usage: usage.told,
        endReason,
        complete,
        failure: failure ?? (complete ? failedEnd : null),
        id,
        characters,
        uncounted,
      };
    },
  };
}

/** Events that tell nothing of what is looked for. */
const unread: ReadonlySet<string> = new Set(['content_block_start', 'content_block_stop', 'ping']);

/** What the first line says, where it names the event. */
function eventName(text: string): string | null {
  if (!text.startsWith('event:')) return null;
  const end = text.indexOf('\n');
  return text.slice(6, end < 0 ? undefined : end).trim();
}

const pieceNames = ['text', 'thinking', 'partial_json'] as const;
const pieceFields = pieceNames.map((name) => Buffer.from(`"${name}":`));
const pieceEvent = Buffer.from('event: content_block_delta\n');

function lengthOf(delta: Readonly<Record<string, unknown>>): number {
  for (const name of pieceNames) {
    const text = delta[name];
    if (typeof text === 'string') return text.length;
  }
  return 0;
}

/** About as many characters as a piece of an answer has: an escape counts as it is written. */
function pieceLength(bytes: Buffer): number {
  for (const field of pieceFields) {
    const at = bytes.indexOf(field);
    if (at < 0) continue;
    const start = bytes.indexOf(quote, at + field.length) + 1;
    let end = bytes.indexOf(quote, start);
    while (end > 0 && bytes[end - 1] === backslash && !endsInPair(bytes, end))
      end = bytes.indexOf(quote, end + 1);
    return end < 0 ? 0 : textLength(bytes, start, end);
  }
  return 0;
}

/** Whether the backslashes before a quote are escaped ones, so that it ends its string. */
function endsInPair(bytes: Buffer, quoteAt: number): boolean {
  let at = quoteAt;
  while (bytes[at - 1] === backslash) at -= 1;
  return (quoteAt - at) % 2 === 0;
}

function charactersIn(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  let sum = 0;
  for (const block of content as unknown[])
    if (isObject(block))
      for (const value of [block['text'], block['thinking']])
        if (typeof value === 'string') sum += value.length;
  return sum;
}
