/** `switchyard doctor` as a process of its own, on installations that are well and on ones that are not. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliEnvironment, switchyard } from '../helpers/cli.ts';
import { root } from '../helpers/contract.ts';
import { onRedis } from '../helpers/redis.ts';
import { onEveryStore } from '../helpers/store.ts';
import { canaryKey, vendorFor } from '../helpers/vendor-gateway.ts';

interface Check {
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly advice: string | null;
}

async function doctor(env: CliEnvironment) {
  const { code, stdout, stderr, json } = await switchyard(env, 'doctor', '--json');
  const checks = json.checks as readonly Check[];
  const of = (name: string) => checks.find((check) => check.name === name);
  return { code, shown: stdout + stderr, sound: json.sound as boolean, checks, of };
}

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'switchyard-doctor-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

describe('doctor', () => {
  it('finds a new installation well, and makes nothing', async () => {
    const parent = await folder();
    const dataDir = path.join(parent, 'data');
    const { code, stdout, stderr } = await switchyard({ DATA_DIR: dataDir, PORT: '0' }, 'doctor');
    expect([code, stderr]).toEqual([0, '']);
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^(ok|warn) +\S.* {2}\S/);
    expect(stdout).toMatch(/^ok +database +There is none yet; the first start makes it\.$/m);
    expect(stdout).toMatch(/^warn +providers +None is configured/m);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('tells of settings that are wrong', async () => {
    const { code, sound, of } = await doctor({ PORT: 'x', DATABASE_URL: canaryKey });
    expect([code, sound]).toEqual([1, false]);
    expect(of('settings')).toMatchObject({ state: 'fail', message: expect.stringContaining('PORT is "x"') });
    expect(of('database')).toBeUndefined();
    expect(of('node')?.state).toBe('ok');
  });

  it('tells of a database, a Redis and a provider that are not there, without a secret', async () => {
    const vendor = await vendorFor(({ json }) => json({ error: { message: `bad key ${canaryKey}` } }, 401));
    const { code, of, shown } = await doctor({
      DATA_DIR: await folder(),
      DATABASE_URL: `postgres://user:${canaryKey}@127.0.0.1:9/database`,
      REDIS_URL: `redis://:${canaryKey}@127.0.0.1:9`,
      OPENAI_API_KEY: canaryKey,
      OPENAI_BASE_URL: vendor.baseUrl,
      KEY_SECRET: `${canaryKey}-${'x'.repeat(32)}`,
      ADMIN_PASSWORD: 'change-me-please',
      PORT: '0',
    });
    expect(code).toBe(1);
    expect(of('database')?.state).toBe('fail');
    expect(of('redis')).toMatchObject({ state: 'fail', advice: expect.stringContaining('REDIS_URL') });
    expect(of('provider openai')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('refuses the key'),
    });
    expect(of('admin password')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('guessed'),
    });
    expect(of('key secret')?.state).toBe('ok');
    expect(shown).not.toContain(canaryKey);
    expect(shown).not.toContain('change-me');
  });

  it('tells of a directory, a port and an address that cannot be used', async () => {
    const parent = await folder();
    const file = path.join(parent, 'file');
    await writeFile(file, '');
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const address = taken.address() as { port: number };
    const { code, of } = await doctor({
      DATA_DIR: file,
      PORT: String(address.port),
      PUBLIC_URL: 'http://switchyard.example.com',
    });
    expect(code).toBe(1);
    expect(of('data directory')?.state).toBe('fail');
    expect(of('port')).toMatchObject({ state: 'warn', message: `127.0.0.1:${address.port} is taken.` });
    expect(of('public address')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('not encrypted'),
    });
  });

  it('tells of a public address that does not speak TLS', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void plain.close());
    const { port } = plain.address() as { port: number };
    const { of } = await doctor({
      DATA_DIR: await folder(),
      PORT: '0',
      PUBLIC_URL: `https://127.0.0.1:${port}`,
    });
    expect(of('TLS')).toMatchObject({ state: 'warn', message: expect.stringContaining('127.0.0.1') });
  });

  it('tells of a certificate that clients refuse', async () => {
    const fixture = (name: string) => readFile(path.join(root, 'test/fixtures/tls', name));
    const server = createTlsServer({
      key: await fixture('self-signed.key'),
      cert: await fixture('self-signed.crt'),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { code, of } = await doctor({
      DATA_DIR: await folder(),
      PORT: '0',
      PUBLIC_URL: `https://127.0.0.1:${port}`,
    });
    expect(code).toBe(1);
    expect(of('TLS')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('refuse the certificate'),
    });
  });

  it('leaves no file in a data directory', async () => {
    const dataDir = path.join(await folder(), 'data');
    await mkdir(dataDir);
    expect((await doctor({ DATA_DIR: dataDir, PORT: '0' })).of('data directory')?.state).toBe('ok');
    expect(await readdir(dataDir)).toEqual([]);
  });
});

onEveryStore('doctor', (on) => {
  it('finds a database that is up to date, and counts who uses it', async () => {
    const { dataDir, databaseUrl } = await on.database();
    const env = { DATA_DIR: dataDir, PORT: '0', ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
    expect((await switchyard(env, 'tenants', 'create', 'acme', '--plan', 'pro')).code).toBe(0);
    const { code, of, shown, checks } = await doctor(env);
    expect(checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(code).toBe(0);
    expect(of('database')).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(
        /^(SQLite|PostgreSQL) \d+\.\d+.*; 0 servers use it now, and its schema is up to date\.$/,
      ),
    });
    if (databaseUrl === null) return;
    expect(of('clock')).toMatchObject({ state: 'ok' });
    expect(of('key secret')?.state).toBe('warn');
    expect(shown).not.toContain(databaseUrl);
  });
});

onRedis('doctor', (server) => {
  it('finds it, and tells when it may forget what counts', async () => {
    const env = { DATA_DIR: await folder(), PORT: '0', REDIS_URL: server().url };
    expect((await doctor(env)).of('redis')).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^(Redis|Valkey) \d+\.\d+/),
    });
    await server().command('CONFIG SET maxmemory-policy allkeys-lru');
    const { code, of } = await doctor(env);
    expect(code).toBe(1);
    expect(of('redis')).toMatchObject({ state: 'fail', message: expect.stringContaining('noeviction') });
  });
});
