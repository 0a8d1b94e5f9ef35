/** A request that is wrong in several ways is refused for them in one order, whatever operation it is for. */
import { afterAll, beforeAll, expect } from 'vitest';
import type { ErrorCode } from '../../generated/types.gen.ts';
import {
  hasOpenQuery,
  isForAdmin,
  isForeign,
  needsNoKey,
  operationsOf,
  resolve,
  takesApiKeyHeader,
} from '../../src/contract/served/document.ts';
import { scopelessKey, startApp, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { takesForm } from '../helpers/example-ask.ts';
import { type Ask, ask } from '../helpers/http.ts';
import { expectRefusal } from '../helpers/refusals.ts';
import { testEvery } from '../helpers/test-every.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

testEvery(
  'refuses by the caller, then by what is asked for, then by what is sent',
  operationsOf(contract),
  async (at) => {
    const { method, path, operation } = at;
    const secured = !needsNoKey(operation) && !operation.security.some((by) => 'metricsAccess' in by);
    // What the roles of admins may do is tested in sign-in-roles.test.ts.
    const scoped =
      secured && !isForAdmin(operation) && Object.values(operation.security[0] ?? {}).flat().length > 0;
    const keyAs = takesApiKeyHeader(operation) ? 'x-api-key' : 'bearer';
    const rightKey = isForAdmin(operation) ? testAdminPassword : testKey;
    const foreign = isForeign(operation);
    const [media] = Object.values(operation.requestBody?.content ?? {});
    /** Whether `{}` lacks something. */
    const requires = media !== undefined && (resolve(contract, media.schema).required ?? []).length > 0;

    const target = `${app.url}${path.replaceAll(/\{\w+\}/g, 'nothing')}?surprise=1`;
    const headers: Record<string, string> = { accept: 'image/png' };
    const asking: Ask & { body?: string; key: string | null } = {
      method: method.toUpperCase(),
      headers,
      keyAs,
      key: null,
      direct: true,
    };
    if (operation.requestBody) {
      headers['content-type'] = foreign && !takesForm(operation) ? 'multipart/mixed' : 'text/plain';
      asking.body = '{"half":';
    }
    const expectTo = async (code: ErrorCode) => expectRefusal(operation, await ask(target, asking), code);
    if (secured) {
      await expectTo(isForAdmin(operation) ? 'missing_credentials' : 'missing_api_key');
      if (scoped) {
        asking.key = scopelessKey;
        await expectTo('insufficient_scope');
      }
      asking.key = rightKey;
    }
    // What a foreign interface's clients accept and ask beside what they send is their own affair.
    if (!foreign) {
      await expectTo('not_acceptable');
      headers['accept'] = 'application/json';
    }
    if (operation.requestBody) {
      await expectTo('unsupported_media_type');
      headers['content-type'] = takesForm(operation) ? 'multipart/form-data; boundary=x' : 'application/json';
      await expectTo(takesForm(operation) ? 'malformed_request' : 'malformed_json');
      asking.body = takesForm(operation)
        ? '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n--x--\r\n'
        : '{}';
    }
    if (!hasOpenQuery(operation) || requires) return void (await expectTo('invalid_request'));
    const { status } = await ask(target, asking);
    expect([200, 400, 404]).toContain(status);
  },
);
