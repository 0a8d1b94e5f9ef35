/** Each example, run as its README prints it, against a server that is started as a user starts one. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../helpers/contract.ts';
import { type Block, blocksIn, differences, expectLines, readMarkdown } from '../helpers/guides.ts';
import { onPostgres } from '../helpers/store.ts';
import { freePort } from '../lib/server.ts';

const run = promisify(execFile);
const key = 'key-of-the-examples-0123456789';

const names = (await readdir(path.join(root, 'examples'), { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** A copy of an example inside of the project, with ports that are free in place of those that its files name. */
async function copyOf(name: string): Promise<{ folder: string; ports: ReadonlyMap<string, number> }> {
  await mkdir(path.join(root, 'build'), { recursive: true });
  const folder = await mkdtemp(path.join(root, 'build/example-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 3 }));
  await cp(path.join(root, 'examples', name), folder, { recursive: true });
  const ports = new Map<string, number>();
  for (const port of ['8080', '8091', '8092', '8093', '8971']) ports.set(port, await freePort());
  for (const file of await readdir(folder)) {
    const text = await readFile(path.join(folder, file), 'utf8');
    await writeFile(path.join(folder, file), withPorts(text, ports));
  }
  return { folder, ports };
}

function withPorts(text: string, ports: ReadonlyMap<string, number>): string {
  return text.replaceAll(/\b(?:8080|809[123]|8971)\b/g, (port) => String(ports.get(port)));
}

/** Starts lines that run on until the test is over; resolves once they have said that often that they listen. */
async function start(script: string, cwd: string, env: NodeJS.ProcessEnv, servers: number): Promise<void> {
  const child = spawn('bash', ['-euc', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await exited;
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.split(' listens on ').length > servers) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then(() => reject(new Error(`it ended:\n${output}`)), reject);
  });
}

/** Runs the blocks of a README in their order, and holds what it shows of their output against it. */
async function runAll(blocks: readonly Block[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const outputs = new Map<Block, string>();
  for (const block of blocks.filter(({ lang, notRun }) => lang === 'bash' && notRun === null)) {
    if (block.runsOn) {
      await start(block.text, cwd, env, block.text.includes('start.sh') ? 3 : 1);
      continue;
    }
    const options = { cwd, env, maxBuffer: 1 << 26, timeout: 240_000 };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', block.text], options);
    outputs.set(block, stdout);
  }
  for (const { lang, text, follows, line } of blocks.filter(
    ({ lang }) => lang === 'json' || lang === 'text',
  )) {
    const output = follows && outputs.get(follows);
    if (typeof output !== 'string') throw new Error(`line ${line} follows no command that is run`);
    if (lang === 'text') expectLines(text, output, `line ${line}`);
    else expect(differences(JSON.parse(text), JSON.parse(output), ''), `line ${line}`).toEqual([]);
  }
}

it('are all in the list', () => {
  const list = readMarkdown('examples/README.md');
  for (const name of names) expect(list).toContain(`(${name}/README.md)`);
});

async function runExample(name: string, database: Readonly<Record<string, string>>): Promise<void> {
  const { folder, ports } = await copyOf(name);
  const blocks = blocksIn(await readFile(path.join(folder, 'README.md'), 'utf8'));
  const port = String(ports.get('8080'));
  const home = process.env['HOME'] ?? '';
  const env = {
    ...process.env,
    // Agents keep what they know there; what is installed stays where it is.
    HOME: folder,
    npm_config_cache: path.join(home, '.npm'),
    npm_config_userconfig: path.join(home, '.npmrc'),
    GOCACHE: path.join(home, '.cache/go-build'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DATA_DIR: path.join(folder, 'data'),
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    API_KEYS: key,
    SWITCHYARD_API_KEY: key,
    ADMIN_PASSWORD: 'the password of the examples',
    DRAIN_DELAY_MS: '0',
    ...database,
  };
  if (!blocks.some(({ runsOn }) => runsOn)) await start('npm start', root, env, 1);
  await runAll(blocks, folder, env);
}

const needDatabase = names.filter((name) =>
  readMarkdown(`examples/${name}/README.md`).includes('DATABASE_URL'),
);

it.each(names.filter((name) => !needDatabase.includes(name)))(
  '%s runs as printed',
  { timeout: 300_000 },
  (name) => runExample(name, {}),
);

onPostgres('on a database', (on) => {
  it.each(needDatabase)('%s runs as printed', { timeout: 300_000 }, async (name) => {
    const { databaseUrl } = await on.database();
    const KEY_SECRET = 'a secret of the examples, of 32 characters';
    await runExample(name, { DATABASE_URL: databaseUrl ?? '', KEY_SECRET });
  });
});
