import type {
  CacheControlEphemeral,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { ServiceError } from '../../../../contract/errors.ts';
import { given } from '../../../../lib/json.ts';
import type {
  CacheMark,
  DocumentPart,
  ImagePart,
  Part,
  Source,
  TextPart,
  ToolResultPart,
} from '../../../../model/parts.ts';
import type { Adaptations } from '../../../upstream/settings.ts';

/** The blocks that a user may send and a tool may return. */
export type ShownBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam;

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** The target of a translated conversation. */
export interface ContentContext {
  readonly model: string;
  readonly adaptations: Adaptations;
}

/** A part of what a user says. Empty text is left out, as the wire refuses it. Throws `invalid_request` for what it cannot take. */
export function shownBlock(part: Part, path: string, context: ContentContext): ShownBlock | null {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === ''
        ? null
        : { type: 'text', text: part.text, ...(part.type === 'text' && marked(part)) };
    case 'image':
      return { ...imageBlock(part, path, context), ...marked(part) };
    case 'document':
      return { ...documentBlock(part, path, context.model), ...marked(part) };
    default:
      throw refused(path, `${context.model} takes no ${part.type} here.`);
  }
}

/** `cache_control` of a block, where its part is marked. */
export function marked({ cache }: { readonly cache?: CacheMark }): { cache_control?: CacheControlEphemeral } {
  if (!cache) return {};
  const { ttl } = cache;
  return { cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl: ttl as '5m' | '1h' }) } };
}

export function resultBlock(
  { callId, content, isError, cache }: ToolResultPart,
  path: string,
  context: ContentContext,
): ToolResultBlockParam {
  const blocks = content
    .map((part, index) => shownBlock(part, `${path}.content[${index}]`, context))
    .filter((block) => block !== null);
  const [first] = blocks;
  const text = blocks.length === 1 && first?.type === 'text' && !first.cache_control ? first.text : null;
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(blocks.length > 0 && { content: text ?? blocks }),
    ...(isError !== undefined && { is_error: isError }),
    ...(cache && marked({ cache })),
  };
}

/** The text of parts that are all text, as one; null where others are among them or none is. */
export function onlyText(parts: readonly Part[]): TextPart | null {
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first : null;
}

function imageBlock({ source, detail }: ImagePart, path: string, context: ContentContext): ImageBlockParam {
  const { model, adaptations } = context;
  if (detail !== undefined && detail !== 'auto') {
    const said = `looks at every image alike; the detail ${JSON.stringify(detail)} was left out.`;
    adaptations.tell('content_adapted', 'detail', said);
  }
  if (source.type !== 'base64') return { type: 'image', source: reference(source) };
  const type = imageTypes.find((name) => name === source.mediaType);
  if (type) return { type: 'image', source: { type: 'base64', media_type: type, data: source.data } };
  const message = `${model} takes images of ${imageTypes.join(', ')}, not ${JSON.stringify(source.mediaType)}.`;
  throw refused(path, message);
}

function documentBlock(
  { source, filename, title = filename }: DocumentPart,
  path: string,
  model: string,
): DocumentBlockParam {
  return { type: 'document', source: documentSource(source, path, model), ...given({ title }) };
}

function documentSource(
  source: DocumentPart['source'],
  path: string,
  model: string,
): DocumentBlockParam['source'] {
  if (source.type === 'text') return plainText(source.text);
  if (source.type !== 'base64') return reference(source);
  const { mediaType, data } = source;
  if (mediaType === 'application/pdf') return { type: 'base64', media_type: mediaType, data };
  if (mediaType.startsWith('text/')) return plainText(Buffer.from(data, 'base64').toString());
  throw refused(
    path,
    `${model} takes documents of application/pdf or text, not ${JSON.stringify(mediaType)}.`,
  );
}

function plainText(data: string) {
  return { type: 'text', media_type: 'text/plain', data } as const;
}

function reference(source: Exclude<Source, { type: 'base64' }>) {
  return source.type === 'url'
    ? ({ type: 'url', url: source.url } as const)
    : ({ type: 'file', file_id: source.id } as const);
}

/** A request that this wire cannot say. */
export function refused(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', message, {
    details: [{ path, code: 'unsupported', message: 'is not supported by this model' }],
  });
}
