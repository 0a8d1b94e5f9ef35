/** What clients find before they ask for anything, and the page that says how they are set up. */
import { expect, it } from 'vitest';
import { appForThisTest } from '../helpers/app.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

it.each([
  ['HEAD', '/'],
  ['HEAD', '/api/hello'],
  ['GET', '/api/hello'],
])('%s %s says without a key that there is a server', async (method, path) => {
  const app = await appForThisTest();
  const reply = await fetch(app.url + path, { method });
  expect(reply.status).toBe(200);
  expect(await reply.text()).toBe(method === 'GET' ? '{"message":"hello"}' : '');
  expect(app.log.filter(({ msg, status }) => msg === 'request' && Number(status) >= 400)).toEqual([]);
});

it('the page /connect names this server, and models that it knows', async () => {
  const vendor = await vendorFor(() => undefined);
  const app = await appForThisTest({
    publicUrl: 'https://ai.example.com',
    models: { providers: [providerOf('anthropic', vendor.baseUrl)], defaultModel: 'claude-haiku-5-5' },
  });
  const text = await (await fetch(`${app.url}/connect`)).text();
  expect(text).toContain('export ANTHROPIC_BASE_URL=https://ai.example.com\n');
  expect(text).toContain('claude --model claude-sonnet-5-5');
  expect(text).toContain('model = &quot;claude-haiku-5-5&quot;');
  expect(text).not.toContain('gpt-');
  expect(text).not.toContain('127.0.0.1');
});

it.each(['/', '/docs/guides'])('%s leads there', async (path) => {
  const app = await appForThisTest();
  const text = await (await fetch(app.url + path)).text();
  expect(text).toContain('href="/connect"');
});
