import type { Hmac } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Context } from 'koa';
import { buffersFull, fieldError, ServiceError } from '../contract/errors.ts';
import type { Form, FormPart } from '../contract/form.ts';
import { brotliIsSafeHere } from '../lib/brotli-guard.ts';
import type { Holding } from '../lib/byte-budget.ts';
import { isFileError } from '../lib/create-file.ts';
import type { Spool, SpoolFile } from '../lib/spool.ts';
import { admitBody, decoder, decompressed, readingError, tooLarge } from './body.ts';

/** The part of a form that is held in memory, in bytes; the rest is in a file. */
const maxInMemory = 1024 * 1024;
/** The most that the parser buffers, in bytes. */
const parserMemory = 256 * 1024;
const limits = { headerSize: 8 * 1024, headerPairs: 20 };
const maxParts = 500;

/** How forms are taken. */
export interface Uploads {
  readonly spool: Spool;
  /** Of a whole form, after decompression. */
  readonly maxBytes: number;
}

/** A form, and what of it lies on the disk. */
export interface ReadForm extends Form {
  /** Deletes what of it lies on the disk. */
  close(): Promise<void>;
}

/**
 * Reads a form. It is never in memory beyond 1 MiB, however many files it has; the rest is in a file that `close` deletes.
 * The client is read as fast as the disk takes it. Throws `ServiceError`: `missing_body`, `unsupported_media_type`, `payload_too_large`,
 * `malformed_request`, `invalid_request`, `buffers_full`; nothing of the form is left then.
 * @param fingerprint takes its parts, in their order, without what separates them
 * @param brotli whether it can be decoded
 */
export async function readForm(
  context: Context,
  memory: Holding,
  { spool, maxBytes }: Uploads,
  fingerprint?: Hmac,
  brotli = brotliIsSafeHere,
): Promise<ReadForm> {
  const { req } = context;
  const type = context.is('multipart/form-data');
  if (type === null || context.request.length === 0)
    throw new ServiceError('missing_body', 'This operation needs a form.');
  if (type === false)
    throw new ServiceError(
      'unsupported_media_type',
      'The request body must be sent as "Content-Type: multipart/form-data".',
    );
  const parser = parserOf(req.headers['content-type'] ?? '');
  const decompress = decoder(req, brotli);
  if (!memory.begin(parserMemory)) throw buffersFull();
  admitBody(context, maxBytes);
  const kept = new KeptForm(memory, spool, fingerprint);
  try {
    const source: Readable = decompress ? decompressed(req, decompress) : req;
    await parse(source, parser, kept, maxBytes);
  } catch (thrown) {
    req.unpipe();
    decompress?.destroy();
    req.resume();
    await kept.close();
    throw isFileError(thrown, 'ENOSPC') ? buffersFull() : readingError(thrown, maxBytes);
  }
  return kept;
}

function parserOf(contentType: string): BusboyInstance {
  try {
    // Every part as a file: their bytes are wanted, in their order.
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true,
      preservePath: true,
      limits,
    });
  } catch {
    throw broken('its Content-Type names no boundary');
  }
}

/** Feeds the parser, and waits until every part is kept. */
async function parse(
  source: Readable,
  parser: BusboyInstance,
  kept: KeptForm,
  maxBytes: number,
): Promise<void> {
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  let tail: Promise<void> = Promise.resolve();
  let parts = 0;
  parser.on('error', (error) => fail(broken(error instanceof Error ? error.message : '')));
  parser.on('file', (name: string | undefined, stream, filename, encoding, mediaType) => {
    // An interruption ends the parser too.
    stream.on('error', () => undefined);
    parts += 1;
    if (name === undefined) return fail(broken('a part has no name'));
    if (parts > maxParts) return fail(broken(`it has more than ${maxParts} parts`));
    const about = {
      name,
      filename: filename ?? null,
      mediaType,
      transferEncoding: encoding === '7bit' ? null : encoding,
    };
    tail = tail.then(() => kept.take(stream, about));
    tail.catch(fail);
  });
  const finished = new Promise<void>((resolve) => parser.once('finish', () => resolve()));
  let length = 0;
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    if (parser.write(chunk)) continue;
    await Promise.race([new Promise<void>((resolve) => parser.once('drain', () => resolve())), failed]);
  }
  parser.end();
  await Promise.race([finished, failed]);
  await Promise.race([tail, failed]);
}

