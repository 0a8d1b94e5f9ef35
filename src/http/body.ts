import type { Hmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Context } from 'koa';
import type { BodyInfo } from '../../generated/operations.gen.ts';
import { buffersFull, ServiceError } from '../contract/errors.ts';
import { brotliIsSafeHere } from '../lib/brotli-guard.ts';
import type { Holding } from '../lib/byte-budget.ts';
import { isTooDeep, parseRequest } from '../lib/json.ts';

/**
 * Memory for each byte of a JSON body: its bytes, its text, what is parsed of it and what is written of that for a vendor
 * live at the same time.
 */
const memoryPerByte = 4;
/** The same on a foreign interface, where the bytes themselves go to most vendors. */
const wireMemoryPerByte = 3;

/** Up to this many bytes, a body takes its memory before it arrives. */
const small = 16 * 1024;

/** A body that was parsed. */
interface Body {
  readonly value: unknown;
  /** Whether it has more levels than can be handled safely. */
  readonly tooDeep: boolean;
}

/** @param fingerprint is updated with its bytes */
type ReadBody = (
  context: Context,
  memory: Holding,
  fingerprint?: Hmac | undefined,
) => Promise<Body | undefined>;

/**
 * A reader of one operation's JSON bodies. koa-body cannot read them: it replaces bytes that are not UTF-8 by U+FFFD without an
 * error, takes no body at all for `{}`, and refuses the name `__proto__` in what clients may call as they like. Throws
 * `ServiceError`: `missing_body`, `unsupported_media_type`, `payload_too_large`, `malformed_json`, `malformed_request`,
 * `buffers_full`.
 * @param brotli whether it can be decoded
 */
export function bodyReader(
  { required, mediaTypes, maxBytes }: BodyInfo,
  brotli = brotliIsSafeHere,
): ReadBody {
  const types = [...mediaTypes];
  const size = { maxBytes, memoryPerByte };
  return async (context, memory, fingerprint) => {
    const type = mediaTypeOf(context, types);
    if (type === null || context.request.length === 0) return required ? missing() : undefined;
    if (type === false) {
      const message = `The request body must be sent as "Content-Type: ${types.join('" or "')}".`;
      throw new ServiceError('unsupported_media_type', message);
    }
    requireUtf8(context.headers['content-type'] ?? '');
    const bytes = await readBytes(context, memory, size, brotli);
    fingerprint?.update(bytes);
    const text = decoded(bytes);
    if (text.trim() === '') return required ? missing() : undefined;
    return { value: parsed(text, JSON.parse), tooDeep: isTooDeep(text) };
  };
}

/** A JSON object as it came, and what it says. */
export interface WireBody {
  readonly bytes: Buffer;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Reads the JSON body of a foreign interface, whose clients do not all name a media type. Throws `ServiceError`: `missing_body`,
 * `unsupported_media_type`, `payload_too_large`, `malformed_json`, `malformed_request`, `invalid_request`, `buffers_full`.
 * @param maxBytes after decompression
 * @param fingerprint is updated with its bytes
 * @param brotli whether it can be decoded
 */
export async function readWireBody(
  context: Context,
  memory: Holding,
  maxBytes: number,
  fingerprint?: Hmac,
  brotli = brotliIsSafeHere,
): Promise<WireBody> {
  if (context.headers['content-type'] !== 'application/json' && context.is('multipart/*')) {
    const message = 'The request body must be sent as "Content-Type: application/json".';
    throw new ServiceError('unsupported_media_type', message);
  }
  const bytes = await readBytes(context, memory, { maxBytes, memoryPerByte: wireMemoryPerByte }, brotli);
  if (bytes.length === 0) missing();
  fingerprint?.update(bytes);
  const text = decoded(bytes);
  if (text.trim() === '') missing();
  const value = parsed(text, parseRequest);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('invalid_request', 'The body must be an object.');
  if (isTooDeep(text)) {
    const message = 'The body has too many levels of objects and lists in each other.';
    throw new ServiceError('invalid_request', message);
  }
  return { bytes, value: value as Readonly<Record<string, unknown>> };
}

/** The result of `context.is`, which would parse even the media type that nearly all clients send. */
function mediaTypeOf(context: Context, types: string[]): string | false | null {
  const { headers } = context;
  const usual = headers['content-type'] === types[0] && headers['content-length'] !== undefined;
  return usual ? (types[0] as string) : context.is(types);
}

/** JSON on the wire is UTF-8 (RFC 8259, 8.1); read as anything else, a text would change without an error. */
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

function missing(): never {
  throw new ServiceError('missing_body', 'This operation needs a JSON body.');
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ServiceError('malformed_json', `The body is not valid JSON: ${reason.slice(0, 200)}.`);
  }
}

/** The size of a body after decompression. */
interface Size {
  readonly maxBytes: number;
  readonly memoryPerByte: number;
}

/**
 * Reads a body, decompressed, as far as there is memory for it, which stays taken until the request is over. A large one takes
 * memory while it arrives, so that no client takes much by announcing it; the rest of a refused one is dropped, so that the
 * client can read why. Throws `unsupported_media_type`, `payload_too_large`, `malformed_request`, `buffers_full`.
 */
