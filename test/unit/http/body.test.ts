import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import zlib, { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { koaBody } from 'koa-body';
import request from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { arrivedBody, bodyReader, readBytes } from '../../../src/http/body.ts';
import { ByteBudget, Holding } from '../../../src/lib/byte-budget.ts';
import { deepestJson } from '../../../src/lib/json.ts';
import { serverOf } from '../../helpers/koa.ts';

const maxBytes = 4000;
const info = { required: true, mediaTypes: ['application/json'], maxBytes, variants: [] };

function server(required = true, budget?: number, brotli = true) {
  const read = bodyReader({ ...info, required }, brotli);
  return request(serverOf(async (context, { memory }) => [await read(context, memory)], budget));
}

/** Sends bytes under a length of their own, or in chunks. */
function sent(bytes: Buffer | string, headers: Record<string, string> = {}, budget?: number) {
  const asked = server(true, budget).post('/').type('json').set(headers);
  asked.write(bytes);
  return asked;
}

describe('a body is', () => {
  it.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['a scalar, which the contract of the operation refuses', '"a"', 'a'],
  ])('%s', async (_, text, value) => {
    expect((await sent(text)).body).toEqual([{ value, tooDeep: false }]);
  });

  it('allowed to use the name __proto__', async () => {
    expect((await sent('{"a":{"__proto__":1}}')).text).toBe(
      '[{"value":{"a":{"__proto__":1}},"tooDeep":false}]',
    );
  });

  it('said to be too deep, and left to its contract', async () => {
    const { body } = await sent('['.repeat(deepestJson + 1) + ']'.repeat(deepestJson + 1));
    expect(body[0].tooDeep).toBe(true);
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"'])(
    'taken as %s',
    async (type) => {
      expect((await sent('{}', { 'content-type': type })).body).toEqual([{ value: {}, tooDeep: false }]);
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
    ['br', brotliCompressSync],
    [' BR ', brotliCompressSync],
  ])('decompressed from %j', async (encoding, compress) => {
    const { body } = await sent(compress('{"a":1}'), { 'content-encoding': encoding });
    expect(body).toEqual([{ value: { a: 1 }, tooDeep: false }]);
  });
});

describe('no body', () => {
  it.each(['', '  ', '\n'])('is %j, which is none of an operation that needs none', async (text) => {
    const reply = await server(false).post('/').type('json').send(text);
    expect([reply.status, reply.body]).toEqual([200, [null]]);
  });

  it.each(['', '  '])('is %j, which an operation that needs one refuses', async (text) => {
    const reply = await server().post('/').type('json').send(text);
    expect([reply.status, reply.body.code]).toEqual([400, 'missing_body']);
  });
});

