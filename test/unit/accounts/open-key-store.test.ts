import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateKey } from '../../../src/accounts/key-format.ts';
import { type OpenKeyStore, openKeyStore } from '../../../src/accounts/open-key-store.ts';
import { ConfigError } from '../../../src/lib/config-error.ts';
import { Secret } from '../../../src/lib/secret.ts';

const configured = 'a-configured-key';
let root: string;
let dataDir: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'switchyard-keys-'));
  dataDir = join(root, 'state', 'data');
});

afterEach(() => rm(root, { recursive: true, force: true }));

function open(...keys: readonly string[]): Promise<OpenKeyStore> {
  return openKeyStore({ apiKeys: keys.map((key) => new Secret(key)), dataDir });
}

async function firstKey(): Promise<string> {
  return (await open()).firstKey ?? '';
}

describe('the first start', () => {
  it('makes a key that is good, and gives it once', async () => {
    const first = await open();
    const key = first.firstKey ?? '';
    expect(key).toMatch(/^sw_live_/);
    const principal = await first.store.verify(key);
    expect(principal?.keyId).toBe(key.split('_')[2]);

    const later = await open();
    expect(later.firstKey).toBeNull();
    expect(await later.store.verify(key)).toEqual(principal);
  });

  it('keeps no secret of the key, in files that only the owner can read', async () => {
    const key = await firstKey();
    expect((await readdir(dataDir)).sort()).toEqual(['key-secret', 'keys.json']);
    for (const name of await readdir(dataDir)) {
      const path = join(dataDir, name);
      expect(await readFile(path, 'utf8')).not.toContain(key.split('_')[3]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  it('takes over from one that broke off between the two files', async () => {
    await firstKey();
    const secret = await readFile(join(dataDir, 'key-secret'), 'utf8');
    await rm(join(dataDir, 'keys.json'));
    const { store, firstKey: key } = await open();
    expect(await store.verify(key ?? '')).not.toBeNull();
    expect(await readFile(join(dataDir, 'key-secret'), 'utf8')).toBe(secret);
  });

  it('makes one key when several happen at once', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => open()));
    const keys = opened.map(({ firstKey }) => firstKey).filter((key) => key !== null);
    expect(keys).toHaveLength(1);
    for (const { store } of opened) expect(await store.verify(keys[0] ?? '')).not.toBeNull();
    expect(await readdir(dataDir)).toHaveLength(2);
  });

  it('makes one key when several processes do it at once', async () => {
    const module = new URL('../../../src/accounts/open-key-store.ts', import.meta.url).href;
    const script = `import { openKeyStore } from ${JSON.stringify(module)};
      const { firstKey } = await openKeyStore({ apiKeys: [], dataDir: ${JSON.stringify(dataDir)} });
      console.log(firstKey ?? '');`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    const outputs = await Promise.all([run(), run(), run()]);
    const keys = outputs.map(({ stdout }) => stdout.trim()).filter((key) => key !== '');
    expect(keys).toHaveLength(1);
    expect(await (await open()).store.verify(keys[0] ?? '')).not.toBeNull();
  });
});

describe('configured keys', () => {
  it('make a first key unnecessary and leave the disk alone', async () => {
    const { store, firstKey } = await open(configured);
    expect(firstKey).toBeNull();
    expect(await store.verify(configured)).not.toBeNull();
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });

  it('stand beside the first key', async () => {
    const key = await firstKey();
    const { store } = await open(configured);
    expect(await store.verify(key)).not.toBeNull();
    expect(await store.verify(configured)).not.toBeNull();
  });

  it('may be generated ones, but not mistyped', async () => {
    const { text } = generateKey();
    expect(await (await open(text)).store.verify(text)).not.toBeNull();
    const error = await open(configured, text.slice(0, -1)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain('API_KEYS: key 2 of 2 begins like a key of ours, but is mistyped');
    expect(String(error)).not.toContain(text.slice(8, 30));
  });
});

describe('unusable files', () => {
  const goodKeys = JSON.stringify({ version: 1, keys: [{ id: 'a'.repeat(12), hmac: '0'.repeat(64) }] });
  const goodSecret = '0'.repeat(64);

  it.each([
    ['empty', '', goodSecret, 'keys.json is damaged'],
    ['no JSON', '{', goodSecret, 'keys.json is damaged'],
    ['null', 'null', goodSecret, 'keys.json is damaged'],
    ['another version', '{"version": 2, "keys": []}', goodSecret, 'keys.json is damaged'],
    ['no list', '{"version": 1, "keys": {}}', goodSecret, 'keys.json is damaged'],
    ['a bad entry', '{"version": 1, "keys": [null]}', goodSecret, 'keys.json is damaged'],
    ['a short digest', goodKeys.replace('00', '0'), goodSecret, 'keys.json is damaged'],
    ['a bad id', goodKeys.replace('aa', 'a'), goodSecret, 'keys.json is damaged'],
    ['no secret', goodKeys, null, 'key-secret is missing'],
    ['an empty secret', goodKeys, '', 'key-secret is damaged'],
    ['half a secret', goodKeys, '0'.repeat(63), 'key-secret is damaged'],
    ['an empty secret and no keys', null, '', 'key-secret is damaged'],
  ])('stop the start: %s', async (_case, keys, secret, expected) => {
    await mkdir(dataDir, { recursive: true });
    if (keys !== null) await writeFile(join(dataDir, 'keys.json'), keys);
    if (secret !== null) await writeFile(join(dataDir, 'key-secret'), secret);
    const error = await open().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(join(dataDir, expected));
    expect(String(error)).toMatch(/restore it, or delete .* and a new key will be made\.$/);
  });

  it('stop the start when a file stands where the directory should', async () => {
    await writeFile(join(root, 'state'), '');
    await expect(open()).rejects.toThrow(/keys\.json cannot be read \(ENOTDIR\); give the server the rights/);
  });

  it('stop the start when the keys cannot be read', async () => {
    await mkdir(join(dataDir, 'keys.json'), { recursive: true });
    await expect(open()).rejects.toThrow(/keys\.json cannot be read \(EISDIR\)/);
  });

  it('stop the start when the directory cannot be made', async () => {
    await mkdir(join(root, 'state'));
    await symlink(join(root, 'nowhere', 'at', 'all'), dataDir);
    await expect(open()).rejects.toThrow(
      /key-secret cannot be written \(E[A-Z]+\); give the server the rights/,
    );
  });

  it.skipIf(process.getuid?.() === 0)('stop the start when the directory cannot be written', async () => {
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, 0o500);
    await expect(open()).rejects.toThrow(/key-secret cannot be written \(EACCES\)/);
  });
});
