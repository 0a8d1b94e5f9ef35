/** MCP servers that are programs, and `/mcp` and sockets over several processes of the server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { McpCommand } from '../../../src/services/agents/settings.ts';
import { mcpSource } from '../../../src/services/agents/tools/mcp.ts';
import { toolContext } from '../../helpers/agents.ts';
import { ask } from '../../helpers/http.ts';
import { countOf, limited } from '../../helpers/limited-servers.ts';
import { forThisTest } from '../../helpers/mcp-client.ts';
import { startMcpServer } from '../../helpers/mcp-server.ts';
import { openSocket } from '../../helpers/responses-socket.ts';
import { startSeveral } from '../../helpers/server-process.ts';
import { onEveryStore } from '../../helpers/store.ts';
import { ledgerRows, testAccounts } from '../../helpers/store-accounts.ts';

const program = path.join(import.meta.dirname, '../../fixtures/mcp-program.js');

async function started(more: Partial<McpCommand> = {}) {
  const command = {
    command: process.execPath,
    args: [program],
    env: { GIVEN: 'yes' },
    cwd: null,
    memoryBytes: 512 * 2 ** 20,
    processes: 8,
    ...more,
  };
  let time = 0;
  const errors: string[] = [];
  const source = mcpSource(
    { id: 'p', url: 'command:node', headers: {}, tools: null, timeoutMs: 20_000, command },
    (error) => errors.push(String(error)),
    { now: () => time },
  );
  onTestFinished(() => source.close());
  await source.refresh();
  const call = async (name: string): Promise<unknown> => {
    const tool = source.list().find(({ ownName }) => ownName === name);
    if (!tool) throw new Error(`There is no tool ${name}: ${errors.join()}`);
    const result = await tool.run({}, toolContext());
    return JSON.parse(typeof result === 'string' ? result : result.text);
  };
  const later = (ms: number) => {
    time += ms;
  };
  return { source, call, errors, later };
}

const runs = (pid: unknown) => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

it('a program gets no variable of the server but those of paths, user and language, and those that are set for it', async () => {
  process.env['OPENAI_API_KEY'] = 'canary';
  onTestFinished(() => void delete process.env['OPENAI_API_KEY']);
  const { call, errors } = await started();
  const names = (await call('env')) as string[];
  const few = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
  // The shell that sets its limits adds the last three.
  expect(names.filter((name) => ![...few, 'PWD', 'OLDPWD', '_', 'SHLVL'].includes(name))).toEqual(['GIVEN']);
  expect(errors).toEqual([]);
});

it('progress that comes in one piece with the answer is told of', async () => {
  const { source } = await started();
  const heard: unknown[] = [];
  const { signal } = new AbortController();
  await source.callTool('pid', {}, { signal, onprogress: ({ progress }) => heard.push(progress) });
  expect(heard).toEqual([1]);
});

it('answers that nobody asked for, that come twice and too late are nobody else’s', async () => {
  const { source, call, errors } = await started();
  const gone = new AbortController();
  const taken = Promise.withResolvers<unknown>();
  const late = source.callTool('late', {}, { signal: gone.signal, onprogress: taken.resolve });
  await taken.promise;
  gone.abort(new Error('gone'));
  await expect(late).rejects.toThrow('gone');
  const pid = await call('pid');
  expect(pid).toBeGreaterThan(0);
  const stray = source.callTool('stray', {}, { signal: new AbortController().signal });
  expect(await Promise.all([call('pid'), stray, call('pid')])).toMatchObject([
    pid,
    { content: [{ type: 'text' }] },
    pid,
  ]);
  expect([source.failure, errors]).toEqual([null, []]);
});

it('one that dies is started again after a pause, the longer the more often it does', async () => {
  const { source, call, errors, later } = await started();
  for (const pause of [1000, 2000, 4000]) {
    await expect(call('dies')).rejects.toThrow('failed');
    await expect.poll(() => source.failure).toBe('has ended and is started again');
    later(pause - 1);
    await source.refresh();
    expect(source.list()).toMatchObject([{ available: false }]);
    later(1);
    await source.refresh();
    expect(source.failure).toBeNull();
  }
  expect(errors[0]).toContain('The program of the server has ended. It wrote: The program says hello.');
  later(60_001);
  await expect(call('dies')).rejects.toThrow('failed');
  await expect.poll(() => source.failure).not.toBeNull();
  later(1000);
  await source.refresh();
  expect(await call('pid')).toBeGreaterThan(0);
});

it.each([
  ['writes too much', 'floods', {}, 'larger than 4 MiB'],
  ['starts too many processes', 'forks', {}, 'more than 8 processes'],
  ['takes too much memory', 'eats', { memoryBytes: 300 * 2 ** 20 }, 'more than 300 MiB'],
] as const)('one that %s ends, with all that it has started', async (_, name, more, why) => {
  const { source, call, errors } = await started(more);
  const pid = await call('pid');
  const made = await call(name).catch(() => []);
  await expect.poll(() => source.failure, { timeout: 20_000 }).toBe('has ended and is started again');
  expect(errors.join()).toMatch(why);
  for (const one of [pid, made].flat()) await expect.poll(() => runs(one), { timeout: 20_000 }).toBe(false);
});

it('one that does not want to end ends with the server', async () => {
  const { source, call } = await started();
  const pid = await call('stays');
  await source.close();
  expect(runs(pid)).toBe(false);
});

it('a program that is none is told of', async () => {
  const { source, errors } = await started({ command: '/nowhere/at-all', args: [] });
  expect(source.list()).toMatchObject([{ available: false }]);
  expect(errors.join()).toContain('not found');
});

const calls = 300;
const limit = 20;

onEveryStore('three processes', (on) => {
  it('let a key call tools as often as its limit says, through the SDK and past it', async () => {
    const docs = await forThisTest(startMcpServer());
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
