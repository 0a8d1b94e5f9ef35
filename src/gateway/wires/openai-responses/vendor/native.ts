import { isObject, objectIn } from '../../../../lib/json.ts';
import { errorIn } from '../../../upstream/endings.ts';
import { fieldsOf } from '../../../upstream/event-frames.ts';
import { AnswerReading, type NativeReader } from '../../../upstream/native.ts';
import { invalidReply, parseJson, type Vendor } from '../../../upstream/vendor.ts';
import { errorOfObject } from '../../../upstream/vendor-errors.ts';
import { endingOf, type Item, readUsage } from './reply.ts';

/** The type of an event: on a line of its own, and in its data. */
const named = /^event: ?([\w.]+)|"type"\s*:\s*"((?:response\.[\w.]+|error))"/m;
/** Bytes at the beginning of an event, and then at its end, in which its type is looked for first: OpenAI has it at the beginning. */
const headLength = 200;
const idPattern = /"id": ?"([\w-]{1,200})"/;

/**
 * Reads along in responses that go to the client as they came. Of a stream it parses pieces of text, for their length, and
 * what ends it; other events, which repeat instructions, tools and whole items, are passed over.
 */
export function createResponsesReader(vendor: Vendor, model: string): NativeReader {
  return new ResponsesReader(vendor, model);
}

class ResponsesReader extends AnswerReading {
  whole(body: Buffer): void {
    const reply = parseJson(this.vendor, body.toString(), 'a reply');
    const error = errorIn(reply);
    if (error !== undefined) throw errorOfObject(this.vendor, this.model, error);
    if (!isObject(reply)) throw invalidReply(this.vendor, 'a reply that is no object', reply);
    this.#response(reply['status'], reply);
  }

  event(bytes: Buffer): boolean {
    const type = typeOf(bytes);
    switch (type) {
      case 'response.created':
        this.id = idPattern.exec(bytes.toString('latin1', 0, 3 * headLength))?.[1] ?? null;
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta': {
        const delta = dataOf(bytes)?.['delta'];
        if (typeof delta === 'string') this.characters += delta.length;
        break;
      }
      case 'response.completed':
      case 'response.incomplete':
        this.#response(type.slice('response.'.length), dataOf(bytes)?.['response']);
        break;
      case 'response.failed':
      case 'error':
        this.#failed(type, dataOf(bytes));
        break;
      case undefined: {
        // Servers that speak like OpenAI leave the type of an error out.
        const event = dataOf(bytes);
        if (errorIn(event) !== undefined) this.#failed('error', event);
        break;
      }
    }
    return true;
  }

  #response(status: unknown, response: unknown): void {
    if (!isObject(response)) return;
    const usage = readUsage(response['usage']);
    this.usage = usage ?? this.usage;
    if (typeof response['id'] === 'string') this.id = response['id'];
    const items = Array.isArray(response['output']) ? response['output'].filter(isObject) : [];
    if (this.characters === 0) this.characters = items.reduce((sum, item) => sum + lengthOf(item), 0);
    this.counted = usage !== null && usage.output > 0 ? this.characters : 0;
    if (status !== 'completed' && status !== 'incomplete') return;
    const calls = items.some(({ type }) => type === 'function_call' || type === 'custom_tool_call');
    const refused = items.some((item) => partsOf(item).some(({ type }) => type === 'refusal'));
    this.endReason = endingOf(this.vendor, this.model, status, response, refused, calls).endReason;
    this.complete = true;
  }

  #failed(type: string, event: Item | null): void {
    const response = isObject(event?.['response']) ? event['response'] : null;
    if (response) this.#response('failed', response);
    const error = type === 'error' ? (errorIn(event) ?? event) : response?.['error'];
    this.failure ??= errorOfObject(this.vendor, this.model, error);
  }
}

function typeOf(bytes: Buffer): string | undefined {
  let found = named.exec(bytes.toString('latin1', 0, headLength));
  if (found === null && bytes.length > headLength)
    found =
      named.exec(bytes.toString('latin1', bytes.length - headLength)) ?? named.exec(bytes.toString('latin1'));
  return found?.[1] ?? found?.[2];
}

const dataOf = (bytes: Buffer): Item | null => objectIn(fieldsOf(bytes.toString()).data);

function partsOf({ content }: Item): Item[] {
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Characters of text, refusals and arguments in an item. */
function lengthOf(item: Item): number {
  const { arguments: json, input } = item;
  const texts = [json, input, ...partsOf(item).flatMap(({ text, refusal }) => [text, refusal])];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}
