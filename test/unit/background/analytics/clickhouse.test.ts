/** What ClickHouse is sent, byte by byte, and what becomes of its answers. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { clickHouse } from '../../../../src/background/analytics/clickhouse.ts';
import type { Batch } from '../../../../src/background/analytics/outbox.ts';
import { clickHouseUrl, readOrNull } from '../../../../src/config/setting-types.ts';
import { Secret } from '../../../../src/lib/redact.ts';
import { analyticsSample } from '../../../helpers/analytics.ts';

const batch: Batch = {
  id: '01BATCH',
  rows: [analyticsSample, { ...analyticsSample, id: 'second', model: 'naïve\n"' }],
};

interface Seen {
  readonly method: string | undefined;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const action of cleanups.splice(0)) await action();
});

async function receiver(status: number, headers: Record<string, string>, answer: string) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    seen.push({
      method: request.method,
      url: new URL(request.url ?? '', 'http://localhost'),
      headers: request.headers,
      body: Buffer.concat(parts),
    });
    response.writeHead(status, headers).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return { seen, port: (server.address() as AddressInfo).port };
}

function sinkOf(url: string) {
  const sink = clickHouse(new Secret(url));
  cleanups.push(() => sink.close());
  return sink;
}

it('takes rows as lines of JSON, with the id of the batch and the credentials beside the address', async () => {
  const { seen, port } = await receiver(200, {}, '');
  await sinkOf(`http://re%40der:p%2Fss@127.0.0.1:${port}/sales?table=used`).send(batch);
  const [{ method, url, headers, body } = {} as Seen] = seen;
  expect(seen).toHaveLength(1);
  expect(method).toBe('POST');
  expect(url.pathname).toBe('/');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    query: 'INSERT INTO `sales`.`used` FORMAT JSONEachRow',
    async_insert: '1',
    wait_for_async_insert: '1',
    async_insert_deduplicate: '1',
    insert_deduplication_token: '01BATCH',
    date_time_input_format: 'best_effort',
    input_format_skip_unknown_fields: '1',
  });
  expect(headers).toMatchObject({
    'x-clickhouse-user': 're@der',
    'x-clickhouse-key': 'p/ss',
    'content-encoding': 'gzip',
  });
  expect(headers['authorization']).toBeUndefined();
  const text = gunzipSync(body).toString();
  expect(text).toBe(batch.rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  expect(text.split('\n')).toHaveLength(3);
});

it('takes the table of its own name without one, and sends no credentials where there are none', async () => {
  const { seen, port } = await receiver(200, {}, '');
  await sinkOf(`http://127.0.0.1:${port}/`).send(batch);
  expect(seen[0]?.url.searchParams.get('query')).toBe(
    'INSERT INTO `default`.`switchyard_requests` FORMAT JSONEachRow',
  );
  expect(seen[0]?.headers).not.toHaveProperty('x-clickhouse-user');
});

it.each([
  [404, {}, 'Code: 60. DB::Exception: Table default.t does not exist. (UNKNOWN_TABLE)\n', 'does not exist'],
  [200, { 'x-clickhouse-exception-code': '241' }, 'Code: 241. DB::Exception: Memory limit', 'Memory limit'],
])(
  'refuses with %i, which is said without what it quotes of the rows',
  async (status, headers, answer, said) => {
    const { port } = await receiver(status, headers as Record<string, string>, answer);
    await expect(sinkOf(`http://127.0.0.1:${port}/`).send(batch)).rejects.toThrow(said);
  },
);

it('does not say what a row holds that it refuses', async () => {
  const quote =
    'Code: 27. DB::Exception: Cannot parse input: (while reading the value of key tags): (at row 1) secret-tag';
  const { port } = await receiver(400, {}, quote);
  const failure: Error = await sinkOf(`http://127.0.0.1:${port}/`)
    .send(batch)
    .then(
      () => new Error('taken'),
      (error: Error) => error,
    );
  expect(failure.name).toBe('ClickHouseError');
  expect(failure.message).toContain('refused rows with 400: Code: 27');
  expect(failure.message).not.toContain('secret-tag');
});

it('cannot be reached where nobody listens, which is said without its address', async () => {
  const failure = await sinkOf('http://user:pass-word@127.0.0.1:1/')
    .send(batch)
    .catch((error: Error) => error.message);
  expect(failure).toMatch(/^ClickHouse cannot be reached \(\w+\)\.$/);
});

it.each([
  ['https://user:pass@ch.example:8443/db?table=requests', true],
  ['http://127.0.0.1:8123', true],
  ['https://ch.example/db/more', false],
  ['https://ch.example/db?table=a`b', false],
  ['https://ch.example/db?query=drop', false],
  ['tcp://ch.example:9000/db', false],
])('has an address such as %s: %s', (text, isTaken) => {
  expect(readOrNull(clickHouseUrl, text) !== null).toBe(isTaken);
});
