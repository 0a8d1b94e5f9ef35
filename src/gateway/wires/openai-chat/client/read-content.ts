import { isObject } from '../../../../lib/json.ts';
import type {
  AudioPart,
  CacheMark,
  DocumentPart,
  ImagePart,
  RefusalPart,
  Source,
  TextPart,
  ThinkingPart,
  ToolCallPart,
} from '../../../../model/parts.ts';
import { invalid, listAt, objectAt, textAt, textIn } from '../../check.ts';
import { unwrapThinking, wrapThinking } from '../../envelope.ts';
import { audioPart, base64At, imageSource, sourceOf } from '../../openai-responses/client/read-content.ts';
import { withPath, withPathOf } from '../../source-paths.ts';
import type { Body } from '../../wire.ts';

/**
 * `extra_content` of a tool call is the one place in this wire's messages that clients give back without looking at it; it
 * came with Gemini's signatures (https://ai.google.dev/gemini-api/docs/thought-signatures). Sealed thinking of other vendors,
 * who want it back before the call that it led to, stands there under our name.
 */
const ours = 'switchyard';

export type ContentPart = TextPart | ImagePart | DocumentPart | AudioPart | RefusalPart;

/** The content of a message: a text, or a list of parts. Throws `invalid_request`. */
export function readContent(content: unknown, path: string): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw invalid(path, 'must be a text or a list of parts');
  return listAt(content, path).map((value, index) => {
    const at = `${path}[${index}]`;
    const part = objectAt(value, at);
    const read = partOf(part, at);
    const cache = cacheIn(part);
    if (!cache || read.type === 'audio' || read.type === 'refusal') return read;
    return withPathOf({ ...read, cache }, read);
  });
}

/** Anthropic's mark, which clients of gateways also send on this wire (https://docs.litellm.ai/docs/completion/prompt_caching). */
export function cacheIn({ cache_control: mark }: Body): CacheMark | undefined {
  if (!isObject(mark)) return undefined;
  const { ttl } = mark;
  return typeof ttl === 'string' ? { ttl } : {};
}

function partOf(part: Body, path: string): ContentPart {
  switch (part['type']) {
    case 'text':
      return { type: 'text', text: textAt(part['text'], `${path}.text`) };
    case 'refusal':
      return { type: 'refusal', text: textAt(part['refusal'], `${path}.refusal`) };
    case 'image_url':
      return withPath(imagePart(part['image_url'], `${path}.image_url`), `${path}.image_url`);
    case 'file':
      return withPath(documentPart(objectAt(part['file'], `${path}.file`), `${path}.file`), `${path}.file`);
    case 'input_audio':
      return withPath(audioPart(part, path), `${path}.input_audio`);
    default:
      throw invalid(`${path}.type`, 'must be text, image_url, input_audio, file or refusal');
  }
}

/** Some clients give the address where an object is asked for. */
function imagePart(image: unknown, path: string): ImagePart {
  if (typeof image === 'string') return { type: 'image', source: imageSource(image, path) };
  const object = objectAt(image, path);
  const detail = textIn(object, 'detail', `${path}.detail`);
  const source = imageSource(textAt(object['url'], `${path}.url`), `${path}.url`);
  return { type: 'image', source, ...(detail !== undefined && { detail }) };
}

function documentPart(file: Body, path: string): DocumentPart {
  const filename = textIn(file, 'filename', `${path}.filename`);
  return { type: 'document', source: fileSource(file, path), ...(filename !== undefined && { filename }) };
}

function fileSource(file: Body, path: string): Source {
  const data = textIn(file, 'file_data', `${path}.file_data`);
  if (data?.startsWith('data:')) return sourceOf(data, `${path}.file_data`);
  if (data !== undefined)
    return { type: 'base64', mediaType: 'application/pdf', data: base64At(data, `${path}.file_data`) };
  const id = textIn(file, 'file_id', `${path}.file_id`);
  if (id !== undefined) return { type: 'file', id };
  throw invalid(path, 'must have file_data or a file_id');
}

/** `extra_content` of a call, with the sealed thinking that came before it; undefined where there is nothing. */
export function extraContentOf(
  { extraContent }: Pick<ToolCallPart, 'extraContent'>,
  thinking: readonly ThinkingPart[],
): Body | undefined {
  const sealed = thinking.flatMap(({ sealed }) => (sealed ? [wrapThinking(sealed)] : []));
  if (sealed.length === 0) return extraContent;
  return { ...extraContent, [ours]: { thinking: sealed } };
}

/** The content of such a field: the thinking, and the rest, which is not ours. */
export function readExtraContent(value: unknown): {
  readonly thinking: readonly ThinkingPart[];
  readonly extraContent?: Body;
} {
  if (!isObject(value)) return { thinking: [] };
  const { [ours]: own, ...others } = value;
  const texts = isObject(own) && Array.isArray(own['thinking']) ? own['thinking'] : [];
  const thinking = texts.flatMap((text: unknown) => {
    const sealed = typeof text === 'string' ? unwrapThinking(text) : null;
    return sealed ? [{ type: 'thinking' as const, text: '', sealed }] : [];
  });
  return Object.keys(others).length > 0 ? { thinking, extraContent: others } : { thinking };
}

/**
 * The messages of a request without what calls of tools bear of another vendor's thinking, a field that OpenAI does not know;
 * null where there is none.
 */
export function withoutForeignExtraContent(messages: unknown): readonly unknown[] | null {
  return Array.isArray(messages) ? changed(messages, withoutThinking) : null;
}

/** A list with its entries changed; null where none is. */
function changed(list: readonly unknown[], change: (entry: unknown) => unknown): readonly unknown[] | null {
  const all = list.map(change);
  return all.some((entry, index) => entry !== list[index]) ? all : null;
}

function withoutThinking(message: unknown): unknown {
  if (!isObject(message) || !Array.isArray(message['tool_calls'])) return message;
  const calls = changed(message['tool_calls'], ofCall);
  return calls ? { ...message, tool_calls: calls } : message;
}

/** Where clients send an answer's thinking back (https://openrouter.ai/docs/guides/best-practices/reasoning-tokens). */
const thoughts = ['reasoning_content', 'reasoning', 'reasoning_details'];

/**
 * The messages of a request with their thinking in members that the vendor takes: the text of others goes into the first of them, or is
 * left out where there is none. Null where nothing changes.
 */
export function withThinkingMembers(
  messages: unknown,
  members: readonly string[],
): readonly unknown[] | null {
  return Array.isArray(messages) ? changed(messages, (message) => inMembers(message, members)) : null;
}

/** The messages of a request with those of the role `developer` as system messages; null where there is none. */
export function withoutDevelopers(messages: unknown): readonly unknown[] | null {
  if (!Array.isArray(messages)) return null;
  return changed(messages, (message) =>
    isObject(message) && message['role'] === 'developer' ? { ...message, role: 'system' } : message,
  );
}

function inMembers(message: unknown, members: readonly string[]): unknown {
  if (!isObject(message)) return message;
  const others = thoughts.filter((name) => name in message && !members.includes(name));
  if (others.length === 0) return message;
  const [first] = members;
  const text = others.map((name) => message[name]).find((value) => typeof value === 'string' && value !== '');
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !others.includes(name)));
  return first === undefined || text === undefined || kept[first] ? kept : { ...kept, [first]: text };
}

function ofCall(call: unknown): unknown {
  if (!isObject(call)) return call;
  const { extra_content: extra, ...rest } = call;
  const { thinking, extraContent } = readExtraContent(extra);
  if (thinking.length === 0) return call;
  return extraContent ? { ...rest, extra_content: extraContent } : rest;
}
