/** The commands beside a running server, on the same database: what they change holds there at once. */
import { expect, it } from 'vitest';
import { serveProcess, switchyard } from '../helpers/cli.ts';
import { ask } from '../helpers/http.ts';
import { onEveryStore } from '../helpers/store.ts';

onEveryStore('beside a server that `serve` runs', (on) => {
  it('a key is good at once, and within a second it is not', async () => {
    const { dataDir, databaseUrl } = await on.database();
    const env = { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
    const server = await serveProcess({ ...env, ADMIN_PASSWORD: 'a password of tests' });
    on.cleanUp(() => server.child.kill('SIGKILL'));
    const run = (...args: string[]) => switchyard(env, ...args);
    const chat = (key: string) => ask(`${server.url}/v1/chat`, { key, body: { message: 'Hello!' } });
    let answered = 0;
    const statusOf = async (key: string) => {
      const { status } = await chat(key);
      if (status === 200) answered += 1;
      return status;
    };
    const refusedWithinASecond = (key: string) =>
      expect.poll(() => statusOf(key), { timeout: 1_000, interval: 50 }).toBe(401);

    const made = await run(
      'keys',
      'create',
      '--tenant',
      'acme',
      '--plan',
      'pro',
      '--scopes',
      'chat',
      '--json',
    );
    const { key, id } = made.json;
    expect(await statusOf(key)).toBe(200);

    const next = (await run('keys', 'rotate', id, '--grace', '0', '--json')).json;
    await refusedWithinASecond(key);
    expect(await statusOf(next.key)).toBe(200);

    await run('tenants', 'suspend', 'acme');
    await refusedWithinASecond(next.key);
    await run('tenants', 'resume', 'acme');
    await expect.poll(() => statusOf(next.key), { timeout: 1_000, interval: 50 }).toBe(200);

    await run('tenants', 'set-plan', 'acme', 'pro', '--limit', 'requests_per_minute=1');
    await expect.poll(() => statusOf(next.key), { timeout: 1_000, interval: 50 }).toBe(429);

    await run('keys', 'revoke', next.id);
    await refusedWithinASecond(next.key);

    const usage = (await run('usage', '--tenant', 'acme', '--json')).json;
    expect(usage.total).toMatchObject({ requests: answered, succeeded: answered });
    if (on.dialect === 'sqlite') expect((await run('backup', `${dataDir}/copy.db`)).code).toBe(0);
    expect(await server.stop()).toBe(0);
    expect(server.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
    expect(server.lines.join('\n')).not.toContain(key.split('_')[3]);
  });
});
