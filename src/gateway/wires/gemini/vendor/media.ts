import type { Part as GeminiPart } from '@google/genai';
import { ServiceError } from '../../../../contract/errors.ts';
import type { AudioPart, DocumentPart, ImagePart, Source } from '../../../../model/parts.ts';
import type { Adaptations } from '../../../upstream/settings.ts';

/** Where the vendor keeps files, for ids such as `files/abc`; without a slash at the end. */
export interface Place {
  readonly baseUrl: string;
  readonly model: string;
}

/** Throws `invalid_request` for a file of which the vendor cannot know. */
export function imageOf({ source }: ImagePart, path: string, place: Place): GeminiPart {
  return mediaOf(source, `${path}.source`, place);
}

export function audioOf({ data, format }: AudioPart): GeminiPart {
  return { inlineData: { mimeType: `audio/${format}`, data } };
}

/** A document, or what it says where it came as text. Throws `invalid_request` as `imageOf` does. */
export function documentOf(part: DocumentPart, path: string, place: Place, notes: Adaptations): GeminiPart {
  const { source, filename, title } = part;
  if (filename !== undefined || title !== undefined)
    notes.tell('content_adapted', 'messages', 'takes documents without names; these were left out.');
  return source.type === 'text' ? { text: source.text } : mediaOf(source, `${path}.source`, place);
}

function mediaOf(source: Source, path: string, place: Place): GeminiPart {
  if (source.type === 'base64') return { inlineData: { mimeType: source.mediaType, data: source.data } };
  const uri = source.type === 'url' ? source.url : fileUri(source.id, path, place);
  const mimeType = source.type === 'url' ? (source.mediaType ?? typeByName(uri)) : undefined;
  return { fileData: { fileUri: uri, ...(mimeType !== undefined && { mimeType }) } };
}

function fileUri(id: string, path: string, { baseUrl, model }: Place): string {
  if (/^files\/[A-Za-z0-9-]+$/.test(id)) return `${baseUrl}/${id}`;
  if (id.startsWith(`${baseUrl}/files/`)) return id;
  const message = `${path}.id is no file that the provider of ${model} keeps.`;
  throw new ServiceError('invalid_request', message, {
    details: [{ path: `${path}.id`, code: 'unknown_file', message: 'is not a file stored at the provider' }],
  });
}

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  html: 'text/html',
  csv: 'text/csv',
  md: 'text/markdown',
};

/** The media type by the extension of an address; undefined for an unknown one. */
function typeByName(url: string): string | undefined {
  const [, extension] = /^[^?#]*\.([A-Za-z0-9]+)(?:[?#]|$)/.exec(url) ?? [];
  return types[extension?.toLowerCase() ?? ''];
}
