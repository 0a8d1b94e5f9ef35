import type { DocumentPart, ImagePart, Source } from '../../../../model/parts.ts';
import { invalid, nameAt, objectAt, optional, textAt } from '../../check.ts';
import { placed } from '../../places.ts';
import type { Body } from '../../wire.ts';

const imageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export function readImage(block: Body, path: string): ImagePart {
  const source = objectAt(block['source'], `${path}.source`);
  return placed({ type: 'image', source: readSource(source, `${path}.source`, imageTypes) }, path);
}

export function readDocument(block: Body, path: string): DocumentPart {
  const source = objectAt(block['source'], `${path}.source`);
  const title = optional(block['title'], `${path}.title`, textAt);
  const named = title !== undefined && { title };
  if (source['type'] === 'text') {
    const text = textAt(source['data'], `${path}.source.data`);
    return placed({ type: 'document', source: { type: 'text', text }, ...named }, path);
  }
  const read = readSource(source, `${path}.source`, ['application/pdf']);
  return placed({ type: 'document', source: read, ...named }, path);
}

function readSource(source: Body, path: string, mediaTypes: readonly string[]): Source {
  switch (source['type']) {
    case 'base64': {
      const mediaType = textAt(source['media_type'], `${path}.media_type`);
      if (!mediaTypes.includes(mediaType))
        throw invalid(`${path}.media_type`, `must be one of ${mediaTypes.join(', ')}`);
      return { type: 'base64', mediaType, data: base64At(source['data'], `${path}.data`) };
    }
    case 'url': {
      const url = textAt(source['url'], `${path}.url`);
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
        throw invalid(`${path}.url`, 'must be an http(s) URL');
      return { type: 'url', url };
    }
    case 'file':
      return { type: 'file', id: nameAt(source['file_id'], `${path}.file_id`) };
    default:
      throw invalid(`${path}.type`, 'must be one of base64, url, file');
  }
}

function base64At(value: unknown, path: string): string {
  const data = nameAt(value, path);
  if (data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)) return data;
  throw invalid(path, 'must be base64');
}
