import type { AudioPart, DocumentPart, ImagePart, Source } from '../../../../model/parts.ts';
import { type Fields, wrong } from './fields.ts';

type MediaPart = ImagePart | DocumentPart | AudioPart;

/** Bytes in the request itself (`inlineData`), which are checked to be base64 in one of its two alphabets. */
export function inlinePart(data: Fields): MediaPart {
  const mediaType = data.text('mimeType');
  if (mediaType === undefined) throw wrong(data.at('mimeType'), 'required', 'is required');
  const bytes = standardBase64(data.text('data') ?? '', data.at('data'));
  const [kind, form = ''] = mediaType.toLowerCase().split(/[/;]/);
  if (kind === 'audio') return { type: 'audio', data: bytes, format: audioFormats[form] ?? form };
  return partOf(kind, { type: 'base64', mediaType, data: bytes }, data);
}

/** A file somewhere else (`fileData`). */
export function filePart(data: Fields): MediaPart {
  const uri = data.text('fileUri');
  if (!uri) throw wrong(data.at('fileUri'), 'required', 'is required');
  const mediaType = data.text('mimeType');
  const [kind] = (mediaType ?? typeByName(uri)).toLowerCase().split('/');
  if (kind === 'audio')
    throw wrong(data.at('mimeType'), 'unsupported', 'cannot be audio here: send it as inlineData');
  const [, file] = /\/v1(?:beta|alpha)?\/(files\/[A-Za-z0-9-]+)$/.exec(uri) ?? [];
  const source: Source =
    file === undefined
      ? { type: 'url', url: uri, ...(mediaType !== undefined && { mediaType }) }
      : { type: 'file', id: file };
  return partOf(kind, source, data);
}

function partOf(kind: string | undefined, source: Source, data: Fields): MediaPart {
  if (kind === 'image') return { type: 'image', source };
  if (kind === 'application' || kind === 'text') return { type: 'document', source };
  throw wrong(
    data.at('mimeType'),
    'unsupported',
    'must be that of an image, a document or audio for this model',
  );
}

function typeByName(uri: string): string {
  return /\.(?:png|jpe?g|webp|gif|heic|heif)(?:[?#]|$)/i.test(uri) ? 'image/' : 'application/';
}

/** Names of forms in media types, where other wires have shorter ones. */
const audioFormats: Readonly<Record<string, string>> = {
  mpeg: 'mp3',
  'x-wav': 'wav',
  wave: 'wav',
  mp4: 'm4a',
};

/** Google's own clients write the alphabet for addresses; other vendors take the standard one only. */
function standardBase64(text: string, path: string): string {
  if (text === '' || text.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text))
    throw wrong(path, 'base64', 'must be base64');
  if (!/[-_]/.test(text)) return text;
  return text.replaceAll('-', '+').replaceAll('_', '/');
}
