/** Forms, however they arrive, are read part by part and never held in memory; written again, they are the same. */

import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import Koa from 'koa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toServiceError } from '../../../src/contract/errors.ts';
import { type Form, type FormPart, filesNamed, formValues } from '../../../src/contract/form.ts';
import { writeForm } from '../../../src/gateway/wires/openai-media/write-form.ts';
import { readForm } from '../../../src/http/multipart.ts';
import { ByteBudget, Holding } from '../../../src/lib/byte-budget.ts';
import { Spool } from '../../../src/lib/spool.ts';

const mebibyte = 1024 * 1024;
const boundary = 'bound-ary';
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'switchyard-forms-'));
});
afterAll(() => rm(directory, { recursive: true }));

interface Given {
  readonly name: string;
  readonly filename: string | null;
  readonly bytes: Buffer;
  readonly type?: string;
}

function bodyOf(parts: readonly Given[]): Buffer {
  const written = parts.flatMap(({ name, filename, bytes, type }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === null ? '' : `; filename="${filename}"`}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}

interface Options {
  readonly headers?: Record<string, string>;
  readonly budget?: ByteBudget;
  readonly spool?: Spool;
  readonly maxBytes?: number;
  readonly brotli?: boolean;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

async function contentOf(part: FormPart): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of part.bytes()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Sends pieces over a socket, one write each, and gives what `use` makes of the form, or the code of the error. */
async function sent<T>(
  pieces: readonly Buffer[],
  use: (form: Form, memory: Holding) => Promise<T>,
  {
    headers = {},
    budget = new ByteBudget(64 * mebibyte),
    spool,
    maxBytes = 32 * mebibyte,
    brotli = true,
  }: Options = {},
): Promise<T | Refusal> {
  const application = new Koa();
  const result = new Promise<T | Refusal>((resolve) => {
    application.use(async (context) => {
      const memory = new Holding(budget);
      const read = async () => {
        const uploads = { spool: spool ?? new Spool(directory, 64 * mebibyte), maxBytes };
        const form = await readForm(context, memory, uploads, undefined, brotli);
        const used = await use(form, memory);
        await form.close();
        return used;
      };
      const outcome = await read().catch((thrown: unknown): Refusal => {
        const { code, message, param } = toServiceError(thrown);
        return { code, message, param };
      });
      memory.release();
      context.body = '';
      resolve(outcome);
    });
  });
  const server = createServer(application.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).setNoDelay(true);
  const all = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(pieces.reduce((sum, { length }) => sum + length, 0)),
    ...headers,
  };
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  try {
    return await result;
  } finally {
    socket.destroy();
    server.close();
    await once(server, 'close');
  }
}

const shown = async ({ parts }: Form) =>
  Promise.all(
    parts.map(async (part) => ({
      name: part.name,
      filename: part.filename,
      bytes: (await contentOf(part)).toString('latin1'),
    })),
  );

const word = fc.stringMatching(/^[a-z_ [\]é日.]{1,12}$/);
const given = fc.record({
  name: word,
  filename: fc.option(word),
  bytes: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => Buffer.from(text)),
    fc
      .array(fc.constantFrom('\r', '\n', '\r\n', '--', `\r\n--${boundary.slice(0, 5)}`, 'x'), {
        maxLength: 20,
      })
      .map((pieces) => Buffer.from(pieces.join(''))),
  ),
});

