import type {
  ResponseInputContent,
  ResponseInputFile,
  ResponseInputImage,
} from 'openai/resources/responses/responses';
import { ServiceError } from '../../../../contract/errors.ts';
import type { DocumentPart, ImagePart, Part, TextPart } from '../../../../model/parts.ts';

/** The content of a message or of a tool's result at a path: a string where it is one text. Throws `invalid_request`. */
export function inputContent(
  model: string,
  content: readonly Part[],
  path: string,
): string | ResponseInputContent[] {
  const [first, second] = content;
  if (!first) return '';
  if (first.type === 'text' && !second) return first.text;
  return content.map((part, index) => inputPart(model, part, `${path}.content[${index}]`));
}

function inputPart(model: string, part: Part, path: string): ResponseInputContent {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  if (part.type === 'image') return imagePart(part);
  if (part.type === 'document') return documentPart(part);
  const what =
    part.type === 'audio' ? 'no audio over the Responses interface' : `no ${part.type} in this place`;
  throw new ServiceError('invalid_request', `${model} takes ${what}.`, { param: path });
}

function imagePart({ source, detail = 'auto' }: ImagePart): ResponseInputImage {
  const closely = { detail: detail as ResponseInputImage['detail'] };
  if (source.type === 'file') return { type: 'input_image', file_id: source.id, ...closely };
  const image_url = source.type === 'url' ? source.url : dataUrl(source.mediaType, source.data);
  return { type: 'input_image', image_url, ...closely };
}

/** A file that is sent as data needs a name, whose ending tells OpenAI its type. */
function documentPart({ source, filename, title }: DocumentPart): ResponseInputFile {
  const name = filename ?? title;
  if (source.type === 'url') return { type: 'input_file', file_url: source.url };
  if (source.type === 'file') return { type: 'input_file', file_id: source.id };
  const [mediaType, data] =
    source.type === 'text'
      ? ['text/plain', Buffer.from(source.text).toString('base64')]
      : [source.mediaType, source.data];
  const ending = mediaType === 'application/pdf' ? '.pdf' : '.txt';
  const ended = name !== undefined && /\.\w+$/.test(name) ? name : `${name ?? 'document'}${ending}`;
  return { type: 'input_file', filename: ended, file_data: dataUrl(mediaType, data) };
}

function dataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}

/** What a tool gave, where it failed with a word that says so: the wire has no field for it. */
export function outputContent(
  model: string,
  content: readonly Part[],
  isError: boolean,
  path: string,
): string | ResponseInputContent[] {
  if (!isError) return inputContent(model, content, path);
  const [first, ...rest] = content;
  const text = first?.type === 'text' ? first.text : '';
  const marked: TextPart = { type: 'text', text: `Error: ${text}` };
  return inputContent(model, first?.type === 'text' ? [marked, ...rest] : [marked, ...content], path);
}
