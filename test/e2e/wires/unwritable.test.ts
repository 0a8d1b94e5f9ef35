/** What becomes of a request when its answer has come and cannot be told: what was used is accounted for all the same. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { VendorObjects } from '../../../src/background/vendor-objects/vendor-objects.ts';
import { openAiChatWire } from '../../../src/gateway/wires/openai-chat/client/wire.ts';
import { StoreError } from '../../../src/store/errors.ts';
import { appForThisTest, type TestApp, testKey } from '../../helpers/app.ts';
import { anthropicFixture } from '../../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';
import { wireJson } from '../../helpers/wire-fixtures.ts';

const messages = [{ role: 'user', content: 'Hi' }];

async function post(app: TestApp, path: string, body: object) {
  const reply = await fetch(app.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
  });
  return { status: reply.status, id: reply.headers.get('x-request-id'), text: await reply.text() };
}

async function ledgerRow(app: TestApp, id: string | null): Promise<unknown> {
  const headers = { authorization: `Bearer ${testKey}` };
  return (await fetch(`${app.url}/v1/requests/${id}`, { headers })).json();
}

it('accounts for a translated answer that we fail to write', async () => {
  const vendor = await vendorFor(({ json }) => json(anthropicFixture.reply));
  const app = await appForThisTest({
    models: { providers: [providerOf('anthropic', vendor.baseUrl)] },
    errorsExpected: true,
  });
  const { read } = openAiChatWire;
  const broken = vi.spyOn(openAiChatWire, 'read').mockImplementation((body) => ({
    ...read(body),
    answer() {
      throw new Error('broken');
    },
  }));
  onTestFinished(() => broken.mockRestore());
  const { status, id } = await post(app, '/v1/chat/completions', { model: 'claude-sonnet-4-6', messages });
  expect(status).toBe(500);
  expect(await ledgerRow(app, id)).toMatchObject({
    status: 'failed',
    provider: 'anthropic',
    usage: { completion_tokens: 11, source: 'provider' },
  });
});

it('accounts for a native answer of which we fail to write down whose it is', async () => {
  const reply = wireJson('openai-responses/text.json') as { usage: { output_tokens: number } };
  const vendor = await vendorFor(({ json }) => json(reply));
  const app = await appForThisTest({
    models: { providers: [providerOf('responses', vendor.baseUrl)] },
    errorsExpected: true,
  });
  const broken = vi
    .spyOn(VendorObjects.prototype, 'record')
    .mockRejectedValueOnce(new StoreError('unreachable', 'Storage: gone.'));
  onTestFinished(() => broken.mockRestore());
  const { status, id } = await post(app, '/v1/responses', { model: 'gpt-4o', input: 'Hi' });
  expect(status).toBe(503);
  expect(await ledgerRow(app, id)).toMatchObject({
    status: 'failed',
    provider: 'responses',
    usage: { completion_tokens: reply.usage.output_tokens, source: 'provider' },
  });
});
