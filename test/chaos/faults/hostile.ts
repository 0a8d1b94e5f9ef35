import { setTimeout as sleep } from 'node:timers/promises';
import { anonymous } from '../client.ts';
import type { Fault } from '../faults.ts';
import { bothStores } from '../store.ts';
import { holdRaw, sendRaw } from '../tcp-proxy.ts';

/** Requests that no honest client sends, beside connections that never say anything or say it very slowly. */
export const hostileClients: Fault = {
  name: 'hostile-clients',
  stores: bothStores,
  async apply({ world, random, tried, violated }) {
    const server = random.pick(world.servers);
    const { key } = world.account(anonymous);
    const idle = Array.from({ length: 60 }, (_, n) =>
      holdRaw(server.port, n % 2 === 0 ? '' : 'POST /v1/chat HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n'),
    );
    let slow = true;
    const drip = (async () => {
      const sockets = Array.from({ length: 20 }, () =>
        holdRaw(server.port, 'GET /healthz HTTP/1.1\r\nx-slow: '),
      );
      while (slow) {
        for (const socket of sockets) socket.write('a');
        await sleep(50);
      }
      for (const socket of sockets) socket.destroy();
    })();
    for (const request of hostileRequests(key, `127.0.0.1:${server.port}`)) {
      const life = server.life.id;
      const bytes = Buffer.from(request.bytes, 'latin1');
      let answer = await sendRaw(server.port, bytes);
      if (answer.closed && answer.statuses.length === 0) {
        // Another fault may have started it a moment ago, so that it does not listen yet.
        await server.ready();
        answer = await sendRaw(server.port, bytes);
      }
      tried(1);
      // Another fault of the round may have ended the server meanwhile, or told it to end.
      if (server.life.id !== life || server.life.end !== null) continue;
      const problem = problemOf(request, answer.statuses, answer.closed);
      if (problem !== null) violated(`${request.name}: ${problem}`);
    }
    slow = false;
    await drip;
    for (const socket of idle) socket.destroy();
  },
};

/** What is wrong with the answers to it; null: nothing. */
export function problemOf(
  request: HostileRequest,
  statuses: readonly number[],
  closed: boolean,
): string | null {
  if (statuses[0] === 100 && !request.mayContinue) return 'answered 100 Continue';
  const final = statuses.find((status) => status >= 200);
  if (final === undefined) {
    if (request.expected.length > 0 || !closed)
      return closed ? 'closed without an answer' : 'no answer within 8 s';
    return null;
  }
  // The database may be away at the same time.
  if (final === 503) return null;
  if (final >= 500 && !request.expected.includes(final)) return `answered ${final}`;
  if (request.expected.length > 0 && !request.expected.includes(final)) {
    return `answered ${final}, expected ${request.expected.join(' or ')}`;
  }
  return null;
}

/** Requests as no honest client writes them, and what may come of each. */

export interface HostileRequest {
  readonly name: string;
  readonly bytes: string;
  /** Statuses that are right. Empty: whatever it is, as long as it is an answer of 4xx or the connection is closed. */
  readonly expected: readonly number[];
  /** Whether a `100 Continue` may come before. */
  readonly mayContinue?: true;
}

const body = '{"model":"gpt-4o","message":"hello"}';

const inChunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** @param key a good key, so that what is refused is not refused for want of one */
export function hostileRequests(key: string, host: string): HostileRequest[] {
  const authorization = `authorization: Bearer ${key}\r\n`;
  const get = (target: string) => `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
  const post = (headers: string, content = body) =>
    `POST /v1/chat HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${headers}\r\n${content}`;
  const length = `content-length: ${body.length}\r\n`;
  const chunked = 'transfer-encoding: chunked\r\n';
  const refused = (name: string, bytes: string, ...expected: number[]): HostileRequest => ({
    name,
    bytes,
    expected,
  });
  return [
    ...[
      'http://',
      'https://',
      'http://?',
      'http://[',
      'http://[::',
      '//',
      '/%',
      '/%ff%fe',
      '/\\..\\..',
      'http://a b/',
    ].map((target) => refused(`target ${target}`, get(target))),
    refused('asterisk', get('*')),
    refused('CONNECT', `CONNECT example.com:443 HTTP/1.1\r\nhost: ${host}\r\n\r\n`, 400, 404, 405, 501),
    refused('length of 2^32', post(`${authorization}content-length: 4294967296\r\n`, ''), 413),
    refused('length of 2^53', post(`${authorization}content-length: 9007199254740992\r\n`, ''), 400, 413),
    refused(
      'length of 30 digits',
      post(`${authorization}content-length: ${'9'.repeat(30)}\r\n`, ''),
      400,
      413,
    ),
    refused('negative length', post(`${authorization}content-length: -1\r\n`), 400),
    refused('expectation without a key', post(`expect: 100-continue\r\n${length}`, ''), 401),
    refused(
      'expectation of too much',
      post(`${authorization}expect: 100-continue\r\ncontent-length: 99999999999\r\n`, ''),
      413,
    ),
    refused('two keys', post(`${authorization}authorization: Bearer other\r\n${length}`), 400, 401),
    refused('two keys of X-API-Key', post(`x-api-key: ${key}\r\nx-api-key: other\r\n${length}`), 400, 401),
    refused('two types', post(`${authorization}content-type: text/plain\r\n${length}`), 400, 415),
    refused('two hosts', `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nhost: other\r\n\r\n`, 400),
    refused('no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400),
    refused(
      'TE gzip, chunked',
      post(`${authorization}transfer-encoding: gzip, chunked\r\n`, inChunks),
      400,
      501,
    ),
    refused(
      'TE chunked, chunked',
      post(`${authorization}transfer-encoding: chunked, chunked\r\n`, inChunks),
      400,
      501,
    ),
    refused('TE xchunked', post(`${authorization}transfer-encoding: xchunked\r\n`, inChunks), 400, 501),
    refused('TE identity', post(`${authorization}transfer-encoding: identity\r\n`, ''), 400, 501),
    refused('CL and TE', post(`${authorization}${length}${chunked}`, inChunks), 400),
    refused('two lengths', post(`${authorization}${length}content-length: 3\r\n`), 400),
    refused('lengths in a list', post(`${authorization}content-length: 3, 3\r\n`, 'abc'), 400),
    refused('space before a colon', post(`${authorization}content-length : 3\r\n`, 'abc'), 400),
    refused('folded header', post(`${authorization}x-a: b\r\n c\r\n${length}`), 400, 401),
    refused('a NUL in a header', post(`${authorization}x-a: \0\r\n${length}`), 400),
    refused('chunk size too large', post(`${authorization}${chunked}`, 'ffffffffffffffffff\r\n'), 400, 413),
    refused('chunk size of no number', post(`${authorization}${chunked}`, 'zz\r\nabc\r\n'), 400),
    refused(
      'endless chunk extension',
      post(`${authorization}${chunked}`, `1;${'a'.repeat(40_000)}\r\n`),
      400,
      413,
    ),
    refused('headers too large', post(`x-a: ${'a'.repeat(70_000)}\r\n${length}`), 431),
    refused(
      '2,000 headers',
      `GET /healthz HTTP/1.1\r\nhost: ${host}\r\n${'x-a: b\r\n'.repeat(4_000)}\r\n`,
      431,
    ),
    refused('lone line feeds', `GET /healthz HTTP/1.1\nhost: ${host}\n\n`, 200, 400),
    refused('HTTP/0.9', 'GET /healthz\r\n\r\n', 400),
    refused('HTTP/3.7', `GET /healthz HTTP/3.7\r\nhost: ${host}\r\n\r\n`, 400, 505),
    refused('preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    refused('a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(200, '\x01')),
    refused('unknown method', `BREW / HTTP/1.1\r\nhost: ${host}\r\n\r\n`, 400, 405, 501),
    refused(
      'upgrade',
      `GET /v1/models HTTP/1.1\r\nhost: ${host}\r\n${authorization}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
      200,
      400,
      426,
    ),
    refused('JSON 100,000 deep', postOf('['.repeat(100_000)), 400),
    refused('JSON with __proto__', postOf('{"__proto__":{"model":"x"},"message":"hi"}'), 400),
  ];
  function postOf(content: string): string {
    return post(`${authorization}content-length: ${Buffer.byteLength(content)}\r\n`, content);
  }
}
