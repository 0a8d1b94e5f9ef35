/** What is kept of one request, and what is said of it when it is over. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { type EndedRequest, Exchange, ledgerStatus } from '../../../src/http/exchange.ts';
import { send as reply } from '../../../src/http/send.ts';
import { ByteBudget } from '../../../src/lib/byte-budget.ts';
import { FaultLog } from '../../../src/observe/fault-log.ts';
import { createLog } from '../../../src/observe/log.ts';
import { open, readAll } from '../../helpers/http.ts';

interface Line {
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A server that keeps an exchange for each request, and the lines that it writes. */
async function serverWith(part: (exchange: Exchange) => unknown) {
  const lines: Line[] = [];
  const log = createLog('info', { destination: { write: (line) => lines.push(JSON.parse(line) as Line) } });
  const budget = new ByteBudget(1000);
  const parts = {
    log,
    faults: new FaultLog(log),
    publicUrl: 'http://127.0.0.1',
    clientAddress: () => '203.0.113.9',
    budget,
    stream: { heartbeatMs: 10_000, pingMs: 10_000, writeTimeoutMs: 10_000 },
  };
  let end: (ended: EndedRequest) => void = () => undefined;
  const ended = new Promise<EndedRequest>((fulfil) => {
    end = fulfil;
  });
  const application = new Koa();
  application.use(async (context) => {
    const exchange = new Exchange(context, parts);
    context.res.once('close', () => end(exchange.close()));
    reply(context, 200, {}, String((await part(exchange)) ?? ''));
  });
  const server = createServer(application.callback());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const socket = await open(port);
  onTestFinished(() => void socket.destroy());
  const send = (headers = '') =>
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
  return { socket, send, lines, budget, ended };
}

describe('a request that is answered', () => {
  it('leaves one line, with what was noted of it, and gives its memory back', async () => {
    const { socket, send, lines, budget, ended } = await serverWith((exchange) => {
      exchange.operation = 'getHealth';
      exchange.principal = { keyId: 'key-1', scopes: new Set() };
      exchange.note('job_id', 'job-1');
      exchange.memory.begin(500);
      return budget.held;
    });
    send('X-Request-Id: client-42\r\n');
    expect(await readAll(socket)).toMatch(/^x-request-id: client-42\r\n[\s\S]*\r\n500$/m);
    expect(await ended).toMatchObject({ operation: 'getHealth', status: 200 });
    expect(budget.held).toBe(0);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'request',
        request_id: 'client-42',
        operation: 'getHealth',
        method: 'GET',
        status: 200,
        key_id: 'key-1',
        job_id: 'job-1',
      }),
    ]);
  });
});

it('a request whose client goes away is cancelled, and counted under 499', async () => {
  const reason = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  const { socket, send, lines, ended } = await serverWith(async ({ signal }) => {
    signal.addEventListener('abort', () => reason.resolve(signal.reason));
    begun.resolve();
    await reason.promise;
  });
  send();
  await begun.promise;
  socket.destroy();
  expect(await reason.promise).toMatchObject({ name: 'AbortError' });
  expect((await ended).status).toBe(499);
  expect(lines).toEqual([expect.objectContaining({ msg: 'request', status: 499 })]);
});

describe('a failure', () => {
  const told = async (thrown: unknown) => {
    const { socket, send, lines, ended } = await serverWith((exchange) =>
      JSON.stringify(exchange.describe(thrown)),
    );
    send('X-Request-Id: id-1\r\n');
    const text = await readAll(socket);
    await ended;
    return { error: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)), lines };
  };

  it('of ours is told without its cause, which is logged', async () => {
    const { error, lines } = await told(new Error('an internal detail'));
    expect(error).toMatchObject({ code: 'internal_error', request_id: 'id-1' });
    expect(JSON.stringify(error)).not.toContain('an internal');
    expect(lines.map(({ msg, error_code }) => [msg, error_code])).toEqual([
      ['failed', undefined],
      ['request', 'internal_error'],
    ]);
    expect(JSON.stringify(lines[0])).toContain('an internal detail');
  });

  it('of the client stands in the line of the request alone', async () => {
    const { error, lines } = await told(new ServiceError('not_found', 'There is none.'));
    expect(error).toMatchObject({ code: 'not_found', message: 'There is none.' });
    expect(lines.map(({ msg, error_code }) => [msg, error_code])).toEqual([['request', 'not_found']]);
  });
});

describe('the status of a request in the ledger', () => {
  it.each([
    [{ status: 'succeeded' }, 200],
    [{ status: 'succeeded', clientSaw: 'acceptance' }, 202],
    [{ status: 'failed', errorCode: 'provider_error' }, 502],
    [{ status: 'failed', errorCode: 'storage_unavailable' }, 503],
    [{ status: 'failed', errorCode: 'no code of the contract' }, 500],
    [{ status: 'failed', errorCode: null }, 500],
    // Its client has seen the status of an answer by then.
    [{ status: 'failed', errorCode: 'provider_error', clientSaw: 'answer' }, 200],
    [{ status: 'failed', errorCode: 'queue_timeout', clientSaw: 'acceptance' }, 202],
    [{ status: 'cancelled' }, 499],
    [{ status: 'cancelled', clientSaw: 'answer' }, 499],
    [{ status: 'cancelled', clientSaw: 'acceptance' }, 202],
  ] as const)('of one that ended as %o is %i', (ended, status) => {
    expect(ledgerStatus(ended)).toBe(status);
  });
});