function broken(why: string): ServiceError {
  const reason = why === '' ? '' : `: ${why.slice(0, 200).replace(/\.$/, '')}`;
  return new ServiceError('malformed_request', `The body is not valid multipart/form-data${reason}.`);
}

type About = Pick<FormPart, 'name' | 'filename' | 'mediaType' | 'transferEncoding'>;

class KeptForm implements ReadForm {
  readonly parts: FormPart[] = [];
  readonly #memory: Holding;
  readonly #spool: Spool;
  readonly #fingerprint: Hmac | undefined;
  #inMemory = 0;
  #file: SpoolFile | null = null;
  #closed = false;

  constructor(memory: Holding, spool: Spool, fingerprint: Hmac | undefined) {
    this.#memory = memory;
    this.#spool = spool;
    this.#fingerprint = fingerprint;
  }

  async take(stream: AsyncIterable<Buffer>, about: About): Promise<void> {
    let held: Buffer[] = [];
    let length = 0;
    let start: number | null = null;
    this.#fingerprint?.update(`${JSON.stringify(about)}\n`);
    for await (const chunk of stream) {
      length += chunk.length;
      this.#fingerprint?.update(chunk);
      if (start === null && this.#inMemory + chunk.length <= maxInMemory) {
        this.#hold(chunk.length);
        // A copy: a part of what was read would keep all of it.
        held.push(Buffer.from(chunk));
        continue;
      }
      if (about.filename === null)
        throw fieldError(about.name, 'maxLength', 'must not be longer than 1 MiB; files need a file name');
      if (start === null) {
        start = this.#file?.length ?? 0;
        for (const before of held) await this.#write(before);
        this.#give(length - chunk.length);
        held = [];
      }
      await this.#write(chunk);
    }
    this.#fingerprint?.update(`\n${length}\n`);
    this.parts.push(start === null ? inMemory(about, held) : this.#onDisk(about, start, length));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#file?.close();
  }

  #hold(bytes: number): void {
    if (!this.#memory.take(bytes)) throw buffersFull();
    this.#inMemory += bytes;
  }

  #give(bytes: number): void {
    this.#memory.give(bytes);
    this.#inMemory -= bytes;
  }

  async #write(chunk: Buffer): Promise<void> {
    if (this.#file === null) {
      const file = await this.#spool.open().catch((error: unknown) => {
        throw isFileError(error) && error.code !== 'ENOSPC' ? noDisk(error) : error;
      });
      if (this.#closed) await file.close();
      this.#file = file;
    }
    if (!(await this.#file.append(chunk))) throw buffersFull();
  }

  #onDisk(about: About, start: number, length: number): FormPart {
    const file = this.#file as SpoolFile;
    return { ...about, length, text: null, bytes: () => file.read(start, length) };
  }
}

function noDisk(cause: Error): ServiceError {
  const message = 'The server has no disk that it can write a form of this size to. Smaller ones are taken.';
  return new ServiceError('storage_unavailable', message, { retryAfter: 60, cause });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function inMemory(about: About, held: readonly Buffer[]): FormPart {
  const bytes = Buffer.concat(held);
  return {
    ...about,
    length: bytes.length,
    text: about.filename === null ? decoded(about.name, bytes) : null,
    async *bytes() {
      yield bytes;
    },
  };
}

function decoded(name: string, bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw fieldError(name, 'format', 'must be UTF-8');
  }
}
