/** Reloads of the configuration while the server runs; `reload.long.test.ts` has all that servers as processes do. */
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { Reloads } from '../../src/config/reloads.ts';
import { appForThisTest, digestForTests, testAdminPassword } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { fileFor, key, serverWith, vendorNamed } from '../helpers/reload.ts';
import { vendorFor } from '../helpers/vendor-gateway.ts';

it('a reload exchanges the provider, and lets a stream end on the old one', async () => {
  let goOn = () => {};
  const middle = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const [one, other] = await Promise.all([
    vendorFor(vendorNamed('one', middle)),
    vendorFor(vendorNamed('other')),
  ]);
  const server = await serverWith(fileFor(one));
  const stream = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'who', stream: true, messages: [{ role: 'user', content: 'Who?' }] }),
  });
  expect(stream.status).toBe(200);
  await server.write(fileFor(other));
  const { status, json } = await server.reload();
  expect(status).toBe(200);
  expect(json.changes).toEqual([
    { section: 'providers', name: 'house', change: 'changed', fields: ['base_url'] },
  ]);
  expect(await server.chat()).toBe('other');
  goOn();
  const text = await stream.text();
  expect(text).toContain('one begins');
  expect(text).toContain('and one ends');
  expect(text).toContain('[DONE]');
  expect(one.requests).toHaveLength(1);
});

it('is refused with every problem by a server in this process, whose replies are held against the contract', async () => {
  let text = 'aliases: {fast: sandbox/echo}';
  const read = () => readConfig({ SWITCHYARD_CONFIG: '/etc/switchyard.yaml' }, async () => text);
  const started = await read();
  const config = new Reloads({
    config: started,
    file: started.file,
    read,
    apply: async () => undefined,
    pseudonym: digestForTests,
    now: Date.now,
  });
  const app = await appForThisTest({ config });
  const reload = () => ask(`${app.url}/api/admin/config/reload`, { method: 'POST', key: testAdminPassword });
  text = 'alias: {}\nmodel: {}';
  const refused = await reload();
  expect(refused.status).toBe(409);
  expect(refused.error.details).toHaveLength(2);
  text = 'aliases: {quick: sandbox/echo}';
  const { status, json } = await reload();
  expect(status).toBe(200);
  expect(
    json.changes.map(({ name, change }: { name: string; change: string }) => `${name} ${change}`).sort(),
  ).toEqual(['fast removed', 'quick added']);
  expect((await ask(`${app.url}/api/admin/config`, { key: testAdminPassword })).json).toEqual(json.config);
});
