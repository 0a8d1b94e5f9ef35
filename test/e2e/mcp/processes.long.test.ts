/** `/mcp` and sockets over several processes: limits hold for all together, and a revoked key is heard of by each. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../../helpers/http.ts';
import { countOf, limited } from '../../helpers/limited-servers.ts';
import { startMcpServer } from '../../helpers/mcp-server.ts';
import { openSocket } from '../../helpers/responses-socket.ts';
import { startSeveral } from '../../helpers/server-process.ts';
import { onEveryStore } from '../../helpers/store.ts';
import { ledgerRows, testAccounts } from '../../helpers/store-accounts.ts';

const calls = 300;
const limit = 20;

onEveryStore('three processes', (on) => {
  it('let a key call tools as often as its limit says, through the SDK and past it', async () => {
    const docs = await startMcpServer();
    onTestFinished(() => docs.close());
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-mcp-'));
    on.cleanUp(() => rm(folder, { recursive: true }));
    const config = path.join(folder, 'switchyard.yaml');
    await writeFile(config, `mcp_servers: { docs: { url: '${docs.url}' } }\n`);
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const key = await limited(accounts, 'acme', limit);
    const { url } = await startSeveral(3, database, { SWITCHYARD_CONFIG: config });
    const call = async (n: number): Promise<number> => {
      // Some want to hear of progress, which the SDK sees to.
      const params = {
        name: 'weather.of',
        arguments: { city: 'Oslo' },
        ...(n % 3 === 0 && { _meta: { progressToken: n } }),
      };
      const body = { jsonrpc: '2.0', id: n, method: 'tools/call', params };
      const { status, json } = await ask(`${url}/mcp/docs`, { key, direct: true, body });
      // A process that has too much to do sheds some, which uses up nothing.
      if (status === 503) return call(n);
      if (json.result) expect(json).toMatchObject({ id: n, result: { content: [{ text: 'Rain in Oslo' }] } });
      else expect(json).toMatchObject({ id: n, error: { data: { code: 'rate_limited' } } });
      return json.result ? 200 : 429;
    };
    const statuses = await Promise.all(Array.from({ length: calls }, (_, n) => call(n)));
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([limit, calls - limit]);
    await expect.poll(async () => (await ledgerRows(accounts, 'acme')).length).toBe(limit);
  });

  it('close the sockets of a key that is revoked in another one', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const admin = { key: 'password-of-tests-0123456789', direct: true };
    const server = await startSeveral(3, database, { RESPONSES_SOCKETS: '50', ADMIN_PASSWORD: admin.key });
    await accounts.tenants.create({ id: 'acme', plan: 'enterprise' }, 'test');
    const [gone, kept] = await Promise.all(
      [0, 1].map(() => accounts.storedKeys.create({ tenantId: 'acme' }, 'test')),
    );
    const open = (text = '') => openSocket(server, { authorization: `Bearer ${text}` });
    // So many that each process has some.
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(gone?.text)));
    const other = await open(kept?.text);
    const revoked = await ask(`${server.url}/api/admin/keys/${gone?.key.id}/revoke`, {
      ...admin,
      method: 'POST',
      body: {},
    });
    expect(revoked.status).toBeLessThan(300);
    const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed)[0]));
    expect(new Set(codes)).toEqual(new Set([1008]));
    const said = await other.ask({ model: 'sandbox/echo', input: 'Hello!' });
    expect(said.type).toBe('response.completed');
  });
});
