/** The operator's commands as processes of their own, on a database of their own or that of the accounts. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tokenUsage } from '../../src/model/usage.ts';
import { type CliEnvironment, switchyard } from '../helpers/cli.ts';
import { readCsv } from '../helpers/http.ts';
import { onEveryStore, onSqlite, type StoreTests } from '../helpers/store.ts';
import { admitted, askFor, success, testAccounts } from '../helpers/store-accounts.ts';
import type { Database } from '../helpers/test-database.ts';

function environmentOf({ dataDir, databaseUrl }: Database): CliEnvironment {
  return { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
}

async function commandsOn(on: StoreTests) {
  const database = await on.database();
  const env = environmentOf(database);
  return { database, env, run: (...args: string[]) => switchyard(env, ...args) };
}

/** What a command says that could not do what it was asked to: one line, and nothing else. */
function failure(message: string) {
  return { code: 1, stdout: '', stderr: `error: ${message}\n` };
}

const keyText = /^sw_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/;

onEveryStore('the commands', (on) => {
  it('tag keys, ask for tags, tell usage by them, and export it', async () => {
    const { run, database } = await commandsOn(on);
    await run('tenants', 'create', 'acme', '--plan', 'pro', '--required-tags', 'team');
    const made = await run(
      'keys',
      'create',
      '--tenant',
      'acme',
      '--tag',
      'team=search',
      '--tag',
      'costCenter=a b',
      '--json',
    );
    expect(made.json.tags).toEqual({ costCenter: 'a b', team: 'search' });
    const changed = await run('keys', 'set-tags', made.json.id, '--tag', 'team=ads', '--json');
    expect(changed.json.tags).toEqual({ team: 'ads' });
    expect((await run('keys', 'set-tags', made.json.id, '--tag', 'a b=c')).code).toBe(2);
    expect(
      (await run('tenants', 'set-required-tags', 'acme', 'team,env', '--json')).json.required_tags,
    ).toEqual(['team', 'env']);
    expect((await run('tenants', 'set-required-tags', 'acme', 'none', '--json')).json.required_tags).toEqual(
      [],
    );

    const accounts = await testAccounts(on, {}, database);
    const { limits } = (await accounts.keys.verify(made.json.key)) ?? { limits: null };
    if (limits === null) throw new Error('the key is not known');
    const ask = askFor(accounts, 'acme', limits);
    for (const team of ['ads', 'ads', 'search']) {
      await admitted(await ask({ tags: { team } })).settle(success);
    }
    const grouped = await run('usage', '--tenant', 'acme', '--by', 'tag:team', '--json');
    expect(
      grouped.json.groups.map((group: { values: string[]; requests: number }) => [
        group.values,
        group.requests,
      ]),
    ).toEqual([
      [['ads'], 2],
      [['search'], 1],
    ]);
    expect((await run('usage', '--by', 'tenant,provider')).stdout).toMatch(
      /TENANT +PROVIDER.*\nacme +openai +3 /s,
    );
    expect((await run('usage', '--by', 'colour')).stderr).toContain('Usage is grouped by');
    for (const format of ['csv', 'focus'] as const) {
      const { code, stdout } = await run('usage', 'export', '--format', format, '--tenant', 'acme');
      expect(code).toBe(0);
      expect(
        readCsv(stdout)
          .map((row) => row['Tags'] ?? row['tags'])
          .sort(),
      ).toEqual(['{"team":"ads"}', '{"team":"search"}']);
    }
    expect((await run('usage', 'export', '--from', '2020-01-01', '--to', '2020-01-02')).stdout).toMatch(
      /^day,.*\r\n$/,
    );
    expect((await run('usage', 'export', '--tenant', 'nobody')).code).toBe(1);
  });

  it('create a key for a tenant that they create, as a script asks for it', async () => {
    const { run, database } = await commandsOn(on);
    const options = ['--scopes', 'chat,ai', '--label', 'billing', '--expires', '2126-01-01', '--json'];
    const made = await run('keys', 'create', '--tenant', 'acme', '--plan', 'pro', ...options);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.json).toMatchObject({
      tenant_id: 'acme',
      scopes: ['chat', 'ai'],
      label: 'billing',
      status: 'active',
      expires_at: '2126-01-01T00:00:00.000Z',
      key: expect.stringMatching(keyText),
    });

    const accounts = await testAccounts(on, {}, database);
    const caller = await accounts.keys.verify(made.json.key);
    expect(caller).toMatchObject({ tenantId: 'acme', plan: 'pro', keyId: made.json.id });
    const audit = await accounts.store.db.selectFrom('audit').selectAll().orderBy('at').execute();
    const acts = audit.filter(({ actor }) => actor === 'cli').map(({ action }) => action);
    expect(acts.sort()).toEqual(['key.create', 'tenant.create']);
    expect(JSON.stringify(audit)).not.toContain(made.json.key);
  });

  it('leave a tenant on its plan when a key is asked for on another', async () => {
    const { run } = await commandsOn(on);
    await run('tenants', 'create', 'acme');
    const again = await run('keys', 'create', '--tenant', 'acme', '--plan', 'pro');
    expect(again).toMatchObject(
      failure(
        'The tenant acme is on the plan free, not pro; change it with tenants set-plan, or leave out --plan.',
      ),
    );
    expect((await run('tenants', 'list', '--json')).json).toMatchObject([{ id: 'acme', plan: 'free' }]);
    expect((await run('keys', 'list', '--json')).json).toEqual([]);
    expect((await run('keys', 'create', '--tenant', 'acme', '--plan', 'free')).code).toBe(0);
  });

  it('change tenants', async () => {
    const { run } = await commandsOn(on);
    const limits = ['--limit', 'requests_per_minute=5', '--limit', 'tokens_per_minute=unlimited'];
    const created = await run('tenants', 'create', 'acme', '--name', 'Acme Ltd', ...limits, '--json');
    const own = { requests_per_minute: 5, tokens_per_minute: null };
    expect(created.json).toMatchObject({ id: 'acme', name: 'Acme Ltd', plan: 'free', overrides: own });
    const moved = await run('tenants', 'set-plan', 'acme', 'enterprise', '--json');
    expect(moved.json).toMatchObject({ plan: 'enterprise', overrides: own });
    const limited = await run(
      'tenants',
      'set-plan',
      'acme',
      'pro',
      '--limit',
      'requests_per_day=9',
      '--json',
    );
    expect(limited.json).toMatchObject({ plan: 'pro', overrides: { requests_per_day: 9 } });
    const suspended = await run('tenants', 'suspend', 'acme', '--json');
    expect(Date.parse(suspended.json.suspended_at)).toBeCloseTo(Date.now(), -5);
    expect((await run('tenants', 'resume', 'acme', '--json')).json.suspended_at).toBeNull();
    expect((await run('tenants', 'set-idempotency', 'acme', 'off', '--json')).json.idempotency).toBe(false);
    expect((await run('tenants', 'set-idempotency', 'acme', 'on', '--json')).json.idempotency).toBe(true);
    expect(await run('tenants', 'suspend', 'nobody')).toMatchObject(failure('There is no tenant "nobody".'));
  });

  it('rotate and revoke keys, named by their id or by all of them, without ever showing a secret again', async () => {
    const { run } = await commandsOn(on);
    const first = (await run('keys', 'create', '--tenant', 'acme', '--plan', 'pro', '--json')).json;
    const second = (await run('keys', 'rotate', first.id, '--grace', '2h', '--json')).json;
    expect(second).toMatchObject({ rotated_from: first.id, key: expect.stringMatching(keyText) });
    const listed = await run('keys', 'list', '--tenant', 'acme', '--json');
    const replaced = listed.json.find(({ id }: { id: string }) => id === first.id);
    expect(replaced.status).toBe('replaced');
    expect(Date.parse(replaced.grace_until)).toBeCloseTo(Date.now() + 7_200_000, -5);

    const refused = await run('keys', 'rotate', first.key);
    expect(refused).toMatchObject(failure(`The key ${first.id} is replaced; only an active one is rotated.`));
    const revoked = await run('keys', 'revoke', second.key);
    expect(revoked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`${second.id}  acme    revoked`),
    });
    const wrong = await run('keys', 'revoke', second.key.replace(/^sw_live_..../, 'sw_live_0000'));
    expect(wrong.code).toBe(1);

    const shown = [listed, refused, revoked, wrong, await run('keys', 'list')];
    const secrets = [first, second].map(({ key }) => key.split('_')[3]);
    for (const secret of secrets) {
      for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(secret);
    }
  });

  it('show usage by tenant, and by day and model of one tenant, while it grows', async () => {
    const { run, database } = await commandsOn(on);
    const accounts = await testAccounts(on, {}, database);
    for (const id of ['acme', 'other']) await accounts.tenants.create({ id, plan: 'enterprise' }, 'test');
    for (const id of ['acme', 'acme', 'other']) {
      await admitted(await askFor(accounts, id, accounts.plans.enterprise)()).settle(success);
    }
    const all = (await run('usage', '--json')).json;
    expect(all.usage).toMatchObject([
      { tenant_id: 'acme', requests: 2, prompt_tokens: 200 },
      { tenant_id: 'other', requests: 1, prompt_tokens: 100 },
    ]);
    expect(all.total).toMatchObject({ requests: 3, completion_tokens: 60, unpriced: 0 });
    const today = new Date().toISOString().slice(0, 10);
    const one = (await run('usage', '--tenant', 'acme', '--from', today, '--to', today, '--json')).json;
    expect(one).toMatchObject({ tenant_id: 'acme', from: today, to: today, total: { requests: 2 } });
    expect(one.usage).toMatchObject([{ day: today, model: 'gpt-4o', requests: 2, cost_micro_usd: 800 }]);
    const { stdout } = await run('usage', '--tenant', 'acme');
    expect(stdout).toMatch(new RegExp(`^${today}  gpt-4o +2 +0 +0 +0 +200 +40 +80 +10 +0.000800 +0$`, 'm'));
    expect(stdout).toMatch(/PROMPT TOKENS +COMPLETION TOKENS +CACHE READ +REASONING +USD/);
    const tokens = tokenUsage({ inputUncached: 9, cacheWrite5m: 5, audioIn: 4 });
    await admitted(await askFor(accounts, 'other', accounts.plans.enterprise)()).settle({
      ...success,
      usage: { tokens, source: 'provider' },
    });
    const classes = await run('usage');
    expect(classes.stdout).toMatch(/CACHE READ +CACHE WRITE 5M +AUDIO IN +REASONING +USD/);
    const inJson = (await run('usage', '--tenant', 'other', '--json')).json;
    expect(inJson.total).toMatchObject({ cache_write_5m_tokens: 5, cache_write_1h_tokens: 0 });
    expect(inJson.total).toMatchObject({ audio_prompt_tokens: 4, cached_tokens: 40 });
    expect((await run('usage', '--from', '2020-01-01', '--to', '2020-01-31', '--json')).json.usage).toEqual(
      [],
    );
  });

  it('make a link that signs a tenant in once', async () => {
    const { database, env } = await commandsOn(on);
    const accounts = await testAccounts(on, {}, database);
    await accounts.tenants.create({ id: 'acme', plan: 'free' }, 'test');
    const publicUrl = { ...env, PUBLIC_URL: 'https://gateway.example' };
    const { json } = await switchyard(publicUrl, 'dashboard-link', 'acme', '--json');
    expect(json.url).toMatch(/^https:\/\/gateway\.example\/dashboard\/sign-in#/);
    const token = new URL(json.url).hash.slice(1);
    const session = await accounts.sessions.redeem(token);
    expect(await accounts.sessions.find(session?.token ?? '')).toMatchObject({ tenantId: 'acme' });
    expect(await accounts.sessions.redeem(token)).toBeNull();
  });

  it('list sign-ups, make a tenant of one and turn another down', async () => {
    const { run, database } = await commandsOn(on);
    const accounts = await testAccounts(on, {}, database);
    for (const name of ['Mill', 'Loom']) {
      const fields = { email: `${name}@example.com`, orgName: name, tier: 'pro' };
      await accounts.signups.request(fields, '192.0.2.1');
    }
    const listed = (await run('signups', 'list', '--json')).json as { id: string; org_name: string }[];
    const [mill, loom] = ['Mill', 'Loom'].map(
      (name) => listed.find(({ org_name }) => org_name === name)?.id ?? '',
    );
    const approved = await run('signups', 'approve', mill ?? '', '--give', 'key', '--json');
    expect(approved.json).toMatchObject({
      signup: { status: 'approved' },
      tenant: { id: 'mill', plan: 'pro' },
    });
    expect(await accounts.keys.verify(approved.json.key)).toMatchObject({ tenantId: 'mill' });
    expect(await run('signups', 'approve', mill ?? '')).toMatchObject(
      failure(`The sign-up ${mill} is approved already.`),
    );
    expect((await run('signups', 'reject', loom ?? '', '--json')).json).toMatchObject({ status: 'rejected' });
    expect((await run('signups', 'list')).stdout.trim().split('\n')).toHaveLength(1);
    expect((await run('signups', 'list', '--status', 'all')).stdout).toMatch(
      /rejected +pro .* loom@example\.com +Loom/,
    );
  });

  it('show lists of more than a page whole and in aligned columns', async () => {
    const { run, database } = await commandsOn(on);
    const accounts = await testAccounts(on, {}, database);
    const label = 'control \u001b[31m characters';
    await accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    for (let n = 0; n < 201; n += 1) await accounts.storedKeys.create({ tenantId: 'acme', label }, 'test');
    const { stdout } = await run('keys', 'list', '--tenant', 'acme');
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(201);
    const column = head.indexOf('LABEL');
    expect(new Set(rows.map((row) => row.slice(column)))).toEqual(new Set(['control ?[31m characters']));
  });
});

