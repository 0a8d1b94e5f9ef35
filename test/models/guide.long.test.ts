/** What the guide to local models prints, as it is printed but for ports, in a folder of its own. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { root } from '../helpers/contract.ts';
import { blocksIn, readMarkdown } from '../helpers/guides.ts';
import { startServer } from '../helpers/server-process.ts';
import { freePort } from '../lib/server.ts';

const run = promisify(execFile);
const guide = 'docs/guides/local-models.md';

it('a newcomer has a real model behind the server', { timeout: 900_000 }, async () => {
  const blocks = blocksIn(readMarkdown(guide));
  const here = blocks.filter(({ notRun }) => notRun?.includes('test/models/guide.long.test.ts'));
  const [install, ask] = here.map(({ text }) => text);
  const configuration = blocks.find(({ lang }) => lang === 'yaml')?.text ?? '';
  expect(here.length).toBe(2);
  const cwd = await mkdtemp(path.join(tmpdir(), 'switchyard-local-models-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await symlink(path.join(root, 'test'), path.join(cwd, 'test'));
  const port = String(await freePort());
  const printed = (text: string | undefined) => (text ?? '').replaceAll('8081', port);

  // The last line runs until it is ended, which works as it replaces the shell.
  const script = printed(install).replace(/\n(.*)$/, '\nexec $1');
  const model = spawn('bash', ['-euc', script], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    if (model.exitCode !== null || !model.kill('SIGKILL')) return;
    await once(model, 'exit');
  });
  let output = '';
  model.stdout.on('data', (piece) => {
    output += piece;
  });
  await expect
    .poll(() => model.exitCode ?? output, { timeout: 600_000 })
    .toContain(`http://127.0.0.1:${port}`);

  await writeFile(path.join(cwd, 'switchyard.yaml'), printed(configuration));
  const server = await startServer({
    SWITCHYARD_CONFIG: path.join(cwd, 'switchyard.yaml'),
    DATA_DIR: path.join(cwd, 'data'),
  });
  onTestFinished(async () => void (await server.end('SIGTERM')));
  const key = await vi.waitUntil(() => /\bsw_live_\w+/.exec(server.output())?.[0], { timeout: 60_000 });
  const commands = printed(ask).replaceAll('http://127.0.0.1:8080', server.url);
  const { stdout } = await run(
    'bash',
    ['-euo', 'pipefail', '-c', commands.replaceAll('curl ', 'echo; curl -sS ')],
    {
      cwd,
      env: { PATH: process.env['PATH'], SWITCHYARD_API_KEY: key },
    },
  );
  const [own, messages] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(own).toMatchObject({ model: 'smollm2', provider: 'local', content: expect.stringMatching(/\w{3}/) });
  expect(messages).toMatchObject({
    type: 'message',
    content: [{ type: 'text', text: expect.stringMatching(/\w{3}/) }],
  });
});
