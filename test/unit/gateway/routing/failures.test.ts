import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/contract/errors.ts';
import { testEvery } from '../../../helpers/test-every.ts';
import { type AnyWireFixture, openAiFixture, vendorFixtures } from '../../../helpers/vendor-fixtures.ts';
import { callOf, errorOf, gatewayTo } from '../../../helpers/vendor-gateway.ts';
import { head, type VendorReply, type VendorScript } from '../../../lib/vendor.ts';

const soon = () => new Promise((resolve) => setTimeout(resolve, 15));

const onEveryWire = vendorFixtures.map((fixture) => ({ ...fixture, id: fixture.wire }));
const bodyOf = ({ reply }: AnyWireFixture) => JSON.stringify(reply);

type Row = [string, (reply: VendorReply, fixture: AnyWireFixture) => void | Promise<void>, string];

/** What goes wrong before any of the answer, the same for whole answers and streams. */
const beforeTheAnswer: Row[] = [
  ['RST in place of a reply', ({ reset }) => reset(), 'provider_unreachable'],
  ['FIN in place of a reply', ({ end }) => end(), 'provider_unreachable'],
  [
    'half a head, then FIN',
    ({ write, end }) => {
      write('HTTP/1.1 200 OK\r\ncontent-ty');
      end();
    },
    'provider_unreachable',
  ],
  ['garbage', ({ write }) => write('\x00\x01 SSH-2.0-OpenSSH\r\n\r\n'), 'provider_invalid_response'],
  [
    'a head without end',
    ({ write }) => write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(9000)}`),
    'provider_invalid_response',
  ],
  [
    'an HTML page',
    ({ reply }) => reply(200, '<html>Hi</html>', { 'content-type': 'text/html; charset=utf-8' }),
    'provider_invalid_response',
  ],
  ['a redirect', ({ reply }) => reply(302, '', { location: 'http://127.0.0.1:9/' }), 'provider_error'],
  [
    'an error object under 200',
    ({ json }, { errorReply }) => json(errorReply('overloaded_error', 'Overloaded')),
    'provider_overloaded',
  ],
  ['an unknown error object under 200', ({ json }) => json({ error: 'out of memory' }), 'provider_error'],
  [
    'an error without an object around it',
    ({ json }) => json({ message: 'Slow down', status: 429 }),
    'provider_rate_limited',
  ],
  [
    'an error object in an array',
    ({ json }) => json([{ error: { code: 429, message: 'Slow down' } }]),
    'provider_rate_limited',
  ],
];

describe('a whole answer fails, on every wire, with', () => {
  const rows: Row[] = [
    ...beforeTheAnswer,
    [
      'RST in the body',
      async (r, fixture) => {
        r.write(head(200, { 'content-length': '999' }) + bodyOf(fixture).slice(0, 99));
        await soon();
        r.reset();
      },
      'provider_stream_interrupted',
    ],
    [
      'FIN in the body',
      ({ write, end }, fixture) => {
        write(head(200, { 'content-length': '999' }) + bodyOf(fixture).slice(0, 99));
        end();
      },
      'provider_stream_interrupted',
    ],
    [
      'FIN within a chunk',
      (r, fixture) => {
        r.eventStream();
        r.chunk(bodyOf(fixture).slice(0, 99));
        r.write('ff\r\nabc');
        r.end();
      },
      'provider_stream_interrupted',
    ],
    [
      'a chunk that is none',
      (r, fixture) => {
        r.eventStream();
        r.chunk(bodyOf(fixture));
        r.write('zz\r\n');
      },
      'provider_invalid_response',
    ],
    [
      'half the JSON',
      ({ reply }, fixture) => reply(200, bodyOf(fixture).slice(0, -9)),
      'provider_invalid_response',
    ],
    ['no body', ({ reply }) => reply(200, ''), 'provider_invalid_response'],
    [
      'text that is not UTF-8',
      ({ reply }, fixture) => reply(200, withBadByte(bodyOf(fixture))),
      'provider_invalid_response',
    ],
    ['an empty object', ({ json }) => json({}), 'provider_invalid_response'],
    ['null', ({ json }) => json(null), 'provider_invalid_response'],
    ['a list', ({ json }) => json([]), 'provider_invalid_response'],
    [
      'fields of the wrong types',
      ({ json }) => json({ choices: 'x', content: 7, usage: 'y' }),
      'provider_invalid_response',
    ],
    ['no choices', ({ json }) => json({ choices: [] }), 'provider_invalid_response'],
    [
      'a body without end',
      (r) => flood(r, { 'content-type': 'application/json' }),
      'provider_invalid_response',
    ],
  ];

  for (const [name, script, code] of rows) {
    testEvery(name, onEveryWire, async (fixture) => {
      const gateway = await gatewayTo(fixture, (reply) => script(reply, fixture));
      const error = await errorOf(gateway.ask());
      expect(error).toMatchObject({ code });
      expect(error.message).toContain(`"${fixture.wire}"`);
      expect(gateway.attempts).toMatchObject([{ outcome: 'failed', errorCode: code }]);
    });
  }
});

describe('a stream fails, on every wire, with', () => {
  const early: Row[] = [
    ...beforeTheAnswer,
    ['a whole reply that is no answer', ({ json }) => json({}), 'provider_invalid_response'],
    ['no event', ({ events }) => events(), 'provider_invalid_response'],
    ['JSON that is not announced', ({ events }) => events('{"error":{"message":"x"}}'), 'provider_error'],
    [
      'a body without end or event',
      (r) => flood(r, { 'content-type': 'text/plain' }),
      'provider_invalid_response',
    ],
    [
      'an event without end',
      (r) => {
        r.eventStream();
        r.chunk('data: ');
        flood(r);
      },
      'provider_invalid_response',
    ],
    [
      'an error event at once',
      ({ events }, fixture) => events(fixture.errorEvent('overloaded_error', 'Overloaded')),
      'provider_overloaded',
    ],
    [
      'FIN before the text',
      (r, fixture) => {
        r.eventStream();
        r.chunk(fixture.beforeText);
        r.end();
      },
      'provider_stream_interrupted',
    ],
  ];
  const late: Row[] = [
    [
      'RST',
      async (r) => {
        await soon();
        r.reset();
      },
      'provider_stream_interrupted',
    ],
    ['FIN', ({ end }) => end(), 'provider_stream_interrupted'],
    ['a proper end of the body', ({ lastChunk }) => lastChunk(), 'provider_stream_interrupted'],
    [
      'FIN within an event',
      (r, fixture) => {
        r.chunk(fixture.delta('x').slice(0, -20));
        r.end();
      },
      'provider_stream_interrupted',
    ],
    [
      'a proper end within an event',
      (r, fixture) => {
        r.chunk(fixture.delta('x').slice(0, -20));
        r.lastChunk();
      },
      'provider_stream_interrupted',
    ],
    [
      'FIN within a character',
      (r) => {
        r.chunk(Uint8Array.of(0xe4, 0xb8));
        r.end();
      },
      'provider_stream_interrupted',
    ],
    [
      'an error event',
      ({ chunk }, fixture) => chunk(fixture.errorEvent('overloaded_error', 'Overloaded')),
      'provider_overloaded',
    ],
    [
      'an error event without its blank line',
      (r, fixture) => {
        r.chunk(fixture.errorEvent('overloaded_error', 'Overloaded').trimEnd());
        r.lastChunk();
      },
      'provider_overloaded',
    ],
    [
      'an error event of the rate',
      ({ chunk }, fixture) => chunk(fixture.errorEvent('rate_limit_error', 'Slow')),
      'provider_rate_limited',
    ],
    [
      'an unknown error event',
      ({ chunk }, fixture) => chunk(fixture.errorEvent('api_error', 'Internal')),
      'provider_error',
    ],
    [
      'a bare error object',
      ({ chunk }) => chunk('data: {"error":{"code":502,"message":"x"}}\n\n'),
      'provider_error',
    ],
    [
      'an error without an object around it',
      ({ chunk }) => chunk('data: {"detail":"Internal"}\n\ndata: [DONE]\n\n'),
      'provider_error',
    ],
    [
      'broken JSON',
      ({ chunk }) => chunk('data: {"type":"content_block_delta","choices":[{"del\n\n'),
      'provider_invalid_response',
    ],
    [
      'bytes that are not UTF-8',
      ({ chunk }) => chunk(Uint8Array.of(0x64, 0xff, 0xfe, 0x0a)),
      'provider_invalid_response',
    ],
    ['a chunk that is none', ({ write }) => write('zz\r\n'), 'provider_invalid_response'],
    [
      'an event of more than 4 MiB',
      ({ chunk }) => chunk(`data: "${'x'.repeat(4 << 20)}`),
      'provider_invalid_response',
    ],
  ];

  for (const [name, script, code] of early) {
    testEvery(name, onEveryWire, async (fixture) => {
      const gateway = await gatewayTo(fixture, (reply) => script(reply, fixture));
      const { events, error } = await gateway.read();
      expect(events).toEqual([]);
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code });
      expect(gateway.attempts).toMatchObject([{ outcome: 'failed', errorCode: code }]);
    });
  }

  for (const [name, script, code] of late) {
    testEvery(`${name} in the middle`, onEveryWire, async (fixture) => {
      const gateway = await gatewayTo(fixture, async (reply) => {
        reply.eventStream();
        reply.chunk(fixture.firstHalf);
        await script(reply, fixture);
      });
      const { signal } = new AbortController();
      const { events } = await gateway.stream(fixture.model, callOf(), { signal });
      const seen: string[] = [];
      let thrown: unknown = null;
      for (let turns = 0; turns < 10; turns += 1) {
        try {
          const { value, done } = await events.next();
          if (done) break;
          seen.push(value.type);
        } catch (error) {
          expect(thrown).toBeNull();
          thrown = error;
        }
      }
      expect(seen).toEqual(['delta']);
      expect(thrown).toBeInstanceOf(ServiceError);
      expect(thrown).toMatchObject({ code });
    });
  }
});

