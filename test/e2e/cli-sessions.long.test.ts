/** The commands of sessions, beside a running server that somebody is signed in to. */
import { expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { switchyard } from '../helpers/cli.ts';
import { ask } from '../helpers/http.ts';
import { onEveryStore } from '../helpers/store.ts';

onEveryStore('the commands of sessions', (on) => {
  it('list who is signed in, and end a session of a running server', async () => {
    const database = await on.database();
    const { dataDir, databaseUrl } = database;
    const env = { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
    const app = await startApp({ database });
    on.cleanUp(() => app.close());
    const { sessions, tenants } = app.accounts;
    await tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const kept = await sessions.begin('acme');
    const ann = { role: 'operator', actor: 'corp:ann', issuer: 'corp' } as const;
    const { id, token } = await sessions.begin(null, ann);
    const { stdout } = await switchyard(env, 'sessions', 'list');
    expect(stdout).toMatch(/SESSION +WHO +ROLE +BY +SINCE +LAST SEEN +ENDS/);
    expect(stdout).toMatch(new RegExp(`${id} +corp:ann +operator +corp +`));
    expect(stdout).toMatch(new RegExp(`${kept.id} +tenant:acme +member +link +`));
    expect(stdout).not.toContain(token);

    const statusOf = async () => {
      const headers = { cookie: `switchyard_admin=${token}` };
      return (await ask(`${app.url}/api/admin/tenants`, { key: null, headers })).status;
    };
    expect(await statusOf()).toBe(200);
    expect(await switchyard(env, 'sessions', 'end', id)).toMatchObject({
      code: 0,
      stdout: `The session ${id} is over.\n`,
    });
    expect(await statusOf()).toBe(401);
    const { json } = await switchyard(env, 'sessions', 'list', '--json');
    expect(json).toMatchObject([{ object: 'session', id: kept.id, tenant_id: 'acme', current: false }]);
    const again = await switchyard(env, 'sessions', 'end', id);
    expect([again.code, again.stderr]).toEqual([1, `error: There is no session "${id}".\n`]);
    expect((await app.accounts.audit()).items[0]).toMatchObject({ actor: 'cli', action: 'session.end' });
  });
});