onSqlite('the commands', (on) => {
  it('copy the database to a new file', async () => {
    const { run, database } = await commandsOn(on);
    await run('tenants', 'create', 'acme');
    const file = path.join(database.dataDir, 'copy.db');
    expect(await run('backup', file)).toMatchObject({ code: 0, stderr: '' });
    const copy = new DatabaseSync(file, { readOnly: true });
    expect(copy.prepare('select id from tenants').all()).toMatchObject([{ id: 'acme' }]);
    copy.close();
    expect(await run('backup', file)).toMatchObject(
      failure(`${file} exists already; name a file that does not.`),
    );
  });

  it.each([
    ['tenants', 'list'],
    ['keys', 'list'],
    ['usage'],
    ['backup', 'copy.db'],
    ['dashboard-link', 'acme'],
  ])('refuse to make a database: %s %s', async (...args) => {
    const { dataDir } = await on.database();
    const wrong = path.join(dataDir, 'wrong');
    const result = await switchyard({ DATA_DIR: wrong }, ...args);
    expect(result.stderr).toMatch(/^error: There is no database at .*wrong.*; set DATA_DIR .*\n$/);
    expect(result.code).toBe(1);
    expect(existsSync(wrong)).toBe(false);
  });
});

describe('the command line', () => {
  it.each([
    [['frob'], "unknown command 'frob'"],
    [['keys', 'create'], "required option '--tenant <tenant>' not specified"],
    [['keys', 'create', '--tenant', 'a', '--frob'], "unknown option '--frob'"],
    [
      ['keys', 'create', '--tenant', 'a', '--scopes', 'chat,root'],
      'Expected one or more of chat, media, files, agents, ai, factory',
    ],
    [['keys', 'create', '--tenant', 'a', '--expires', '2126-02-31'], 'Expected a day'],
    [['keys', 'create', '--tenant', 'a', '--expires', '2020-01-01'], 'Expected a time in the future'],
    [['keys', 'rotate', 'k', '--grace', '1y'], 'Expected a duration'],
    [['keys', 'rotate', 'k', 'l'], 'too many arguments'],
    [['tenants', 'set-plan', 'a', 'gold'], 'Allowed choices are free, pro, enterprise'],
    [['tenants', 'create', 'a', '--limit', 'frobs=1'], 'with a name out of requests_per_minute'],
    [['usage', '--from', '2026-02-30'], 'Expected a day that exists'],
    [['backup'], "missing required argument 'file'"],
  ])('%j is wrong', async (args, message) => {
    const result = await switchyard({ DATA_DIR: '/nonexistent' }, ...args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr).toContain(message);
  });

  it.each([[['--help']], [['keys', 'create', '--help']], [['help', 'tenants']]])(
    '%j explains',
    async (args) => {
      const result = await switchyard({}, ...args);
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(result.stdout).toMatch(/^Usage: switchyard /);
    },
  );

  it('reports a wrong setting in one line', async () => {
    expect(await switchyard({ PORT: 'x' }, 'tenants', 'list')).toMatchObject(
      failure('PORT is "x"; expected a whole number from 0 to 65535.'),
    );
  });

  it('does not show what a wrong database address holds', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-cli-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const env = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/none' };
    const result = await switchyard(env, 'tenants', 'list');
    expect(result.code).toBe(1);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
    expect(result.stderr).toContain('cannot be reached');
    expect(result.stderr).not.toContain('hidden-word');
  });
});
