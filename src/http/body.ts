import type { Hmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { text as readBytes } from 'co-body';
import type { Context } from 'koa';
import type { BodyInfo } from '../../generated/operations.gen.ts';
import { buffersFull, ServiceError } from '../contract/errors.ts';
import { brotliIsSafeHere } from '../lib/brotli-guard.ts';
import type { Holding } from '../lib/byte-budget.ts';
import { isTooDeep } from '../lib/json.ts';

/**
 * Memory for each byte of a JSON body: its bytes, its text, what is parsed of it and what is written of that for a vendor
 * live at the same time.
 */
const memoryPerByte = 4;

/** Bodies of up to so many bytes are not worth watching while they arrive. */
const small = 16 * 1024;

/** A body that was parsed. */
interface Body {
  readonly value: unknown;
  /** Whether it has more levels than can be handled safely. */
  readonly tooDeep: boolean;
}

/** @param fingerprint is told its bytes */
type ReadBody = (
  context: Context,
  memory: Holding,
  fingerprint?: Hmac | undefined,
) => Promise<Body | undefined>;

/**
 * A reader of one operation's JSON bodies. The bytes are read by co-body, which is what koa-body reads with too, and parsed
 * here. koa-body's own JSON cannot stand in: bytes that are not UTF-8 become U+FFFD and nobody hears of it, no body at all
 * is the body `{}`, the name `__proto__` is refused in what clients may call as they like, and for a body of 1 MB it takes
 * 1.4 times the CPU (2.9 ms against 2.0; 7 µs against 4 for one of 380 bytes). Throws `ServiceError`: `missing_body`,
 * `unsupported_media_type`, `payload_too_large`, `malformed_json`, `buffers_full`.
 * @param brotli whether it can be decoded
 */
export function bodyReader(
  { required, mediaTypes, maxBytes }: BodyInfo,
  brotli = brotliIsSafeHere,
): ReadBody {
  const types = [...mediaTypes];
  return async (context, memory, fingerprint) => {
    const type = mediaTypeOf(context, types);
    if (type === null || context.request.length === 0) return missing(required);
    if (type === false) {
      const message = `The request body must be sent as "Content-Type: ${types.join('" or "')}".`;
      throw new ServiceError('unsupported_media_type', message);
    }
    requireUtf8(context.headers['content-type'] ?? '');
    requireKnownEncoding(context.headers['content-encoding'], brotli);
    admitBody(context, maxBytes);
    // Without an encoding it gives the bytes, which its types do not know.
    const read = () => readBytes(context.req, { limit: maxBytes, encoding: '' }) as Promise<unknown>;
    const bytes = await readWithin(memory, context.req, maxBytes, read as () => Promise<Buffer>).catch(
      (error: unknown) => {
        throw readingError(error, maxBytes);
      },
    );
    fingerprint?.update(bytes);
    const text = decoded(bytes);
    return text.trim() === '' ? missing(required) : parse(text);
  };
}

/** What `context.is` says, which takes every media type apart, also the one that nearly all send. */
function mediaTypeOf(context: Context, types: string[]): string | false | null {
  const { headers } = context;
  const usual = headers['content-type'] === types[0] && headers['content-length'] !== undefined;
  return usual ? (types[0] as string) : context.is(types);
}

/** JSON on the wire is UTF-8 (RFC 8259, 8.1); read as anything else, a text would change without anybody noticing. */
function requireUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new ServiceError('unsupported_media_type', 'The request body must be sent in UTF-8.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new ServiceError('malformed_json', 'The body is not valid UTF-8.', { cause: error });
  }
}

function missing(required: boolean): undefined {
  if (required) throw new ServiceError('missing_body', 'This operation needs a JSON body.');
}

