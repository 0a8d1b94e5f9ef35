import type { Context } from 'koa';
import { exchangeOf } from './exchange.ts';
import { type ReplyHeaders, sendHead } from './send.ts';
import { drained, endInTime } from './slow-reader.ts';

/**
 * Sends a text while it is made, as fast as its reader takes it. What fails before the first piece is thrown; after it the
 * connection is cut, the only way that is left to say that the text is not whole. Resolves when it is sent or nobody reads.
 */
export async function sendChunks(
  context: Context,
  status: number,
  headers: ReplyHeaders,
  chunks: AsyncIterable<string>,
): Promise<void> {
  const { res } = context;
  const { writeTimeoutMs } = exchangeOf(context);
  const pieces = chunks[Symbol.asyncIterator]();
  let next = await pieces.next();
  context.respond = false;
  sendHead(context, status, headers);
  if (context.method === 'HEAD') {
    res.end();
    await pieces.return?.();
    return;
  }
  try {
    for (; !next.done && !res.destroyed; next = await pieces.next()) {
      if (res.write(next.value) || (await drained(res, writeTimeoutMs))) continue;
      res.destroy();
    }
  } finally {
    await pieces.return?.();
  }
  if (res.destroyed) return;
  if (res.writableNeedDrain) endInTime(res, writeTimeoutMs);
  res.end();
}
