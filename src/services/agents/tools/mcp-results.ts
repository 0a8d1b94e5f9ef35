import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ImagePart } from '../../../model/parts.ts';
import { ToolError, type ToolResult } from './tool.ts';

/** Maximum number of images of a result that a model is shown. */
const maxImages = 8;
/** What all vendors' models that see can see. */
const seen = /^image\/(?:png|jpeg|gif|webp)$/;

/**
 * What a model is told of a result: texts as they are, also those of embedded resources; of anything else what it is and where.
 * Throws `ToolError` with it for a tool that says that it failed.
 */
export function resultOf({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const text = content.map(textOf).join('\n');
  if (isError) throw new ToolError(text || 'The tool failed.');
  const images = content.flatMap(imageOf).slice(0, maxImages);
  return { text: text || (structuredContent ? JSON.stringify(structuredContent) : ''), images };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return named(block.type, block.mimeType, sizeOf(block.data));
    case 'resource_link': {
      const { uri, name, mimeType, description } = block;
      return [named('resource', uri, name, mimeType), description].filter(Boolean).join('\n');
    }
    case 'resource': {
      const { uri, mimeType } = block.resource;
      if ('text' in block.resource) return `${named('resource', uri, mimeType)}\n${block.resource.text}`;
      return named('resource', uri, mimeType, sizeOf(block.resource.blob));
    }
  }
}

function named(kind: string, ...facts: readonly (string | undefined)[]): string {
  return `[${kind}: ${facts.filter(Boolean).join(', ')}]`;
}

/** Of what is in Base64. */
function sizeOf(data: string): string {
  return `${Buffer.byteLength(data, 'base64').toLocaleString('en')} bytes`;
}

function imageOf(block: ContentBlock): ImagePart[] {
  if (block.type === 'image') return image(block.mimeType, block.data);
  if (block.type === 'resource' && 'blob' in block.resource)
    return image(block.resource.mimeType ?? '', block.resource.blob);
  return [];
}

function image(mediaType: string, data: string): ImagePart[] {
  return seen.test(mediaType) ? [{ type: 'image', source: { type: 'base64', mediaType, data } }] : [];
}
