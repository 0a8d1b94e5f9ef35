/**
 * The key that the first start makes. `keys.json` keeps its HMAC, `key-secret` what the HMAC is keyed with: whoever
 * gets only one of the files, from a backup for example, cannot try keys against it.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../lib/config-error.ts';
import { createFile, isFileError } from '../lib/create-file.ts';
import { digestOf, type StoredKey } from './configured-keys.ts';
import { generateKey } from './key-format.ts';

const keyFile = 'keys.json';
const secretFile = 'key-secret';

export interface StoredKeys {
  readonly hmacSecret: Buffer;
  readonly keys: readonly StoredKey[];
}

/** The keys kept in the directory; null when there are none. Throws a `ConfigError` when the files are unusable. */
export async function loadKeys(directory: string): Promise<StoredKeys | null> {
  const text = await readIfThere(join(directory, keyFile));
  if (text === null) return null;
  const keys = parseKeys(text);
  if (keys === null) {
    throw unusable(directory, keyFile, 'is damaged', 'restore it, or delete it and a new key will be made');
  }
  const hmacSecret = await loadSecret(directory);
  if (hmacSecret === null) {
    const remedy = `restore it, or delete ${join(directory, keyFile)} and a new key will be made`;
    throw unusable(directory, secretFile, 'is missing', remedy);
  }
  return { hmacSecret, keys };
}

/**
 * Makes the first key of the directory and gives it in clear, this once. Null when another process was quicker: the
 * directory then holds that one's key. Throws a `ConfigError` when the files cannot be written.
 */
export async function makeFirstKey(directory: string): Promise<string | null> {
  const hmacSecret = await openSecret(directory);
  const { id, text } = generateKey();
  const keys = [
    { id, hmac: digestOf(text, hmacSecret).toString('hex'), created_at: new Date().toISOString() },
  ];
  const made = await create(directory, keyFile, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`);
  return made ? text : null;
}

/** The secret that is there, be it from a process that starts at the same moment, or else a new one. */
async function openSecret(directory: string): Promise<Buffer> {
  const fresh = randomBytes(32);
  if (await create(directory, secretFile, `${fresh.toString('hex')}\n`)) return fresh;
  return (await loadSecret(directory)) ?? fresh;
}

async function loadSecret(directory: string): Promise<Buffer | null> {
  const text = await readIfThere(join(directory, secretFile));
  if (text === null) return null;
  if (!/^[0-9a-f]{64}\n?$/.test(text)) {
    const remedy = `restore it, or delete it with ${join(directory, keyFile)} and a new key will be made`;
    throw unusable(directory, secretFile, 'is damaged', remedy);
  }
  return Buffer.from(text.trim(), 'hex');
}

function parseKeys(text: string): readonly StoredKey[] | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return null;
  }
  const { version, keys } = fieldsOf(content);
  if (version !== 1 || !Array.isArray(keys)) return null;
  const stored: StoredKey[] = [];
  for (const key of keys) {
    const { id, hmac } = fieldsOf(key);
    if (typeof id !== 'string' || !/^[0-9A-Za-z]{12}$/.test(id)) return null;
    if (typeof hmac !== 'string' || !/^[0-9a-f]{64}$/.test(hmac)) return null;
    stored.push({ id, digest: Buffer.from(hmac, 'hex') });
  }
  return stored;
}

function fieldsOf(value: unknown): { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return null;
    if (isFileError(error)) throw failed(path, 'cannot be read', error);
    throw error;
  }
}

async function create(directory: string, name: string, text: string): Promise<boolean> {
  const path = join(directory, name);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await createFile(path, text);
  } catch (error) {
    if (isFileError(error)) throw failed(path, 'cannot be written', error);
    throw error;
  }
}

function unusable(directory: string, name: string, wrong: string, remedy: string): ConfigError {
  return new ConfigError([`${join(directory, name)} ${wrong}; ${remedy}.`]);
}

function failed(path: string, what: string, error: NodeJS.ErrnoException): ConfigError {
  const remedy = 'give the server the rights to it, set DATA_DIR to another directory, or set API_KEYS';
  return new ConfigError([`${path} ${what} (${error.code}); ${remedy}.`], { cause: error });
}
