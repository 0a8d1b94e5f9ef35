import type {
  AudioPart,
  DocumentPart,
  ImagePart,
  RefusalPart,
  Source,
  TextPart,
} from '../../models/parts.ts';
import type { Body } from '../wire.ts';
import { invalid, listAt, nameAt, objectAt, textAt, textIn } from './check.ts';

export type ContentPart = TextPart | ImagePart | DocumentPart | AudioPart | RefusalPart;

/** The content of a message: a text, or a list of parts. Throws `invalid_request`. */
export function readContent(content: unknown, path: string): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw invalid(path, 'must be a text or a list of parts');
  return listAt(content, path).map((part, index) => {
    const at = `${path}[${index}]`;
    return partOf(objectAt(part, at), at);
  });
}

function partOf(part: Body, path: string): ContentPart {
  switch (part['type']) {
    case 'text':
      return { type: 'text', text: textAt(part['text'], `${path}.text`) };
    case 'refusal':
      return { type: 'refusal', text: textAt(part['refusal'], `${path}.refusal`) };
    case 'image_url':
      return imagePart(part['image_url'], `${path}.image_url`);
    case 'file':
      return documentPart(objectAt(part['file'], `${path}.file`), `${path}.file`);
    case 'input_audio':
      return audioPart(objectAt(part['input_audio'], `${path}.input_audio`), `${path}.input_audio`);
    default:
      throw invalid(`${path}.type`, 'must be text, image_url, input_audio, file or refusal');
  }
}

/** Some clients give the address where an object is asked for. */
function imagePart(image: unknown, path: string): ImagePart {
  if (typeof image === 'string') return { type: 'image', source: sourceOf(image, path) };
  const object = objectAt(image, path);
  const detail = textIn(object, 'detail', `${path}.detail`);
  const source = sourceOf(textAt(object['url'], `${path}.url`), `${path}.url`);
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

function audioPart(audio: Body, path: string): AudioPart {
  return {
    type: 'audio',
    data: base64At(textAt(audio['data'], `${path}.data`), `${path}.data`),
    format: nameAt(audio['format'], `${path}.format`),
  };
}

/** An address, or the bytes themselves in a `data:` URL (RFC 2397). */
function sourceOf(url: string, path: string): Source {
  if (!/^data:/i.test(url)) {
    if (/^https?:\/\//i.test(url)) return { type: 'url', url };
    throw invalid(path, 'must be an http, https or data URL');
  }
  const comma = url.indexOf(',');
  const head = /^data:([^;,]+)(?:;[^;,]+)*;base64$/i.exec(comma < 0 ? '' : url.slice(0, comma));
  if (!head?.[1]) throw invalid(path, 'must be a data URL with a media type and base64');
  return { type: 'base64', mediaType: head[1].toLowerCase(), data: base64At(url.slice(comma + 1), path) };
}

/** Padding may be left out, as some clients do. */
function base64At(text: string, path: string): string {
  const padding = text.indexOf('=');
  const length = padding < 0 ? text.length : padding;
  const padded = padding < 0 || /^={1,2}$/.test(text.slice(padding, padding + 3));
  if (length > 1 && length % 4 !== 1 && padded && !/[^A-Za-z0-9+/=]/.test(text)) return text;
  throw invalid(path, 'must hold valid base64');
}
