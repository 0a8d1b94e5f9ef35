import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Clients } from '../client.ts';
import type { Call } from '../evidence.ts';
import type { Server } from '../server.ts';

/** What a client takes this answer for. */
async function takenFor(kind: Call['kind'], status: number, text: string, cut = false): Promise<Call> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-length': Buffer.byteLength(text) + (cut ? 10 : 0) });
    response.write(text);
    if (cut) setTimeout(() => response.destroy(), 20);
    else response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const calls: Call[] = [];
  const clients = new Clients('test', 1, (call) => calls.push(call));
  onTestFinished(async () => {
    await clients.close();
    server.close();
  });
  const target = { port, origin: `http://127.0.0.1:${port}`, life: { id: 1 } } as unknown as Server;
  const { call } = await clients.send({ server: target, kind, tenant: 'acme', key: null, path: '/' });
  expect(calls).toEqual([call]);
  return call;
}

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

it.each<[Call['kind'], number, string, Partial<Call>]>([
  ['chat', 200, JSON.stringify({ usage }), { outcome: 'success', usage: { prompt: 3, completion: 4 } }],
  ['chat', 502, '{"error":{"code":"provider_error"}}', { outcome: 'refused', code: 'provider_error' }],
  ['stream', 200, event({ type: 'end', usage }), { outcome: 'success', usage: { prompt: 3, completion: 4 } }],
  ['stream', 200, event({ type: 'error', error: { code: 'x' } }), { outcome: 'refused', code: 'x' }],
  ['stream', 200, event({ type: 'delta' }), { outcome: 'unsure' }],
  ['chat', 200, '{"usage":', { outcome: 'unsure' }],
  ['build', 202, '{"id":"job_1"}', { outcome: 'success', started: 'job_1' }],
  ['agent', 200, '{"status":"failed","error":{"code":"y"}}', { outcome: 'refused', code: 'y' }],
  ['agent', 200, '{"status":"running","error":null}', { outcome: 'unsure' }],
  ['agent', 503, '{"error":{"code":"storage_unavailable"}}', { outcome: 'unsure' }],
  ['chat', 503, '{"error":{"code":"storage_unavailable"}}', { outcome: 'refused' }],
])('%s %i %j is taken for what it is', async (kind, status, text, expected) => {
  expect(await takenFor(kind, status, text)).toMatchObject(expected);
  // The same, cut off before its end, is never more than a doubt.
  expect(await takenFor(kind, status, text, true)).toMatchObject({ outcome: 'unsure', started: null });
});
