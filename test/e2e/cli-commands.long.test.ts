import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { serveProcess, switchyard } from '../helpers/cli.ts';
import { ask } from '../helpers/http.ts';
import { onEveryStore, type StoreTests } from '../helpers/store.ts';

/** The commands of budgets and webhooks, beside a running server that holds to them. */
describe('budgets', () => {
  async function commandsOn(on: StoreTests) {
    const { dataDir, databaseUrl } = await on.database();
    const env = { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
    return { env, run: (...args: string[]) => switchyard(env, ...args) };
  }

  onEveryStore('the commands of budgets and webhooks', (on) => {
    it('make a budget that a server holds to, change it and delete it', async () => {
      const { env, run } = await commandsOn(on);
      const server = await serveProcess({ ...env, ADMIN_PASSWORD: 'a password of tests' });
      on.cleanUp(() => server.child.kill('SIGKILL'));
      const { key } = (await run('keys', 'create', '--tenant', 'acme', '--plan', 'pro', '--json')).json;
      let answered = 0;
      const statusOf = async () => {
        const { status } = await ask(`${server.url}/v1/chat`, { key, body: { message: 'Hello!' } });
        if (status === 200) answered += 1;
        return status;
      };
      // A database that is too busy to answer in time gives 503, and the client tries again.
      await expect.poll(statusOf).toBe(200);

      const kept = ['--tenant', 'acme', '--unit', 'requests', '--window', 'day'];
      const made = await run('budgets', 'create', ...kept, '--limit', '1', '--alerts', '100', '--json');
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(made.json).toMatchObject({
        tenant_id: 'acme',
        scope: {},
        unit: 'requests',
        window: 'day',
        limit: 1,
        kind: 'hard',
        alerts_at: [100],
        state: { used: 1, remaining: 0, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) },
      });
      await expect.poll(statusOf).toBe(429);
      await run('budgets', 'change', made.json.id, '--kind', 'soft', '--label', 'Told only');
      await expect.poll(statusOf).toBe(200);

      const dollars = ['--tenant', 'acme', '--unit', 'money', '--window', 'month', '--limit', '12.50'];
      const scope = ['--tag', 'team=search', '--model', 'gpt-4o'];
      const money = await run('budgets', 'create', ...dollars, ...scope, '--json');
      expect(money.json).toMatchObject({
        limit: 12.5,
        scope: { tag: { name: 'team', value: 'search' }, model: 'gpt-4o' },
        alerts_at: [50, 80, 100],
      });
      const raised = await run(
        'budgets',
        'change',
        money.json.id,
        '--limit',
        '20',
        '--alerts',
        'none',
        '--json',
      );
      expect(raised.json).toMatchObject({ limit: 20, alerts_at: [], label: '' });
      const { stdout } = await run('budgets', 'list', '--tenant', 'acme');
      expect(stdout).toMatch(
        /BUDGET +TENANT +REQUESTS OF +KIND +UNIT +WINDOW +LIMIT +USED +ALERTS AT % +LABEL/,
      );
      expect(stdout).toMatch(
        new RegExp(`bgt_\\w+ +acme +all +soft +requests +day +1 +${answered} +100 +Told only\n`),
      );
      expect(stdout).toMatch(/bgt_\w+ +acme +team=search, model gpt-4o +hard +money +month +20 +0 +- +-\n/);

      expect((await run('budgets', 'delete', made.json.id)).stdout).toBe(
        `The budget ${made.json.id} is deleted.\n`,
      );
      expect((await run('budgets', 'list', '--json')).json).toMatchObject([{ id: money.json.id }]);
      expect(await run('budgets', 'delete', made.json.id)).toMatchObject({
        code: 1,
        stderr: `error: There is no budget "${made.json.id}".\n`,
      });
      expect((await run('budgets', 'list', '--tenant', 'nobody')).code).toBe(1);
      expect(await server.stop()).toBe(0);
    });

    it('make a webhook, whose secret is shown once and signs what a server delivers', async () => {
      const { env, run } = await commandsOn(on);
      await run('tenants', 'create', 'acme');
      const got: { headers: IncomingHttpHeaders; body: string }[] = [];
      const receiver = createServer(async (request, response) => {
        got.push({ headers: request.headers, body: await text(request) });
        response.writeHead(204).end();
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      on.cleanUp(() => {
        receiver.closeAllConnections();
        receiver.close();
      });
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

      const made = await run('webhooks', 'create', url, '--tenant', 'acme', '--label', 'Finance', '--json');
      expect(made.json).toMatchObject({
        tenant_id: 'acme',
        url,
        label: 'Finance',
        events: ['budget.threshold_reached', 'budget.exceeded'],
        secret: expect.stringMatching(/^whsec_/),
      });
      const { id } = made.json;
      const rotated = (await run('webhooks', 'rotate', id, '--json')).json;
      expect(rotated.secret).toMatch(/^whsec_/);
      expect(rotated.secret).not.toBe(made.json.secret);
      const tested = (await run('webhooks', 'test', id, '--json')).json;
      expect(tested).toMatchObject({ webhook_id: id, type: 'webhook.test', state: 'waiting', attempts: [] });

      const server = await serveProcess({ ...env, ADMIN_PASSWORD: 'a password of tests' });
      on.cleanUp(() => server.child.kill('SIGKILL'));
      await expect.poll(() => got.length).toBe(1);
      const signed = got[0]?.headers as Record<string, string>;
      for (const { secret } of [made.json, rotated]) {
        expect(new Verifier(secret).verify(got[0]?.body ?? '', signed)).toMatchObject({
          type: 'webhook.test',
          data: { webhook_id: id },
        });
      }
      const delivered = () => run('webhooks', 'deliveries', id);
      await expect
        .poll(async () => (await delivered()).stdout)
        .toMatch(/whd_\w+ +webhook\.test +delivered +\S+ \S+ +1 +204 +-\n/);
      expect((await run('webhooks', 'redeliver', tested.id, '--json')).json).toMatchObject({ id: tested.id });
      await expect.poll(() => got.length).toBe(2);

      const changed = await run(
        'webhooks',
        'change',
        id,
        '--events',
        'budget.exceeded',
        '--disable',
        '--json',
      );
      expect(changed.json).toMatchObject({ events: ['budget.exceeded'], label: 'Finance' });
      expect(Date.parse(changed.json.disabled_at)).toBeCloseTo(Date.now(), -5);
      expect((await run('webhooks', 'list', '--tenant', 'acme')).stdout).toMatch(
        /whk_\w+ +acme +disabled since \S+ \S+ +budget\.exceeded +http:\S+ +Finance\n/,
      );
      expect((await run('webhooks', 'change', id, '--enable', '--json')).json.disabled_at).toBeNull();
      const shown = [await run('webhooks', 'list', '--json'), await delivered(), changed];
      for (const { stdout } of shown) expect(stdout).not.toContain('whsec_');

      expect((await run('webhooks', 'delete', id)).code).toBe(0);
      expect((await run('webhooks', 'list', '--json')).json).toEqual([]);
      expect(await run('webhooks', 'test', id)).toMatchObject({
        code: 1,
        stderr: `error: There is no webhook "${id}".\n`,
      });
      expect(await server.stop()).toBe(0);
    });
  });

  const budget = ['budgets', 'create', '--tenant', 'a', '--unit', 'money', '--window', 'day'];

  it.each([
    [[...budget], "required option '--limit <amount>' not specified"],
    [[...budget, '--limit', '1.2345678'], 'Expected a number from 0 to 9007199254'],
    [[...budget, '--limit', '9007199255'], 'Expected a number from 0 to 9007199254'],
    [[...budget, '--limit', '1', '--alerts', '50,50'], 'Expected at most 10 different whole numbers'],
    [[...budget, '--limit', '1', '--alerts', '0'], 'Expected at most 10 different whole numbers'],
    [[...budget, '--limit', '1', '--kind', 'firm'], 'Allowed choices are hard, soft'],
    [[...budget, '--limit', '1', '--tag', 'a=b', '--tag', 'c=d'], 'given more than once'],
    [['budgets', 'change', 'bgt_1'], 'give at least one of --limit, --kind, --alerts, --label'],
    [['webhooks', 'create'], "missing required argument 'url'"],
    [['webhooks', 'create', 'https://example.org', '--events', 'all'], 'Expected one or more of budget.'],
    [['webhooks', 'change', 'whk_1'], 'give at least one of --url'],
    [['webhooks', 'change', 'whk_1', '--enable', '--disable'], 'cannot be used with option'],
  ])('%j is wrong', async (args, message) => {
    const result = await switchyard({ DATA_DIR: '/nonexistent' }, ...args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr).toContain(message);
  });
});

/** The commands beside a running server, on the same database: what they change holds there at once. */
describe('the server', () => {
  onEveryStore('beside a server that `serve` runs', (on) => {
    it('a key is good at once, and is refused once a command has ended it, suspended its tenant or lowered its limit', async () => {
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
      const isRefused = (key: string) => expect.poll(() => statusOf(key)).toBe(401);

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
      await isRefused(key);
      expect(await statusOf(next.key)).toBe(200);

      await run('tenants', 'suspend', 'acme');
      await isRefused(next.key);
      await run('tenants', 'resume', 'acme');
      await expect.poll(() => statusOf(next.key)).toBe(200);

      await run('tenants', 'set-plan', 'acme', 'pro', '--limit', 'requests_per_minute=1');
      await expect.poll(() => statusOf(next.key)).toBe(429);

      await run('keys', 'revoke', next.id);
      await isRefused(next.key);

      const usage = (await run('usage', '--tenant', 'acme', '--json')).json;
      expect(usage.total).toMatchObject({ requests: answered, succeeded: answered });
      if (on.dialect === 'sqlite') expect((await run('backup', `${dataDir}/copy.db`)).code).toBe(0);
      expect(await server.stop()).toBe(0);
      expect(server.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
      expect(server.lines.join('\n')).not.toContain(key.split('_')[3]);
    });
  });
});

/** The commands of sessions, beside a running server with sessions. */
describe('sessions', () => {
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
});
