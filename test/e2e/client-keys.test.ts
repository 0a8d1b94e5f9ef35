/** A client's key reaches no vendor, and is written down nowhere, in whichever way it comes. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { appForThisTest, type TestApp, testKey, testMetricsToken } from '../helpers/app.ts';
import { anthropicFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

const wrongKey = 'sk-canary-of-a-stranger-0123456789';

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

const ways: readonly (readonly [string, (key: string) => Sent])[] = [
  ['Authorization', (key) => ({ headers: { authorization: `Bearer ${key}` } })],
  ['x-api-key', (key) => ({ headers: { 'x-api-key': key } })],
  ['api-key', (key) => ({ headers: { 'api-key': key } })],
  ['x-goog-api-key', (key) => ({ headers: { 'x-goog-api-key': key } })],
  ['the query', (key) => ({ query: `?key=${key}` })],
];

/** What is asked, and how it ends: on the native lane, on the translated lane, at a vendor that fails, and with a refusal. */
const asked = [
  { url: '/v1/messages', model: 'claude-haiku-5-5', status: 200 },
  { url: '/v1/chat/completions', model: 'claude-haiku-5-5', status: 200 },
  { url: '/v1/messages', model: 'gpt-4o', status: 502 },
  { url: '/v1/chat/completions', model: 'of-nobody', status: 404 },
] as const;

async function post(app: TestApp, at: (typeof asked)[number], { headers, query = '' }: Sent) {
  const reply = await fetch(app.url + at.url + query, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: at.model, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  return { status: reply.status, text: (await reply.text()) + JSON.stringify([...reply.headers]) };
}

async function filesOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

describe.each(ways)('a key in %s', (_, sent) => {
  it('stays here, and is in no reply, log, metric or file', async () => {
    const anthropic = await vendorFor(({ json }) => json(anthropicFixture.reply));
    const openai = await vendorFor(({ json }) => json({ error: { message: 'no' } }, 500));
    const app = await appForThisTest({
      metricsToken: testMetricsToken,
      models: {
        providers: [providerOf('anthropic', anthropic.baseUrl), providerOf('openai', openai.baseUrl)],
        maxAttempts: 1,
      },
    });
    const seen: string[] = [];
    for (const at of asked) {
      const reply = await post(app, at, sent(testKey));
      expect([at.model, reply.status]).toEqual([at.model, at.status]);
      const refused = await post(app, at, sent(wrongKey));
      expect(refused.status).toBe(401);
      seen.push(reply.text, refused.text);
    }
    expect([anthropic.requests.length, openai.requests.length]).toEqual([2, 1]);
    const headers = { authorization: `Bearer ${testMetricsToken.reveal()}` };
    const metrics = await (await fetch(`${app.url}/metrics`, { headers })).text();
    expect(metrics).toContain('createMessage');
    const files = await filesOf(app.dataDir);
    expect(files).toContain('createMessage');
    const written = [
      ...seen,
      JSON.stringify(anthropic.requests),
      JSON.stringify(openai.requests),
      metrics,
      files,
    ];
    for (const text of [...written, JSON.stringify(app.log)])
      for (const key of [testKey, wrongKey]) expect(text).not.toContain(key);
  });
});
