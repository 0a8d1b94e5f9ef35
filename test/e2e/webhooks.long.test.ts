/** Deliveries of servers that are killed in the middle of them: another server carries them out. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../helpers/http.ts';
import { startServer } from '../helpers/server-process.ts';
import { onEveryStore, onPostgres, type StoreTests } from '../helpers/store.ts';

const password = 'password-of-tests-0123456789';

/** A receiver that leaves the first request without an answer, and the ids of its events. */
async function receiver() {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']));
    if (ids.length > 1) response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, ids };
}

async function survivesKill(on: StoreTests, QUEUE: string): Promise<void> {
  const { dataDir, databaseUrl } = await on.database();
  const server = async () => {
    const started = await startServer({
      DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ADMIN_PASSWORD: password,
      QUEUE,
    });
    onTestFinished(() => started.end('SIGKILL').then(() => undefined));
    return started;
  };
  const first = await server();
  const { url, ids } = await receiver();
  const administer = (origin: string, path: string, body?: object) =>
    ask(`${origin}/api/admin${path}`, { key: password, direct: true, ...(body && { body }) });
  const { json } = await administer(first.url, '/webhooks', { url });
  const { id } = json['webhook'] as { id: string };
  await ask(`${first.url}/api/admin/webhooks/${id}/test`, { key: password, direct: true, method: 'POST' });
  await expect.poll(() => ids.length).toBe(1);
  await first.end('SIGKILL');
  const second = await server();
  const newest = async () => {
    const { json } = await administer(second.url, `/webhooks/${id}/deliveries`);
    return (json['data'] as { state: string; attempts: object[] }[])[0];
  };
  await expect
    .poll(newest, { interval: 500 })
    .toMatchObject({ state: 'delivered', attempts: [{ status: 204 }] });
  expect(ids[1]).toBe(ids[0]);
}

onEveryStore('webhooks of servers that are killed', (on) => {
  it('are delivered by others', () => survivesKill(on, 'table'));
});

onPostgres('webhooks over pg-boss', (on) => {
  it('are delivered by others when a server is killed', () => survivesKill(on, 'pg-boss'));
});
