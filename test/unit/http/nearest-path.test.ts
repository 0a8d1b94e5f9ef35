import { expect, it } from 'vitest';
import { operations } from '../../../generated/operations.gen.ts';
import { nearestPathAmong } from '../../../src/http/nearest-path.ts';

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
