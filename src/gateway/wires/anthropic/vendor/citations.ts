import { isObject } from '../../../../lib/is-object.ts';
import type { Citation } from '../../../../model/parts.ts';

/**
 * What a citation tells that every wire understands; null for what is none. A page of the web has `url`, a search result
 * `source`, a document `document_title` (https://platform.claude.com/docs/en/build-with-claude/citations).
 */
export function citationOf(received: unknown): Citation | null {
  if (!isObject(received)) return null;
  const text = (...fields: string[]) =>
    fields.map((name) => received[name]).find((value) => typeof value === 'string');
  const url = text('url', 'source');
  const title = text('title', 'document_title');
  const citedText = text('cited_text');
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(citedText !== undefined && { citedText }),
  };
}

export function citationsOf(received: unknown): Citation[] {
  if (!Array.isArray(received)) return [];
  return received.map(citationOf).filter((citation) => citation !== null);
}
