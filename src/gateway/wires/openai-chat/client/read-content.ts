import type {
  AudioPart,
  DocumentPart,
  ImagePart,
  RefusalPart,
  Source,
  TextPart,
} from '../../../../model/parts.ts';
import { invalid, listAt, objectAt, textAt, textIn } from '../../check.ts';
import { audioPart, base64At, imageSource, sourceOf } from '../../openai-responses/client/read-content.ts';
import { placed } from '../../places.ts';
import type { Body } from '../../wire.ts';

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
      return placed(imagePart(part['image_url'], `${path}.image_url`), `${path}.image_url`);
    case 'file':
      return placed(documentPart(objectAt(part['file'], `${path}.file`), `${path}.file`), `${path}.file`);
    case 'input_audio':
      return placed(audioPart(part, path), `${path}.input_audio`);
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
