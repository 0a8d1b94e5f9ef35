/** A request that is wrong in several ways is refused for them in one order, whatever operation it is for. */
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  isForAdmin,
  needsNoKey,
  operationsOf,
  takesApiKeyHeader,
} from '../../src/contract/served/document.ts';
import { scopelessKey, startApp, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe.each(operationsOf(contract))('$id', ({ method, path, operation }) => {
  const secured = !needsNoKey(operation) && !operation.security.some((by) => 'metricsAccess' in by);
  const scoped = secured && Object.values(operation.security[0] ?? {}).flat().length > 0;
  const header = takesApiKeyHeader(operation) ? 'x-api-key' : 'authorization';
  const sent = (key: string) => (header === 'x-api-key' ? key : `Bearer ${key}`);
  const rightKey = isForAdmin(operation) ? testAdminPassword : testKey;

  it('refuses by the caller, then by what is asked for, then by what is sent', async () => {
    const target = `${path.replaceAll(/\{\w+\}/g, 'nothing')}?surprise=1`;
    const headers: Record<string, string> = { accept: 'image/png' };
    let body: string | undefined;
    if (operation.requestBody) {
      headers['content-type'] = 'text/plain';
      body = '{"half":';
    }
    const expectRefusal = async (status: number, code: string) => {
      const asked = request(app.url)[method as 'get' | 'post'](target).set(headers);
      const reply = await (body === undefined ? asked : asked.send(body));
      expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    };
    if (secured) {
      await expectRefusal(401, isForAdmin(operation) ? 'missing_credentials' : 'missing_api_key');
      if (scoped) {
        headers[header] = sent(scopelessKey);
        await expectRefusal(403, 'insufficient_scope');
      }
      headers[header] = sent(rightKey);
    }
    await expectRefusal(406, 'not_acceptable');
    headers['accept'] = 'application/json';
    if (operation.requestBody) {
      await expectRefusal(415, 'unsupported_media_type');
      headers['content-type'] = 'application/json';
      await expectRefusal(400, 'malformed_json');
      body = '{}';
    }
    if (operation['x-any-query']) return;
    await expectRefusal(400, 'invalid_request');
  });
});
