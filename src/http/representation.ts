/** Which form of a body a client gets: none where its own copy is current, compressed where it takes that. */
import type { Context } from 'koa';
import type { ReplyHeaders } from './send.ts';

/** Whether the client's copy is current (RFC 9110 section 13.1.2). */
export function isFresh(context: Context, etag: string): boolean {
  const tags = context.get('if-none-match').split(',');
  return tags.some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}

/** A body in an encoding that the client takes, with the headers that belong to it. */
export interface Encoded {
  readonly body: string | Buffer;
  readonly headers: ReplyHeaders;
}

/**
 * @param etag strong validator of the text; the compressed form gets a weak one, as its bytes are others
 * @param gzip left out: the text is not compressed
 */
export async function encodedFor(
  context: Context,
  text: string | Buffer,
  etag: string,
  gzip?: () => Promise<Buffer>,
): Promise<Encoded> {
  if (!gzip || context.acceptsEncodings('gzip', 'identity') !== 'gzip')
    return { body: text, headers: { etag } };
  return { body: await gzip(), headers: { etag: `W/${etag}`, 'content-encoding': 'gzip' } };
}
