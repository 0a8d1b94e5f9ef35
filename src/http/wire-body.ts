import type { Hmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { buffersFull, ServiceError } from '../contract/errors.ts';
import { brotliIsSafeHere } from '../lib/brotli-guard.ts';
import type { Holding } from '../lib/byte-budget.ts';
import { isTooDeep, parseRequest } from '../lib/json.ts';
import { admitBody, arrivedBody, type Decoder, decoder, readingError, tooLarge } from './body.ts';

/** Memory for each byte of a body: its bytes, its text, and what is parsed of it live at the same time. */
const memoryPerByte = 3;
/** So much is taken for a body before any of it has come. */
const beginningBytes = 16 * 1024;

/** A JSON object as it came, and what it says. */
export interface WireBody {
  readonly bytes: Buffer;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Reads the JSON body of a foreign interface, whose clients compress as they like (Codex with zstd) and do not all name a media
 * type. Memory is taken as it arrives, of what it comes to when it is decompressed. Throws `ServiceError`: `missing_body`,
 * `unsupported_media_type`, `payload_too_large`, `malformed_json`, `malformed_request`, `buffers_full`.
 * @param maxBytes after decompression
 * @param fingerprint is told its bytes
 * @param brotli whether it can be decoded
 */
export async function readWireBody(
  context: Context,
  memory: Holding,
  maxBytes: number,
  fingerprint?: Hmac,
  brotli = brotliIsSafeHere,
): Promise<WireBody> {
  const { req } = context;
  if (req.headers['content-type'] !== 'application/json' && context.is('multipart/*'))
    throw new ServiceError(
      'unsupported_media_type',
      'The request body must be sent as "Content-Type: application/json".',
    );
  const decoded = decoder(req, brotli);
  admitBody(context, maxBytes);
  const bytes = await gathered(req, decoded, memory, maxBytes);
  if (bytes.length === 0) throw missing();
  fingerprint?.update(bytes);
  return { bytes, value: parsed(bytes) };
}

async function gathered(
  req: IncomingMessage,
  decompress: Decoder | null,
  memory: Holding,
  maxBytes: number,
): Promise<Buffer> {
  if (!memory.begin(beginningBytes * memoryPerByte)) throw buffersFull();
  let held = beginningBytes;
  const whole = decompress || req.readableLength > maxBytes ? null : arrivedBody(req);
  if (whole) {
    if (whole.length > held && !memory.take((whole.length - held) * memoryPerByte)) throw buffersFull();
    return whole;
  }
  let length = 0;
  const chunks: Buffer[] = [];
  const source: Readable = decompress ? req.pipe(decompress) : req;
  if (decompress) req.once('error', (error) => decompress.destroy(error));
  if (decompress) req.once('aborted', () => decompress.destroy(new Error('The client went away.')));
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      if (length > held) {
        if (!memory.take((length - held) * memoryPerByte)) throw buffersFull();
        held = length;
      }
      chunks.push(chunk);
    }
  } catch (thrown) {
    req.unpipe();
    decompress?.destroy();
    req.resume();
    throw readingError(thrown, maxBytes);
  }
  const [first, second] = chunks;
  return first && !second ? first : Buffer.concat(chunks, length);
}

function missing(): ServiceError {
  return new ServiceError('missing_body', 'This operation needs a JSON body.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new ServiceError('malformed_json', 'The body is not valid UTF-8.', { cause });
  }
  let value: unknown;
  try {
    value = parseRequest(text);
  } catch (error) {
    if (text.trim() === '') throw missing();
    const reason = error instanceof Error ? error.message : '';
    throw new ServiceError('malformed_json', `The body is not valid JSON: ${reason.slice(0, 200)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('invalid_request', 'The body must be an object.');
  if (isTooDeep(text))
    throw new ServiceError(
      'invalid_request',
      'The body has too many levels of objects and lists in each other.',
    );
  return value as Readonly<Record<string, unknown>>;
}
