import { describe, expect, it } from 'vitest';
import { operations } from '../../../generated/operations.gen.ts';
import type { Page } from '../../../src/http/page.ts';
import { createRoutes, meantPath, nearestPathAmong } from '../../../src/http/routes.ts';

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

describe('the path that a client means', () => {
  const routes = createRoutes([]);

  it.each([
    ['POST', '/v1/chat/completions', 'createChatCompletion', {}],
    ['POST', '/chat/completions', 'createChatCompletion', {}],
    ['POST', '/v1/v1/chat/completions', 'createChatCompletion', {}],
    ['POST', '/openai/v1/responses', 'createResponse', {}],
    ['POST', '/anthropic/v1/messages', 'createMessage', {}],
    ['POST', '/openai/deployments/gpt-4o/chat/completions', 'createChatCompletion', { model: 'gpt-4o' }],
    ['GET', '/v1/models/openai/gpt-4o', 'getModel', { model: 'openai/gpt-4o' }],
    ['GET', '/v1/models/openai%2Fgpt-4o', 'getModel', { model: 'openai/gpt-4o' }],
    ['GET', '/models/a:b', 'getModel', { model: 'a:b' }],
    [
      'POST',
      '/v1beta/models/gemini-2.0-flash:generateContent',
      'generateContent',
      { model: 'gemini-2.0-flash' },
    ],
    ['POST', '/gemini/v1beta/models/x/y:z:countTokens', 'countGeminiTokens', { model: 'x/y:z' }],
    // What Google's clients ask for since their version 3.
    ['POST', '/v1/models/gemini-3.8-flash:generateContent', 'generateContent', { model: 'gemini-3.8-flash' }],
    ['POST', '/v1/models/a/b:streamGenerateContent', 'streamGenerateContent', { model: 'a/b' }],
    ['POST', '/gemini/v1/models/a:countTokens', 'countGeminiTokens', { model: 'a' }],
    ['POST', '/v1alpha/models/a:generateContent', 'generateContent', { model: 'a' }],
    ['GET', '/v1/models/a:generate', 'getModel', { model: 'a:generate' }],
    ['GET', '/v1beta/models/gemini-2.0-flash', 'getGeminiModel', { model: 'gemini-2.0-flash' }],
  ] as const)('%s %s is %s', (method, path, operation, params) => {
    const match = routes.match(method, meantPath(path));
    expect([match.target, { ...match.params }]).toEqual([operation, params]);
  });

  it.each(['/v1/models/', '/v1/requests/', '/v1/files//content', '/v1beta/models/:generateContent'])(
    'is none where a parameter is empty: %s',
    (path) => {
      expect(routes.match('GET', meantPath(path)).route).toBeNull();
    },
  );

  it('leaves other paths alone', () => {
    for (const path of ['/openai', '/gemini/v1/x', '/v1/chat', '/anthropic-fans/v1/x'])
      expect(meantPath(path)).toBe(path);
  });
});

describe('the nearest path', () => {
  const nearest = nearestPathAmong([
    ...Object.values(operations).map(({ path, method }) => ({ path, methods: [method] })),
    { path: '/docs', methods: ['GET'] },
  ]);

  it.each([
    ['POST', '/v1/chats', 'POST /v1/chat'],
    ['GET', '/v1/chats', 'POST /v1/chat'],
    ['POST', '/v1/chat/', 'POST /v1/chat'],
    ['POST', '/V1//Chat', 'POST /v1/chat'],
    ['POST', '/v2/chat', 'POST /v1/chat'],
    ['POST', '/v1/chat/complete', 'POST /v1/chat'],
    ['GET', '/v1/models/', 'GET /v1/models'],
    ['GET', '/v1/requests/', 'GET /v1/requests'],
    ['GET', '/v1/modles', 'GET /v1/models'],
    ['GET', '/models', 'GET /v1/models'],
    ['GET', '/api/v1/usage', 'GET /v1/usage'],
    ['POST', '/v1/agent/assistant/run', 'POST /v1/agents/{agent_id}/run'],
    ['POST', '/v1/agents/assistant/runs/x/cancle', 'POST /v1/agents/{agent_id}/runs/{run_id}/cancel'],
    ['POST', '/api/factory/jobs', 'POST /api/v1/factory/jobs'],
    ['GET', '/api/factory/job/x', 'GET /api/v1/factory/jobs/{job_id}'],
    ['GET', '/api/factory/template', null],
    ['GET', '/doc', 'GET /docs'],
    ['GET', '/nothing', null],
    ['GET', '/v1', null],
    ['GET', '/v1/nothing', null],
    ['GET', '/__proto__', null],
    ['GET', `/${'v1/chats/'.repeat(20)}`, null],
  ])('for %s %s it is %s', (method, path, meant) => {
    expect(nearest(method, path)).toBe(meant);
  });
});
