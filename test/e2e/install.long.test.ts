/** What an install leaves out that ran no scripts, or brought no development packages: the server says what to run. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneOfCheckout } from '../helpers/checkout.ts';
import { ask } from '../helpers/http.ts';
import { compileCache } from '../helpers/server-process.ts';

let copy: string;
beforeAll(() => {
  copy = cloneOfCheckout('openapi-to-postmanv2');
});
afterAll(() => rmSync(copy, { recursive: true }));

const environment = () => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: compileCache,
  PORT: '0',
  API_KEYS: 'install-test-key-0123456789',
  DRAIN_DELAY_MS: '0',
  DATA_DIR: path.join(copy, 'data'),
});
const run = (file: string, env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [path.join(copy, file)], {
    cwd: copy,
    env: { ...environment(), ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });

/** Starts the server of the copy, and ends it after the use. */
async function withServer(use: (url: string) => Promise<void>): Promise<void> {
  const server = spawn(process.execPath, [path.join(copy, 'src/server/server.ts')], {
    cwd: copy,
    env: environment(),
  });
  const exited = new Promise((fulfil) => server.once('exit', fulfil));
  try {
    let output = '';
    const url = await new Promise<string>((fulfil, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk;
        const address = /Switchyard listens on (\S+)/.exec(output)?.[1];
        if (address) fulfil(address);
      };
      server.stdout.on('data', read);
      server.stderr.on('data', read);
      server.once('exit', () => reject(new Error(output)));
    });
    await use(url);
  } finally {
    server.kill('SIGTERM');
    await exited;
  }
}

describe('a server whose install made nothing of the contract', () => {
  it.each(['production', 'development'])('ends with what to run, in %s', (NODE_ENV) => {
    const { status, stderr } = run('src/server/server.ts', { NODE_ENV });
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('Run "npm run prepare"')]);
    expect(status).toBe(1);
  });

  it('ends with the same where it was made of another contract', () => {
    mkdirSync(path.join(copy, 'build'), { recursive: true });
    writeFileSync(path.join(copy, 'build/contract.digest'), 'another');
    const { status, stderr } = run('src/server/server.ts');
    expect([status, stderr]).toEqual([1, expect.stringContaining('made of another contract')]);
  });

  it('runs once it is made, which takes no development packages', async () => {
    expect(run('scripts/build.ts')).toMatchObject({ status: 0, stderr: '' });
    await withServer(async (url) => {
      const key = 'install-test-key-0123456789';
      const wrong = await ask(`${url}/v1/chat`, { key, body: { message: 1, maxTokens: 'x' } });
      expect(wrong.json.error.details.length).toBe(2);
      const input = await ask(`${url}/v1/ai/summarize`, { key, body: { input: { text: '' } } });
      expect([input.status, input.json.error.param]).toEqual([400, 'input.text']);
      expect((await ask(`${url}/api/factory/manifest`, { key: null })).status).toBe(200);
      const collection = await ask(`${url}/api/factory/postman`, { key: null });
      expect([collection.status, collection.json.error]).toEqual([
        500,
        expect.objectContaining({ retryable: false, message: expect.stringContaining('run "npm install"') }),
      ]);
    });
  });
});
