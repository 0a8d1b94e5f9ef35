/** What openapi-backend makes of a request: the refusal or the operation that it leads to, and who calls it. */
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { OperationId } from '../../../src/contract/registry.ts';
import { apiKeyAuth, bearerAuth, queryAuth } from '../../../src/http/authenticate.ts';
import {
  type AnswerOperation,
  createDispatcher,
  type DispatcherParts,
} from '../../../src/http/dispatcher.ts';
import { createRoutes } from '../../../src/http/routes.ts';
import { serverOf } from '../../helpers/koa.ts';

type Schemes = DispatcherParts['authenticate'];

const refused = (code: 'access_denied' | 'missing_credentials' | 'invalid_credentials') => async () => {
  throw new ServiceError(code, code);
};
const found = (keyId: string) => async () => ({ keyId, scopes: new Set<string>() });
const key = async (given: string) => (given === 'good' ? { keyId: 'key', scopes: new Set<string>() } : null);

/** A server whose operations, but for the planned sign-up, say who called them. */
async function serverWith(schemes: Partial<Schemes> = {}, ids: readonly OperationId[] = everyOperation) {
  const routes = createRoutes([]);
  const told: string[] = [];
  const answer = (id: OperationId): AnswerOperation => {
    return async ({ exchange, match }) => {
      told.push(`${id} for ${exchange.principal?.keyId ?? 'nobody'} with ${JSON.stringify(match.params)}`);
    };
  };
  const dispatch = await createDispatcher({
    routes,
    authenticate: {
      bearerAuth: bearerAuth(key),
      apiKeyAuth: apiKeyAuth(key),
      azureKeyAuth: apiKeyAuth(key, 'api-key'),
      googleKeyAuth: apiKeyAuth(key, 'x-goog-api-key'),
      keyInQuery: queryAuth(key),
      metricsAccess: refused('access_denied'),
      adminBearer: refused('missing_credentials'),
      adminSession: refused('missing_credentials'),
      ...schemes,
    },
    answers: new Map(ids.map((id) => [id, answer(id)])),
  });
  const server = serverOf(async (context, exchange) => {
    const call = { context, exchange, match: routes.match(context.method, context.path) };
    const answerIt = await dispatch(call);
    await answerIt(call);
    return told.at(-1);
  });
  return request(server);
}

const everyWay = ['bearerAuth', 'apiKeyAuth', 'azureKeyAuth', 'googleKeyAuth', 'keyInQuery'];

const everyOperation: readonly OperationId[] = [
  'createChat',
  'getAgent',
  'getHealth',
  'getReadiness',
  'listFactoryJobs',
  'listTenants',
];

describe('an operation', () => {
  it.each([
    ['get', '/healthz', 'getHealth for nobody with {}'],
    ['post', '/v1/chat', 'createChat for key with {}'],
    ['get', '/v1/agents/a%20b', 'getAgent for key with {"agent_id":"a b"}'],
    ['get', '/api/v1/factory/jobs', 'listFactoryJobs for key with {}'],
  ] as const)('is found for %s %s', async (method, path, told) => {
    const asked = (await serverWith())[method](path);
    const reply = await asked.set('authorization', 'Bearer good').set('x-api-key', 'good');
    expect([reply.status, reply.body]).toEqual([200, told]);
  });

  it('is asked for the head of its answer too', async () => {
    expect((await (await serverWith()).head('/healthz')).status).toBe(200);
  });

  it('that is planned has no handler, and says so', async () => {
    const reply = await (await serverWith()).post('/api/factory/signup').send({});
    expect([reply.status, reply.body.code]).toEqual([404, 'endpoint_planned']);
  });
});

describe('security', () => {
  it.each([
    ['no key', {}, 'missing_api_key'],
    ['a wrong one', { authorization: 'Bearer bad' }, 'invalid_api_key'],
    ['one in another way than the contract says', { 'x-api-key': 'good' }, 'missing_api_key'],
  ])('refuses %s before the operation is asked', async (_, headers, code) => {
    const reply = await (await serverWith()).post('/v1/chat').set(headers);
    expect([reply.status, reply.body.code]).toEqual([401, code]);
    expect(reply.headers['www-authenticate']).toContain('Bearer');
  });

  it.each<[string, Partial<Schemes>, string]>([
    ['the first', { adminBearer: found('password') }, 'password'],
    ['the second', { adminSession: found('session') }, 'session'],
    ['both', { adminBearer: found('password'), adminSession: found('session') }, 'password'],
  ])('needs one of the schemes of an operation: %s', async (_, schemes, caller) => {
    const reply = await (await serverWith(schemes)).get('/api/admin/tenants');
    expect([reply.status, reply.body]).toEqual([200, `listTenants for ${caller} with {}`]);
  });

  it.each<[string, Partial<Schemes>, number, string]>([
    ['nothing where nothing was sent', {}, 401, 'missing_credentials'],
    ['what is wrong', { adminSession: refused('invalid_credentials') }, 401, 'invalid_credentials'],
    [
      'a failure of ours, which is no wrong key',
      {
        adminBearer: refused('invalid_credentials'),
        adminSession: () => Promise.reject(new Error('the database is away')),
      },
      500,
      'internal_error',
    ],
  ])('tells of several schemes %s', async (_, schemes, status, code) => {
    const reply = await (await serverWith(schemes)).get('/api/admin/tenants');
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it.each<[string, string, Record<string, string>, string[]]>([
    ['that its key came by', '', { 'x-api-key': 'good' }, ['apiKeyAuth']],
    ['of a key in its address', '?alt=sse&key=good', {}, ['keyInQuery']],
    ['of each key, where there are two', '', { authorization: 'Bearer bad', 'api-key': 'good' }, everyWay],
    ['there is, where there is no key', '?monkey=1', {}, everyWay],
  ])('asks of several ways the one %s', async (_, query, headers, expected) => {
    const asked: string[] = [];
    const schemes = {
      bearerAuth: bearerAuth(key),
      apiKeyAuth: apiKeyAuth(key),
      azureKeyAuth: apiKeyAuth(key, 'api-key'),
      googleKeyAuth: apiKeyAuth(key, 'x-goog-api-key'),
      keyInQuery: queryAuth(key),
    };
    const watched = Object.entries(schemes).map(([name, run]) => {
      const watch: typeof run = (...call) => {
        asked.push(name);
        return run(...call);
      };
      return [name, watch];
    });
    const server = await serverWith(Object.fromEntries(watched), ['createMessage']);
    const reply = await server.post(`/v1/messages${query}`).set(headers);
    expect(asked.toSorted()).toEqual(expected.toSorted());
    const good = expected.length === 1 || 'api-key' in headers;
    if (good) expect([reply.status, reply.body]).toEqual([200, 'createMessage for key with {}']);
    else expect([reply.status, reply.body.code]).toEqual([401, 'missing_api_key']);
  });

  it('that an operation may do without finds nobody, or somebody', async () => {
    const nobody = await (await serverWith()).get('/readyz');
    expect(nobody.body).toBe('getReadiness for nobody with {}');
    const somebody = await (await serverWith({ metricsAccess: found('machine') })).get('/readyz');
    expect(somebody.body).toBe('getReadiness for machine with {}');
  });
});