export async function readBytes(
  context: Context,
  memory: Holding,
  { maxBytes, memoryPerByte }: Size,
  brotli = brotliIsSafeHere,
): Promise<Buffer> {
  const { req } = context;
  const decompress = decoder(req, brotli);
  admitBody(context, maxBytes);
  const length = req.headers['content-length'];
  const declared = decompress || length === undefined ? small : Number(length);
  if (!memory.begin(declared * memoryPerByte)) throw buffersFull();
  const whole = decompress ? null : arrivedBody(req);
  if (whole) return whole;
  // There is no use in reading the beginning of what does not fit; but it takes its memory when it arrives.
  let held = Math.min(declared, small);
  memory.give((declared - held) * memoryPerByte);
  const source: Readable = decompress ? decompressed(req, decompress) : req;
  let read = 0;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (read > maxBytes) throw tooLarge(maxBytes);
      if (read > held && !memory.take((read - held) * memoryPerByte)) throw buffersFull();
      held = Math.max(held, read);
      chunks.push(chunk);
    }
  } catch (thrown) {
    req.unpipe();
    decompress?.destroy();
    req.resume();
    throw readingError(thrown, maxBytes);
  }
  const [first, second] = chunks;
  return first && !second ? first : Buffer.concat(chunks, read);
}

/** A body while it is decompressed. Fails when the client breaks off. */
export function decompressed(req: IncomingMessage, decompress: Decoder): Readable {
  req.once('error', (error) => decompress.destroy(error));
  return req.pipe(decompress);
}

/** The errors of `raw-body`, by their `type` (https://github.com/stream-utils/raw-body#errors). */
export function readingError(error: unknown, maxBytes: number): unknown {
  if (error instanceof ServiceError) return error;
  const { type, status, code } = error as { type?: string; status?: number; code?: unknown };
  if (type === 'entity.too.large') return tooLarge(maxBytes);
  // The others are of a client that has disconnected, before its body was read or while it was.
  if ((status !== undefined && status < 500) || type === 'stream.not.readable' || code === 'ECONNRESET') {
    return new ServiceError('malformed_request', 'The request body could not be read.', { cause: error });
  }
  // A broken stream surfaces as an error of zlib (`Z_…`), Brotli (`ERR__ERROR_…`, `ERR_BROTLI_…`) or Zstandard (`ZSTD_error_…`).
  if (/^(?:Z_|ZSTD_|ERR_ZSTD|ERR__ERROR_|ERR_BROTLI|ERR_TRAILING_JUNK)/.test(String(code))) {
    return new ServiceError('malformed_request', 'The compressed body is damaged.', { cause: error });
  }
  return error;
}

/**
 * Admits the body of a request: refuses one whose declared length is too large, and sends `100 Continue` to a client that
 * waits for it (RFC 9110 section 10.1.1). To be called when everything else about the request has been found right. Throws
 * `ServiceError('payload_too_large')`.
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
  // The rest of the body is not read, so the connection cannot carry another request.
  const headers = { connection: 'close' };
  return new ServiceError('payload_too_large', `The request body may have at most ${maxBytes} bytes.`, {
    headers,
  });
}

/**
 * The body of a request of which every byte is there, as it is for most that are small: they come with the head, in one packet. Null
 * for any other, which is to be read by its events, with five listeners that come and go.
 *
 * `req.complete` comes too late: Node.js sets it a turn of the event loop after the last byte.
 */
export function arrivedBody(req: IncomingMessage): Buffer | null {
  if (req.readableFlowing !== null || req.readableLength === 0) return null;
  if (Number(req.headers['content-length']) !== req.readableLength) return null;
  // Without its length, Node.js 26 gives the first piece alone.
  return req.read(req.readableLength) as Buffer | null;
}

type Decoder = ReturnType<typeof createGunzip>;

/** Bytes after the end are an error, as they always are in gzip, which may have several members. */
const strict = { rejectGarbageAfterEnd: true };

const decodedEncodings = ['gzip', 'deflate', 'br', 'zstd'];

/**
 * The decoder of the `Content-Encoding`; null: there is none. Throws `ServiceError('unsupported_media_type')`.
 * @param brotli whether it can be decoded
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
      return createInflate(strict);
    case 'br':
      if (!brotli) throw refusedEncoding(encoding, decodedEncodings, brotli);
      return createBrotliDecompress(strict);
    case 'zstd':
      return createZstdDecompress(strict);
    default:
      throw refusedEncoding(encoding, decodedEncodings, brotli);
  }
}

/**
 * The error for a `Content-Encoding` that is not taken. `Accept-Encoding` says in which to send it again (RFC 9110, section 12.5.3).
 * @param known those that are taken where Brotli is safe
 */
export function refusedEncoding(encoding: string, known: readonly string[], brotli: boolean): ServiceError {
  const taken = known.filter((one) => one !== 'br' || brotli);
  const message =
    encoding === 'br' && !brotli
      ? 'This server does not accept bodies in br at present. Send it with "Content-Encoding: gzip", or uncompressed.'
      : `The Content-Encoding of the body is not supported; ${taken.slice(0, -1).join(', ')} and ${taken.at(-1)} are.`;
  return new ServiceError('unsupported_media_type', message, {
    headers: { 'accept-encoding': taken.join(', ') },
  });
}