it('gives the same parts wherever the bytes are cut, and writes them so that others read the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(given, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      async (parts, cuts) => {
        const body = bodyOf(parts);
        const at = [...new Set(cuts.map((cut) => cut % body.length))].sort((a, b) => a - b);
        const pieces = [...at, body.length].map((end, n) =>
          body.subarray(n === 0 ? 0 : (at[n - 1] ?? 0), end),
        );
        const expected = parts.map(({ name, filename, bytes }) => ({
          name,
          filename,
          bytes: bytes.toString('latin1'),
        }));
        const again = await sent(pieces, async (form) => {
          expect(await shown(form)).toEqual(expected);
          const written = writeForm(form, {});
          const chunks: Buffer[] = [];
          for await (const chunk of written.stream()) chunks.push(chunk as Buffer);
          const bytes = Buffer.concat(chunks);
          expect(bytes.length).toBe(written.length);
          const read = await new Response(bytes, {
            headers: { 'content-type': written.contentType },
          }).formData();
          return Promise.all(
            [...read.entries()].map(async ([name, value]) => ({
              name,
              filename: typeof value === 'string' ? null : value.name,
              bytes: (typeof value === 'string'
                ? Buffer.from(value)
                : Buffer.from(await value.arrayBuffer())
              ).toString('latin1'),
            })),
          );
        });
        expect(again).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

it('holds at most 1 MiB of files, and reads what lies on the disk as often as asked', async () => {
  const budget = new ByteBudget(64 * mebibyte);
  const files = [700, 700, 3000, 10].map((kib, n) => Buffer.alloc(kib * 1024, String(n)));
  const body = bodyOf(files.map((bytes, n) => ({ name: 'image[]', filename: `${n}.png`, bytes })));
  const read = await sent(
    [body],
    async (form) => {
      const held = budget.held;
      const once = await Promise.all(form.parts.map(contentOf));
      const twice = await Promise.all(form.parts.map(contentOf));
      expect(
        once.every((bytes, n) => bytes.equals(files[n] as Buffer) && bytes.equals(twice[n] as Buffer)),
      ).toBe(true);
      expect(await readdir(directory)).toEqual([]);
      return held;
    },
    { budget },
  );
  expect(read).toBeLessThan(1.5 * mebibyte);
  expect(budget.held).toBe(0);
});

it('gives fields as texts, lists and file names', async () => {
  const field = (name: string, text: string): Given => ({ name, filename: null, bytes: Buffer.from(text) });
  const values = await sent(
    [
      bodyOf([
        field('model', 'm'),
        field('include[]', 'one'),
        field('tag', 'a'),
        field('tag', 'b'),
        field('__proto__', 'x'),
        { name: 'image[]', filename: 'a.png', bytes: Buffer.from('A') },
        { name: 'image[]', filename: 'b.png', bytes: Buffer.from('B') },
      ]),
    ],
    async (form) => [Object.entries(formValues(form)), filesNamed(form, 'image').length],
  );
  expect(values).toEqual([
    [
      ['model', 'm'],
      ['include', ['one']],
      ['tag', ['a', 'b']],
      ['__proto__', 'x'],
      ['image', 'a.png'],
    ],
    2,
  ]);
});

it('undoes the compression of a form, and counts what it comes to', async () => {
  const body = bodyOf([{ name: 'file', filename: 'a', bytes: Buffer.alloc(2 * mebibyte) }]);
  const packed = gzipSync(body);
  const headers = { 'content-encoding': 'gzip' };
  expect(await sent([packed], async ({ parts }) => parts[0]?.length, { headers })).toBe(2 * mebibyte);
  expect(await sent([packed], async () => null, { headers, maxBytes: mebibyte })).toMatchObject({
    code: 'payload_too_large',
  });
  expect(await sent([packed.subarray(0, -20)], async () => null, { headers })).toMatchObject({
    code: 'malformed_request',
  });
});

it('undoes Brotli where that is safe, and refuses it elsewhere', async () => {
  const packed = brotliCompressSync(bodyOf([{ name: 'file', filename: 'a', bytes: Buffer.alloc(1000) }]));
  const headers = { 'content-encoding': 'br' };
  expect(await sent([packed], async ({ parts }) => parts[0]?.length, { headers })).toBe(1000);
  expect(await sent([packed], async () => null, { headers, brotli: false })).toMatchObject({
    code: 'unsupported_media_type',
    message: expect.stringContaining('gzip'),
  });
});

it('writes other values in place of fields, never of files, and puts in front what is not there', async () => {
  const text = await sent(
    [
      bodyOf([
        { name: 'model', filename: 'model.bin', bytes: Buffer.from('weights') },
        { name: 'model', filename: null, bytes: Buffer.from('alias') },
      ]),
    ],
    async (form) => {
      const written = writeForm(form, { model: 'real', provider: 'x' });
      const chunks: Buffer[] = [];
      for await (const chunk of written.stream()) chunks.push(chunk as Buffer);
      const read = await new Response(Buffer.concat(chunks), {
        headers: { 'content-type': written.contentType },
      }).formData();
      return Promise.all(
        [...read.entries()].map(async ([name, value]) => [
          name,
          typeof value === 'string' ? value : await value.text(),
        ]),
      );
    },
  );
  expect(text).toEqual([
    ['provider', 'x'],
    ['model', 'weights'],
    ['model', 'real'],
  ]);
});

it.each<[string, Buffer, Options, string]>([
  [
    'a field of more than 1 MiB',
    bodyOf([{ name: 'prompt', filename: null, bytes: Buffer.alloc(mebibyte + 1, 'x') }]),
    {},
    'invalid_request',
  ],
  [
    'a field that is not UTF-8',
    bodyOf([{ name: 'prompt', filename: null, bytes: Buffer.from([0xff]) }]),
    {},
    'invalid_request',
  ],
  [
    'no memory',
    bodyOf([{ name: 'file', filename: 'a', bytes: Buffer.alloc(mebibyte) }]),
    { budget: new ByteBudget(0.5 * mebibyte) },
    'buffers_full',
  ],
  [
    'no room on the disk',
    bodyOf([{ name: 'file', filename: 'a', bytes: Buffer.alloc(3 * mebibyte) }]),
    { spool: new Spool(tmpdir(), 2 * mebibyte) },
    'buffers_full',
  ],
  [
    'no disk',
    bodyOf([{ name: 'file', filename: 'a', bytes: Buffer.alloc(3 * mebibyte) }]),
    { spool: new Spool('/proc/none', 64 * mebibyte) },
    'storage_unavailable',
  ],
  [
    'too many parts',
    bodyOf(
      Array.from({ length: 501 }, (_, n) => ({ name: `f${n}`, filename: null, bytes: Buffer.alloc(1) })),
    ),
    {},
    'malformed_request',
  ],
  [
    'a header that does not end',
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${'x'.repeat(100_000)}"\r\n\r\n`),
    {},
    'malformed_request',
  ],
  ['nothing', Buffer.alloc(0), {}, 'missing_body'],
])('refuses a form with %s', async (_, body, options, code) => {
  const refused = await sent([body], async () => null, options);
  expect(refused).toMatchObject({ code });
  if (code === 'invalid_request') expect(refused).toMatchObject({ param: 'prompt' });
  if (options.budget) expect(options.budget.held).toBe(0);
});
