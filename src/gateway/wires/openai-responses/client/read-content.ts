import type { ResponseFormat } from '../../../../../generated/types.gen.ts';
import { given, isObject } from '../../../../lib/json.ts';
import { shorten } from '../../../../lib/static-text.ts';
import type {
  AudioPart,
  Citation,
  DocumentPart,
  ImagePart,
  RefusalPart,
  Source,
  TextPart,
  ToolResultPart,
} from '../../../../model/parts.ts';
import { booleanIn, invalid, listAt, nameAt, objectAt, textAt, textIn } from '../../check.ts';
import { withPath } from '../../source-paths.ts';
import type { Body } from '../../wire.ts';

type ContentPart = TextPart | ImagePart | DocumentPart | AudioPart | RefusalPart;

/** The content of a message: a text, or a list of parts. */
export function readContent(content: unknown, path: string): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listAt(content, path).map((part, index) =>
    partOf(objectAt(part, `${path}[${index}]`), `${path}[${index}]`),
  );
}

/** A tool's output: a text, or a list of texts, images and files. */
export function readOutput(output: unknown, path: string): ToolResultPart['content'] {
  return readContent(output, path).map((part, index) => {
    if (part.type !== 'audio' && part.type !== 'refusal') return part;
    throw invalid(`${path}[${index}].type`, 'must be input_text, input_image or input_file');
  });
}

function partOf(part: Body, path: string): ContentPart {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return textPart(part, path);
    case 'refusal':
      return { type: 'refusal', text: textAt(part['refusal'], `${path}.refusal`) };
    case 'input_image':
      return withPath(imagePart(part, path), path);
    case 'input_file':
      return withPath(documentPart(part, path), path);
    case 'input_audio':
      return withPath(audioPart(part, path), `${path}.input_audio`);
    default:
      throw invalid(`${path}.type`, 'must be input_text, input_image, input_file, output_text or refusal');
  }
}

function textPart(part: Body, path: string): TextPart {
  const text = textAt(part['text'], `${path}.text`);
  const annotations = Array.isArray(part['annotations']) ? part['annotations'] : [];
  const citations = annotations.filter(isObject).flatMap(citationOf);
  return { type: 'text', text, ...(citations.length > 0 && { citations }) };
}

/** Of an answer's annotations those that name an address; files are known to their vendor only. */
function citationOf({ type, url, title, start_index, end_index }: Body): Citation[] {
  if (type !== 'url_citation' || typeof url !== 'string') return [];
  return [
    {
      url,
      ...(typeof title === 'string' && { title }),
      ...(typeof start_index === 'number' && { start: start_index }),
      ...(typeof end_index === 'number' && { end: end_index }),
    },
  ];
}

function imagePart(part: Body, path: string): ImagePart {
  const detail = textIn(part, 'detail', `${path}.detail`);
  const url = textIn(part, 'image_url', `${path}.image_url`);
  const id = textIn(part, 'file_id', `${path}.file_id`);
  if (url === undefined && id === undefined) throw invalid(path, 'must have an image_url or a file_id');
  const source =
    url === undefined ? { type: 'file' as const, id: id ?? '' } : imageSource(url, `${path}.image_url`);
  return { type: 'image', source, ...(detail !== undefined && { detail }) };
}

function documentPart(part: Body, path: string): DocumentPart {
  const filename = textIn(part, 'filename', `${path}.filename`);
  return { type: 'document', source: fileSource(part, path, filename), ...given({ filename }) };
}

function fileSource(part: Body, path: string, filename: string | undefined): Source {
  const data = textIn(part, 'file_data', `${path}.file_data`);
  if (data?.startsWith('data:')) return sourceOf(data, `${path}.file_data`);
  if (data !== undefined) {
    const mediaType = filename?.toLowerCase().endsWith('.txt') ? 'text/plain' : 'application/pdf';
    return { type: 'base64', mediaType, data: base64At(data, `${path}.file_data`) };
  }
  const url = textIn(part, 'file_url', `${path}.file_url`);
  if (url !== undefined) return sourceOf(url, `${path}.file_url`);
  const id = textIn(part, 'file_id', `${path}.file_id`);
  if (id !== undefined) return { type: 'file', id };
  throw invalid(path, 'must have file_data, a file_url or a file_id');
}

export function audioPart(part: Body, path: string): AudioPart {
  const audio = objectAt(part['input_audio'], `${path}.input_audio`);
  return {
    type: 'audio',
    data: base64At(textAt(audio['data'], `${path}.input_audio.data`), `${path}.input_audio.data`),
    format: nameAt(audio['format'], `${path}.input_audio.format`),
  };
}

/** A format that holds an answer to a schema. @param schema where it is not what a member of that name is */
export function schemaFormat(asked: Body, path: string, schema = asked['schema']): ResponseFormat {
  const said = given({
    description: textIn(asked, 'description', `${path}.description`),
    strict: booleanIn(asked, 'strict', `${path}.strict`),
  });
  const name = nameAt(asked['name'], `${path}.name`);
  const read = objectAt(schema, `${path}.schema`) as { [key: string]: unknown };
  return { type: 'json_schema', json_schema: { name, schema: read, ...said } };
}

/** Where a picture is. Throws `invalid_request` for data of another type, which no model takes as a picture. */
export function imageSource(url: string, path: string): Source {
  const source = sourceOf(url, path);
  if (source.type !== 'base64' || source.mediaType.startsWith('image/')) return source;
  throw invalid(path, `must be an image, not ${JSON.stringify(shorten(source.mediaType, 100))}`);
}

/** An address, or the bytes themselves in a `data:` URL (RFC 2397). */
export function sourceOf(url: string, path: string): Source {
  if (!url.startsWith('data:')) {
    if (/^https?:\/\//i.test(url)) return { type: 'url', url };
    throw invalid(path, 'must be an http, https or data URL');
  }
  const comma = url.indexOf(',');
  const head = comma < 0 ? null : /^data:([^;,]+)(?:;[^;,]+)*;base64$/i.exec(url.slice(0, comma));
  if (!head?.[1]) throw invalid(path, 'must be a data URL with a media type and base64');
  return { type: 'base64', mediaType: head[1].toLowerCase(), data: base64At(url.slice(comma + 1), path) };
}

/** Padding may be left out, as some clients do. */
export function base64At(text: string, path: string): string {
  const padding = text.indexOf('=');
  const length = padding < 0 ? text.length : padding;
  const padded = padding < 0 || /^={1,2}$/.test(text.slice(padding, padding + 3));
  if (length > 1 && length % 4 !== 1 && padded && !/[^A-Za-z0-9+/=]/.test(text)) return text;
  throw invalid(path, 'must hold valid base64');
}
