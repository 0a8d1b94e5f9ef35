import type {
  DocumentPart,
  ImagePart,
  Part,
  Source,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../../model/parts.ts';
import { booleanIn, invalid, listAt, nameAt, objectAt, optional, textAt } from '../../check.ts';
import { unwrapThinking } from '../../envelope.ts';
import { withPath } from '../../source-paths.ts';
import type { Body } from '../../wire.ts';
import { originalId } from './blocks.ts';

const imageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** A block of content with its path and type. */
export interface PlacedBlock {
  readonly block: Body;
  readonly type: string;
  readonly path: string;
}

/** The blocks of a content, which may be a text for short. Blocks that other vendors have no need of are left out. */
export function blocksAt(content: unknown, path: string): PlacedBlock[] {
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, type: 'text', path }];
  return listAt(content, path).flatMap((value, index) => {
    const at = `${path}[${index}]`;
    const block = objectAt(value, at);
    const type = textAt(block['type'], `${at}.type`);
    return unneeded.has(type) ? [] : [{ block, type, path: at }];
  });
}

/**
 * References to tools, which other models know from the beginning, the mark of Anthropic's own fallbacks, and the work of
 * tools at Anthropic: the table of fields warns the client that they are left out.
 */
const unneeded: ReadonlySet<string> = new Set([
  'tool_reference',
  'fallback',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'advisor_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'mcp_tool_listing',
]);

export function readUserBlock(placed: PlacedBlock): Part {
  if (placed.type === 'tool_result') return readResult(placed);
  return readShown(placed, 'text, image, document, tool_result');
}

export function readAssistantBlock({ block, type, path }: PlacedBlock): Part {
  switch (type) {
    case 'text':
      return readText(block, path);
    case 'thinking':
    case 'redacted_thinking':
      return readThinking(block, type, path);
    case 'tool_use':
      return readCall(block, path);
    case 'compaction':
      // The blank line separates it from the text that follows.
      return { type: 'text', text: `${textAt(block['content'] ?? '', `${path}.content`)}\n\n` };
    default:
      throw invalid(`${path}.type`, 'must be one of text, thinking, redacted_thinking, tool_use, compaction');
  }
}

export function readText(block: Body, path: string): TextPart {
  // The text of a content that is a text has the path of the content.
  return { type: 'text', text: textAt(block['text'], 'type' in block ? `${path}.text` : path) };
}

function readShown({ block, type, path }: PlacedBlock, types: string): TextPart | ImagePart | DocumentPart {
  switch (type) {
    case 'text':
      return readText(block, path);
    case 'image':
      return readImage(block, path);
    case 'document':
      return readDocument(block, path);
    default:
      throw invalid(`${path}.type`, `must be one of ${types}`);
  }
}

function readResult({ block, path }: PlacedBlock): ToolResultPart {
  const { tool_use_id: id, content } = block;
  const isError = booleanIn(block, 'is_error', `${path}.is_error`);
  return {
    type: 'tool_result',
    callId: originalId(nameAt(id, `${path}.tool_use_id`)),
    content:
      content == null
        ? []
        : blocksAt(content, `${path}.content`).map((placed) => readShown(placed, 'text, image, document')),
    ...(isError !== undefined && { isError }),
  };
}

function readCall(block: Body, path: string): ToolCallPart {
  const { id, name, input } = block;
  return {
    type: 'tool_call',
    id: originalId(nameAt(id, `${path}.id`)),
    name: nameAt(name, `${path}.name`),
    arguments: JSON.stringify(objectAt(input, `${path}.input`)),
  };
}

/**
 * Thinking that an answer had. That of another vendor is in an envelope in place of the signature; for Anthropic's own the
 * conversation does not say which model made it.
 */
function readThinking(block: Body, type: string, path: string): ThinkingPart {
  const text = type === 'thinking' ? textAt(block['thinking'], `${path}.thinking`) : '';
  const mark = type === 'thinking' ? 'signature' : 'data';
  const sealed = textAt(block[mark] ?? '', `${path}.${mark}`);
  // Some vendors on this wire sign nothing.
  if (sealed === '') return { type: 'thinking', text, sealed: null };
  const foreign = unwrapThinking(sealed);
  if (foreign) return { type: 'thinking', text, sealed: foreign };
  return { type: 'thinking', text, sealed: { wire: 'anthropic', provider: null, model: null, value: block } };
}

function readImage(block: Body, path: string): ImagePart {
  const source = objectAt(block['source'], `${path}.source`);
  return withPath({ type: 'image', source: readSource(source, `${path}.source`, imageTypes) }, path);
}

function readDocument(block: Body, path: string): DocumentPart {
  const source = objectAt(block['source'], `${path}.source`);
  const title = optional(block['title'], `${path}.title`, textAt);
  const named = title !== undefined && { title };
  if (source['type'] === 'text') {
    const text = textAt(source['data'], `${path}.source.data`);
    return withPath({ type: 'document', source: { type: 'text', text }, ...named }, path);
  }
  const read = readSource(source, `${path}.source`, ['application/pdf']);
  return withPath({ type: 'document', source: read, ...named }, path);
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
