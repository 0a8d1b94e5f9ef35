import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { appForThisTest, type TestApp, type TestAppOptions, testKey } from './app.ts';
import { ask } from './http.ts';
import { openAiFixture } from './vendor-fixtures.ts';
import { longLimits, providerOf, vendorFor } from './vendor-gateway.ts';

export const nobody = { key: null } as const;
const message = { model: 'gpt-4o', message: 'Hello' };

/** A server whose vendor answers on command, and at once from then on. */
export async function withGate(overload: TestAppOptions['overload'], more: TestAppOptions = {}) {
  const gate = Promise.withResolvers<void>();
  const vendor = await vendorFor(async (reply) => {
    await gate.promise;
    reply.reply(200, JSON.stringify(openAiFixture.reply), { 'content-type': 'application/json' });
  });
  onTestFinished(() => gate.resolve());
  const app = await appForThisTest({
    models: {
      providers: [providerOf('openai', vendor.baseUrl, { connections: 5_000 })],
      // A vendor that is left waiting on a busy machine must not make room for others.
      timeLimits: { ...longLimits, firstByte: 600_000, total: 600_000 },
    },
    ...more,
    ...(overload && { overload }),
  });
  return { app, vendor, release: () => gate.resolve() };
}

export const chat = (app: TestApp, key = testKey, signal?: AbortSignal) =>
  ask(`${app.url}/v1/chat`, { key, body: message, ...(signal && { signal }) });

/** Requests at once, each on a connection of its own, and how many were answered with what. */
export async function flood(app: TestApp, count: number, key: string) {
  const agent = new Agent({ maxSockets: count });
  onTestFinished(() => agent.destroy());
  const body = JSON.stringify(message);
  const answers = Array.from({ length: count }, async () => {
    const sent = request(`${app.url}/v1/chat`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    sent.end(body);
    const [reply] = await once(sent, 'response');
    let text = '';
    for await (const chunk of reply) text += chunk;
    return { status: reply.statusCode as number, retryAfter: reply.headers['retry-after'], text };
  });
  return { all: Promise.all(answers) };
}

export const load = (app: TestApp) => app.overload.load();

export async function metric(app: TestApp, name: string): Promise<number | null> {
  const { text } = await ask(`${app.url}/metrics`, nobody);
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length));
}

export async function expectVitalSigns(app: TestApp) {
  // It reports its checks, some of which a blocked event loop may delay.
  expect((await ask(`${app.url}/readyz`, nobody)).json.checks.accepting.status).toBe('ok');
  for (const path of ['healthz', 'livez', 'metrics', 'admin/factory/settings/api-keys']) {
    expect((await ask(`${app.url}/${path}`, nobody)).status).toBe(200);
  }
}