describe('refused is', () => {
  const json = JSON.stringify({ text: 'x'.repeat(maxBytes) });
  it.each<[string, Buffer | string, Record<string, string>, number, string]>([
    ['a byte that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400, 'malformed_json'],
    ['half a JSON', '{"a":', {}, 400, 'malformed_json'],
    ['too much, in chunks', json, {}, 413, 'payload_too_large'],
    ['too much, compressed', gzipSync(json), { 'content-encoding': 'gzip' }, 413, 'payload_too_large'],
    ['a damaged compression', 'x', { 'content-encoding': 'gzip' }, 400, 'malformed_request'],
    ...Object.entries({
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      zstd: zstdCompressSync,
    }).map(([name, compress]): [string, Buffer, Record<string, string>, number, string] => [
      `what follows the end of a body in ${name}`,
      Buffer.concat([compress('{"a":1}'), Buffer.from('{}')]),
      { 'content-encoding': name },
      400,
      'malformed_request',
    ]),
    ['a compression that is none', 'x', { 'content-encoding': 'lzma' }, 415, 'unsupported_media_type'],
    [
      'another charset',
      '{}',
      { 'content-type': 'application/json; charset=latin1' },
      415,
      'unsupported_media_type',
    ],
    ['another type', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ])('%s', async (_, bytes, headers, status, code) => {
    const reply = await sent(bytes, headers);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('what there is no memory for, which is four times its bytes', async () => {
    const text = JSON.stringify('x'.repeat(600));
    const length = { 'content-length': String(text.length) };
    expect((await sent(text, length, 2000)).body.code).toBe('buffers_full');
    expect((await sent(text, length, 3000)).status).toBe(200);
  });
});

describe('a body in Brotli', () => {
  it('is refused where it is not safe, with what to send in its place, and no decoder is made', async () => {
    const made = vi.spyOn(zlib, 'createBrotliDecompress');
    onTestFinished(() => {
      made.mockRestore();
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
    const asked = server(true, undefined, false).post('/').type('json').set('content-encoding', 'br');
    asked.write(brotliCompressSync('{"a":1}'));
    const { status, body, headers } = await asked;
    expect(made).not.toHaveBeenCalled();
    expect([status, body.code, headers['accept-encoding']]).toEqual([
      415,
      'unsupported_media_type',
      'gzip, deflate, zstd',
    ]);
    expect(body.message).toContain('Content-Encoding: gzip');
  });

  it.each([
    [true, 'gzip, deflate, br, zstd'],
    [false, 'gzip, deflate, zstd'],
  ])('is named among what is taken only where it is: %s', async (brotli, taken) => {
    const asked = server(true, undefined, brotli).post('/').type('json').set('content-encoding', 'lzma');
    asked.write('x');
    const { body, headers } = await asked;
    expect(headers['accept-encoding']).toBe(taken);
    expect(/\bbr\b/.test(body.message)).toBe(brotli);
  });
});

/** Why it does not read these bodies. Where one of these fails after an update, there is a reason less. */
describe("koa-body's own parser of JSON", () => {
  const parser = koaBody();
  const parsed = async (bytes: Buffer | string) => {
    const server = serverOf(async (context) => {
      await parser(context, async () => undefined);
      return context.request.body;
    });
    const asked = request(server).post('/').type('json');
    asked.write(bytes);
    return asked;
  };

  it('replaces what is not UTF-8 and says nothing', async () => {
    const bytes = Buffer.from([...Buffer.from('["a'), 0xff, ...Buffer.from('b"]')]);
    expect((await parsed(bytes)).body).toEqual(['a\ufffdb']);
  });

  it('makes an object of no body', async () => {
    expect((await parsed('')).body).toEqual({});
  });

  it('refuses a name that clients may use', async () => {
    expect((await parsed('{"a":{"__proto__":1}}')).status).not.toBe(200);
  });
});

/** How much of the memory for everything in flight a body takes, which is four times its bytes. */
describe('the memory of bodies', () => {
  const maxBytes = 100_000;

  /** Reads what is sent within a budget, and says what is held of it when all of it is there, and after that. */
  function server(limit: number) {
    const budget = new ByteBudget(limit);
    const held: number[] = [];
    const part = serverOf(async (context) => {
      const memory = new Holding(budget);
      try {
        const bytes = await readBytes(context, memory, { maxBytes, memoryPerByte: 4 });
        held.push(budget.held);
        return bytes.length;
      } finally {
        memory.release();
        held.push(budget.held);
      }
    });
    return { part, asked: request(part).post('/').type('json'), held, budget };
  }

  /** A connection to such a server. */
  async function connected(part: Parameters<typeof createServer>[1]) {
    const listening = createServer(part as () => void).listen(0, '127.0.0.1');
    onTestFinished(() => void listening.close());
    await once(listening, 'listening');
    return connect((listening.address() as AddressInfo).port, '127.0.0.1');
  }

  describe('a body that says how long it is', () => {
    it('takes its memory at once when it is small', async () => {
      const { asked, held } = server(1_000_000);
      expect((await asked.send('x'.repeat(1000))).body).toBe(1000);
      expect(held).toEqual([4000, 0]);
    });

    it('takes it as it comes when it is large, so that nobody takes much by announcing it', async () => {
      const { part, held, budget } = server(1_000_000);
      const socket = await connected(part);
      socket.write('POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 50000\r\n\r\n');
      await expect.poll(() => budget.held).toBe(4 * 16_384);
      socket.write('x'.repeat(25_000));
      await expect.poll(() => budget.held).toBe(100_000);
      socket.end('x'.repeat(25_000));
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
      expect(held).toEqual([200_000, 0]);
    });

    it('is refused before it is read when it will not fit', async () => {
      const { asked, held } = server(100_000);
      expect((await asked.send('x'.repeat(50_000))).body.code).toBe('buffers_full');
      expect(held).toEqual([0]);
    });
  });

  describe('a body in chunks', () => {
    const sent = async (limit: number, bytes: number) => {
      const { asked, held } = server(limit);
      for (let at = 0; at < bytes; at += 10_000) asked.write('x'.repeat(10_000));
      return { reply: await asked, held };
    };

    it('takes what has come', async () => {
      const { reply, held } = await sent(1_000_000, 50_000);
      expect([reply.body, held]).toEqual([50_000, [200_000, 0]]);
    });

    it('is refused on the way when memory ends, and read on for the client to hear of it', async () => {
      const { reply, held } = await sent(100_000, 50_000);
      expect([reply.status, reply.body.code]).toEqual([503, 'buffers_full']);
      expect(held).toEqual([0]);
    });
  });

  describe('a compressed body', () => {
    const sent = (limit: number) => {
      const { asked, held } = server(limit);
      asked.set('content-encoding', 'gzip').write(gzipSync('x'.repeat(30_000)));
      return { asked, held };
    };

    it('takes what it comes to', async () => {
      const { asked, held } = sent(1_000_000);
      expect((await asked).body).toBe(30_000);
      expect(held).toEqual([120_000, 0]);
    });

    it('is refused when that does not fit, and read on for the client to hear of it', async () => {
      const { asked, held } = sent(100_000);
      const { status, body } = await asked;
      expect([status, body.code, held]).toEqual([503, 'buffers_full', [0]]);
    });
  });

  it('a client that breaks off, compressed or not, has sent a damaged request and holds nothing', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const budget = new ByteBudget(1_000_000);
      const failed = Promise.withResolvers<unknown>();
      const part = serverOf(async (context) => {
        const memory = new Holding(budget);
        const read = readBytes(context, memory, { maxBytes, memoryPerByte: 4 });
        await read.catch(failed.resolve).finally(() => memory.release());
      });
      const head = `POST / HTTP/1.1\r\nhost: here\r\ncontent-encoding: ${encoding}\r\ncontent-length: 50000\r\n\r\n`;
      const socket = await connected(part);
      socket.write(Buffer.concat([Buffer.from(head), gzipSync('x'.repeat(30_000))]));
      await expect.poll(() => budget.held).toBeGreaterThan(0);
      socket.resetAndDestroy();
      expect(await failed.promise).toMatchObject({ code: 'malformed_request' });
      await expect.poll(() => budget.held).toBe(0);
    }
  });

  describe('a body that has arrived', () => {
    const head = (length: number) => `POST / HTTP/1.1\r\nhost: here\r\ncontent-length: ${length}\r\n\r\n`;

    /** A request of which the first piece has come, and what sends the next. */
    async function arriving<Result>(
      first: string,
      look: (req: IncomingMessage, send: (more: string) => void) => Result | Promise<Result>,
    ): Promise<Result> {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(first));
      const [req] = (await once(server, 'request')) as [IncomingMessage];
      try {
        return await look(req, (more) => socket.write(more));
      } finally {
        socket.destroy();
        server.close();
      }
    }

    it('gives a body that has come with its head, once', async () => {
      await arriving(`${head(5)}hello`, (req) => {
        expect(String(arrivedBody(req))).toBe('hello');
        expect(arrivedBody(req)).toBeNull();
      });
    });

    it('gives all of a body that has come in several pieces', async () => {
      await arriving(`${head(11)}hello`, async (req, send) => {
        send(' world');
        await expect.poll(() => req.readableLength).toBe(11);
        expect(String(arrivedBody(req))).toBe('hello world');
      });
    });

    it('leaves alone a body of which the rest is still to come', async () => {
      await arriving(`${head(11)}hello`, async (req, send) => {
        expect(arrivedBody(req)).toBeNull();
        send(' world');
        expect(await text(req)).toBe('hello world');
      });
    });

    it('leaves alone a body that there is not, and one that somebody reads', async () => {
      await arriving(head(0), (req) => expect(arrivedBody(req)).toBeNull());
      await arriving(`${head(5)}hello`, (req) => {
        req.resume();
        expect(arrivedBody(req)).toBeNull();
      });
    });
  });
});
