import { describe, expect, it } from 'vitest';
import type { Page } from '../../../src/http/page.ts';
import { createRoutes } from '../../../src/http/routes.ts';

const render = () => ({ status: 200, mediaType: 'text/html', body: '' });
const page = (path: string, more: Partial<Page> = {}): Page => ({ path, render, ...more });

describe('a path leads', () => {
  const signIn = page('/sign-in', { methods: ['GET', 'POST'] });
  const routes = createRoutes([page('/docs'), signIn, page('/jobs/:job_id')]);

  it.each([
    ['POST', '/v1/chat', 'createChat', {}],
    ['POST', '/api/chat', 'createChatAlias', {}],
    ['GET', '/v1/agents/a', 'getAgent', { agent_id: 'a' }],
    ['HEAD', '/v1/agents/a', 'getAgent', { agent_id: 'a' }],
    ['GET', '/v1/agents/a%2Fb', 'getAgent', { agent_id: 'a/b' }],
    ['GET', '/health%7A', 'getHealth', {}],
  ])('to an operation: %s %s', (method, path, target, params) => {
    expect(routes.match(method, path)).toMatchObject({ target, params });
  });

  it('to a page', () => {
    expect(routes.match('GET', '/jobs/7')).toMatchObject({
      target: { path: '/jobs/:job_id' },
      params: { job_id: '7' },
    });
    expect(routes.match('POST', '/sign-in').target).toBe(signIn);
    expect(routes.match('HEAD', '/sign-in').target).toBe(signIn);
  });

  it.each([
    ['PUT', '/v1/chat', 'OPTIONS, POST', false],
    ['DELETE', '/sign-in', 'GET, HEAD, OPTIONS, POST', true],
    ['PATCH', '/healthz', 'GET, HEAD, OPTIONS', false],
    ['OPTIONS', '/api/admin/session', 'DELETE, OPTIONS, POST', true],
  ])('to nothing for %s %s, and says what there is', (method, path, allow, cookies) => {
    expect(routes.match(method, path)).toMatchObject({ target: null, route: { allow, cookies } });
  });

  it.each(['/', '/v1/chat/', '/V1/chat', '/v1//chat', '/__proto__', `/v1/agents/${'x'.repeat(257)}`])(
    'nowhere: %s',
    (path) => {
      expect(routes.match('GET', path)).toMatchObject({ target: null, route: null });
    },
  );

  it.each(['/%zz', '/v1/%', '/v1/agents/%E0%A4%A'])('nowhere that can be said: %s', (path) => {
    expect(() => routes.match('GET', path)).toThrow(expect.objectContaining({ code: 'malformed_request' }));
  });
});

it('nothing is routed twice', () => {
  expect(() => createRoutes([page('/docs'), page('/docs')])).toThrow('GET /docs is routed twice');
  expect(() => createRoutes([page('/v1/chat', { methods: ['POST'] })])).toThrow(
    'POST /v1/chat is routed twice',
  );
});

it('a path where nothing is has a nearest one among operations and pages, never a file that pages load', () => {
  const routes = createRoutes([page('/docs'), page('/logo', { file: true })]);
  expect(routes.notFound('GET', '/doc').message).toBe('There is nothing at /doc. Did you mean GET /docs?');
  expect(routes.notFound('GET', '/lego').message).toBe('There is nothing at /lego.');
  expect(routes.notFound('GET', `/${'x'.repeat(300)}`).message.length).toBeLessThan(250);
});
