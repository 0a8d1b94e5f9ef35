import type { ChatCompletionContentPart } from 'openai/resources/chat/completions/completions';
import { ServiceError } from '../../../../contract/errors.ts';
import type { AudioPart, DocumentPart, ImagePart, Part } from '../../../../model/parts.ts';

/** The text of parts that are text and nothing else, which every vendor on this wire takes as a string; else null. */
export function joinedTexts(content: readonly Part[], separator: string): string | null {
  const texts: string[] = [];
  for (const part of content) {
    if (part.type !== 'text') return null;
    texts.push(part.text);
  }
  return texts.join(separator);
}

/** A part of a user's message. Throws `invalid_request`, with its path, for one that this wire cannot say. */
export function contentPart(model: string, part: Part, path: string): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'image') return imagePart(model, part, path);
  if (part.type === 'document') return documentPart(model, part, path);
  if (part.type === 'audio') return audioPart(part);
  throw cannotTake(model, `takes no ${part.type} in a message of the user`, path);
}

function imagePart(model: string, { source, detail }: ImagePart, path: string): ChatCompletionContentPart {
  if (source.type === 'file')
    throw cannotTake(model, 'takes images as data or by their address, not by the id of a file', path);
  const url = source.type === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
  const closely = detail !== undefined && { detail: detail as 'auto' | 'low' | 'high' };
  return { type: 'image_url', image_url: { url, ...closely } };
}

/** PDFs go as files, texts as text: no other file is taken. */
function documentPart(
  model: string,
  { source, filename, title }: DocumentPart,
  path: string,
): ChatCompletionContentPart {
  if (source.type === 'url') throw cannotTake(model, 'takes documents as data, not by their address', path);
  if (source.type === 'file') return { type: 'file', file: { file_id: source.id } };
  const name = filename ?? title;
  if (source.type === 'text') return { type: 'text', text: titled(name, source.text) };
  if (/^text\//i.test(source.mediaType))
    return { type: 'text', text: titled(name, Buffer.from(source.data, 'base64').toString()) };
  const file_data = `data:${source.mediaType};base64,${source.data}`;
  return { type: 'file', file: { filename: name ?? 'document.pdf', file_data } };
}

function titled(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}:\n\n${text}`;
}

function audioPart({ data, format }: AudioPart): ChatCompletionContentPart {
  return { type: 'input_audio', input_audio: { data, format: format as 'wav' | 'mp3' } };
}

/** What of a conversation a model on this wire cannot be told. */
export function cannotTake(model: string, what: string, path: string): ServiceError {
  return new ServiceError('invalid_request', `${model} ${what}.`, { param: path });
}
