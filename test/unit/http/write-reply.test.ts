import request, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../src/contract/registry.ts';
import { encodedFor } from '../../../src/http/send.ts';
import { type AnyReply, writeReply } from '../../../src/http/write-reply.ts';
import { eventsOf } from '../../helpers/http.ts';
import { serverOf } from '../../helpers/koa.ts';

const stream = { heartbeatMs: 10_000, pingMs: 10_000, writeTimeoutMs: 10_000 };

/** A server that answers an operation with this, and what its writer threw. */
function serverWith(id: OperationId, reply: AnyReply) {
  const thrown: unknown[] = [];
  const server = serverOf(async (context) => {
    try {
      await writeReply(context, id, reply, { replyCheck: null, stream });
    } catch (failure) {
      thrown.push(failure);
      context.res.destroy();
    }
  });
  return { asked: request(server), thrown };
}

const typesIn = ({ text }: Response) => eventsOf(text).map(({ data }) => data.type);

describe('a stream that breaks off', () => {
  const cause = new Error('an internal detail');
  async function* events() {
    yield { type: 'delta' };
    throw cause;
  }

  it('ends with an error event where the contract of its operation has one', async () => {
    const { asked, thrown } = serverWith('streamChat', { status: 200, events: events() });
    const reply = await asked.get('/');
    expect([typesIn(reply), thrown]).toEqual([['delta', 'error'], []]);
    expect(eventsOf(reply.text)[1]?.data).toMatchObject({
      error: { code: 'internal_error', request_id: reply.headers['x-request-id'] },
    });
    expect(reply.text).not.toContain('an internal detail');
  });

  it('is cut where it has none, so that nobody takes it for whole', async () => {
    const { asked, thrown } = serverWith('streamPublicDemoEvents', {
      status: 200,
      framing: 'data',
      events: events(),
    });
    await expect(asked.get('/')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(thrown).toEqual([cause]);
  });
});

it('HEAD of a stream has its head alone, and asks it for nothing', async () => {
  let asked = false;
  async function* events() {
    asked = true;
    yield { type: 'delta' };
  }
  const reply = await serverWith('streamChat', { status: 200, events: events() }).asked.head('/');
  expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect([reply.text, asked]).toEqual([undefined, false]);
});

describe('a reply', () => {
  it('of JSON is for its caller and this moment, and for programs of every origin', async () => {
    const reply = await serverWith('getHealth', { status: 200, body: { status: 'ok' } }).asked.get('/');
    expect(reply.body).toEqual({ status: 'ok' });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '15',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
  });

  it('of an operation that works with cookies is for no other origin', async () => {
    const reply = await serverWith('listTenants', { status: 200, body: {} }).asked.get('/');
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('without a body has none', async () => {
    const reply = await serverWith('deleteAdminSession', { status: 204 }).asked.delete('/');
    expect([reply.status, reply.text]).toEqual([204, '']);
  });

  it.each<[string, AnyReply]>([
    ['a document', { status: 200, mediaType: 'application/json', text: '{}', etag: '"a"' }],
    ['a file', { status: 200, mediaType: 'application/zip', bytes: new Uint8Array([1]), etag: '"a"' }],
  ])('of %s that the client has already is no more than that', async (_, reply) => {
    const { asked } = serverWith('getOpenApi', reply);
    const whole = await asked.get('/').set('accept-encoding', 'identity');
    expect([whole.status, whole.headers['etag']]).toEqual([200, '"a"']);
    const again = await serverWith('getOpenApi', reply).asked.get('/').set('if-none-match', '"a"');
    expect([again.status, again.headers['etag'], again.text]).toEqual([304, '"a"', '']);
  });
});

it('what has no compressed form is sent as it is', async () => {
  const server = serverOf((context) => encodedFor(context, 'text', '"abc"'));
  const { body } = await request(server).get('/').set('accept-encoding', 'gzip');
  expect(body).toEqual({ body: 'text', headers: { etag: '"abc"' } });
});