/** The JSON with a byte within its text that stands in no UTF-8. */
function withBadByte(json: string): Buffer {
  const at = Buffer.byteLength(json.slice(0, json.indexOf('Gr')));
  const bytes = Buffer.from(json);
  return Buffer.concat([bytes.subarray(0, at), Uint8Array.of(0xff), bytes.subarray(at)]);
}

/** Writes until the client has had enough. */
async function flood(reply: VendorReply, headers?: Record<string, string>): Promise<void> {
  if (headers) reply.eventStream(headers);
  const block = 'x'.repeat(256 * 1024);
  while (!reply.socket.destroyed) {
    reply.chunk(block);
    if (reply.socket.writableNeedDrain)
      await Promise.race([reply.closed, new Promise((resolve) => reply.socket.once('drain', resolve))]);
  }
}

describe('a status, on every wire,', () => {
  const statuses = [
    [400, 'provider_rejected'],
    [401, 'provider_credentials_refused'],
    [402, 'provider_credentials_refused'],
    [403, 'provider_credentials_refused'],
    [404, 'model_not_found'],
    [405, 'provider_error'],
    [408, 'provider_error'],
    [409, 'provider_error'],
    [413, 'provider_rejected'],
    [418, 'provider_error'],
    [422, 'provider_rejected'],
    [429, 'provider_rate_limited'],
    [500, 'provider_error'],
    [502, 'provider_error'],
    [503, 'provider_overloaded'],
    [504, 'provider_error'],
    [529, 'provider_overloaded'],
  ] as const;
  for (const [status, code] of statuses) {
    testEvery(`${status} is ${code}`, onEveryWire, async (fixture) => {
      const gateway = await gatewayTo(fixture, ({ json }) =>
        json(fixture.errorReply('some_error', 'Because.'), status),
      );
      expect(await errorOf(gateway.ask())).toMatchObject({ code, status });
      const { error } = await gateway.read();
      expect(error).toMatchObject({ code, status });
      expect(gateway.attempts).toMatchObject([
        { outcome: 'failed', errorCode: code, status },
        { outcome: 'failed', errorCode: code, status },
      ]);
    });
  }
});

test.each([
  [
    'breaks off',
    ({ write, end }: VendorReply) => {
      write(head(401, { 'content-length': '99' }));
      end();
    },
  ],
  [
    'never ends',
    (reply: VendorReply) => {
      reply.write(head(401, { 'transfer-encoding': 'chunked' }));
      return flood(reply);
    },
  ],
] as [string, VendorScript][])('a status counts though its body %s', async (_, script) => {
  const gateway = await gatewayTo(openAiFixture, script);
  expect(await errorOf(gateway.ask())).toMatchObject({ code: 'provider_credentials_refused', status: 401 });
  expect((await gateway.read()).error).toMatchObject({ code: 'provider_credentials_refused', status: 401 });
});