function parse(text: string): Body {
  try {
    return { value: JSON.parse(text), tooDeep: isTooDeep(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ServiceError('malformed_json', `The body is not valid JSON: ${reason.slice(0, 200)}.`);
  }
}

/** What `raw-body` throws, by its `type` (https://github.com/stream-utils/raw-body#errors). */
export function readingError(error: unknown, maxBytes: number): unknown {
  if (error instanceof ServiceError) return error;
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return tooLarge(maxBytes);
  // The second is a client's that has gone before its body was asked for.
  if ((status !== undefined && status < 500) || type === 'stream.not.readable') {
    return new ServiceError('malformed_request', 'The request body could not be read.', { cause: error });
  }
  // A broken stream surfaces as an error of zlib (`Z_…`) or Brotli (`ERR__ERROR_…`, `ERR_BROTLI_…`).
  if (/^(?:Z_|ERR__ERROR_|ERR_BROTLI)/.test(String((error as { code?: unknown }).code))) {
    return new ServiceError('malformed_request', 'The compressed body is damaged.', { cause: error });
  }
  return error;
}

/**
 * Lets the body of a request come: refuses one whose length is too large already, and tells a client that waits for it
 * to go on (RFC 9110 section 10.1.1). To be called when everything else about the request has been found right.
 * Throws `ServiceError('payload_too_large')`.
 */
export function admitBody({ req, res }: Context, maxBytes: number): void {
  if (declaredBytes(req.headers) > maxBytes) throw tooLarge(maxBytes);
  const waits = req.httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(req.headers.expect ?? '');
  if (waits) res.writeContinue();
}

/** As it was declared, compressed or not; 0 where it was not. */
export function declaredBytes(headers: Context['req']['headers']): number {
  return Number(headers['content-length'] ?? 0);
}

export function tooLarge(maxBytes: number): ServiceError {
  // What is left of the body is not read, so the connection cannot carry another request.
  const headers = { connection: 'close' };
  return new ServiceError('payload_too_large', `The request body may have at most ${maxBytes} bytes.`, {
    headers,
  });
}

/**
 * Reads a body as far as there is memory for it, which stays taken until the request is over. A large one takes it as it
 * arrives, so that nobody takes much by announcing it. Throws `buffers_full`, and what reading throws.
 * @param maxBytes of the decoded body; `read` refuses more
 */
export async function readWithin(
  memory: Holding,
  req: IncomingMessage,
  maxBytes: number,
  read: () => Promise<Buffer>,
): Promise<Buffer> {
  const declared = req.headers['content-length'] === undefined ? null : Number(req.headers['content-length']);
  // What will not be read needs no memory.
  if (declared !== null && declared > maxBytes) return read();
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    // What it will come to is not seen from here.
    take(memory, maxBytes);
    const body = await read();
    memory.give((maxBytes - body.length) * memoryPerByte);
    return body;
  }
  if (declared !== null && (declared <= small || declared === req.readableLength)) {
    take(memory, declared);
    return arrivedBody(req) ?? read();
  }
  // No use in reading the beginning of what does not fit.
  take(memory, declared ?? small);
  memory.give((declared ?? small) * memoryPerByte);
  return watched(memory, req, read);
}

/** Reads while memory lasts. What is left is thrown away then, so that the client can read why. */
function watched(memory: Holding, req: IncomingMessage, read: () => Promise<Buffer>): Promise<Buffer> {
  return new Promise((fulfil, reject) => {
    const count = (chunk: Buffer) => {
      if (memory.take(chunk.length * memoryPerByte)) return;
      req.removeAllListeners('data');
      req.resume();
      reject(buffersFull());
    };
    req.on('data', count);
    read().then(fulfil, reject);
  });
}

function take(memory: Holding, bytes: number): void {
  if (!memory.begin(bytes * memoryPerByte)) throw buffersFull();
}

/**
 * The body of a request of which every byte is there, as it is for most that are small: they come with the head, in one packet. Null
 * for any other, which is to be read by its events, with five listeners that come and go.
 *
 * `req.complete` does not tell: Node.js sets it a turn of the event loop after the last byte.
 */
export function arrivedBody(req: IncomingMessage): Buffer | null {
  if (req.readableFlowing !== null || req.readableLength === 0) return null;
  if (Number(req.headers['content-length']) !== req.readableLength) return null;
  // Without its length, Node.js 26 gives the first piece alone.
  return req.read(req.readableLength) as Buffer | null;
}

/** Those that `inflation` undoes for co-body and koa-body (https://github.com/stream-utils/inflation). */
const inflated = ['gzip', 'deflate', 'br'];

export type Decoder = ReturnType<typeof createGunzip>;

const decodedEncodings = ['gzip', 'deflate', 'br', 'zstd'];

/**
 * What undoes the `Content-Encoding`; null: there is none. Throws `ServiceError('unsupported_media_type')`.
 * @param brotli whether it can be decodedEncodings
 */
export function decoder(req: IncomingMessage, brotli = brotliIsSafeHere): Decoder | null {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case 'identity':
    case '':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      if (!brotli) throw refusedEncoding(encoding, decodedEncodings, brotli);
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      throw refusedEncoding(encoding, decodedEncodings, brotli);
  }
}

/**
 * Lets through the encodings of bodies that co-body and koa-body undo. Throws `ServiceError('unsupported_media_type')`.
 * @param brotli whether this Node.js can decode it, see `brotliIsSafe`
 */
export function requireKnownEncoding(encoding = 'identity', brotli: boolean): void {
  if (encoding === 'identity') return;
  if (!inflated.includes(encoding) || (encoding === 'br' && !brotli))
    throw refusedEncoding(encoding, inflated, brotli);
}

/**
 * What a client is told whose `Content-Encoding` is not taken. `Accept-Encoding` says by which to send it again (RFC 9110, section 12.5.3).
 * @param known those that are taken where Brotli is safe
 */
function refusedEncoding(encoding: string, known: readonly string[], brotli: boolean): ServiceError {
  const taken = known.filter((one) => one !== 'br' || brotli);
  const message =
    encoding === 'br' && !brotli
      ? 'This server does not accept bodies in br at present. Send it with "Content-Encoding: gzip", or uncompressed.'
      : `The Content-Encoding of the body is not supported; ${taken.slice(0, -1).join(', ')} and ${taken.at(-1)} are.`;
  return new ServiceError('unsupported_media_type', message, {
    headers: { 'accept-encoding': taken.join(', ') },
  });
}
