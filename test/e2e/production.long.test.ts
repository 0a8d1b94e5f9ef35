/** The guide to production, run as it is printed, on a real database, Redis, proxy, issuer and in Chromium. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hasBrowser, launch, watchedPage } from '../helpers/browser.ts';
import { startCollector } from '../helpers/collector.ts';
import { root } from '../helpers/contract.ts';
import { blocksIn, readMarkdown } from '../helpers/guides.ts';
import { clientId, clientSecret, startProvider } from '../helpers/issuer.ts';
import { redisForThisTest } from '../helpers/redis.ts';
import { onPostgres } from '../helpers/store.ts';
import { freePort } from '../lib/server.ts';

const admin = '/admin/factory/settings/api-keys';

/** A shell that is given one block after the other. */
class Shell {
  readonly #child: ChildProcess;
  #output = '';

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    const { NODE_ENV: _, ...own } = process.env;
    this.#child = spawn('bash', ['-eu'], {
      cwd,
      env: { ...own, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (piece) => {
        this.#output += piece;
      });
  }

  /** Resolves with what it printed; rejects with that when it failed. */
  async run(text: string): Promise<string> {
    const from = this.#output.length;
    this.#child.stdin?.write(`${text}\necho the-block-is-over\n`);
    const over = () => this.#output.includes('the-block-is-over', from);
    while (!over() && this.#child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
    const printed = this.#output.slice(from);
    if (!over()) throw new Error(`The shell has ended with ${this.#child.exitCode}:\n${text}\n${printed}`);
    return printed.replace('the-block-is-over\n', '');
  }

  /** Ends it with whatever it has started. */
  async end(): Promise<void> {
    const exited = this.#child.exitCode === null ? once(this.#child, 'exit') : null;
    try {
      process.kill(-(this.#child.pid as number), 'SIGKILL');
    } catch {
      // Nothing is left of it.
    }
    await exited;
  }
}

onPostgres('the guide to production', (on) => {
  it('leads from nothing to three servers that people sign in to', async ({ skip }) => {
    if (!hasBrowser) return skip('there is no Chromium');
    const redis = await redisForThisTest(skip);
    const [{ databaseUrl }, collector, provider, proxyPort, ...ports] = await Promise.all([
      on.database(),
      startCollector(),
      startProvider({ ann: { email: 'ann@example.com', groups: ['platform'] } }),
      freePort(),
      freePort(),
      freePort(),
      freePort(),
    ]);
    on.cleanUp(() => provider.close());
    const publicUrl = `http://127.0.0.1:${proxyPort}`;
    provider.serve(publicUrl, [admin, '/dashboard']);
    provider.person = 'ann';
    const folder = await checkout(proxyPort);
    const shell = new Shell(folder, {
      PATH: `${process.env['PATH']}:/usr/sbin`,
      PUBLIC_URL: publicUrl,
      DATABASE_URL: databaseUrl ?? '',
      REDIS_URL: redis.url,
      ISSUER: provider.url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      DRAIN_DELAY_MS: '500',
    });
    on.cleanUp(async () => {
      await shell.end();
      // It has left the shell, and is still there where the guide was not followed to its end.
      const pid = await readFile(path.join(folder, 'production/nginx.pid'), 'utf8').catch(() => null);
      if (pid !== null) process.kill(Number(pid), 'SIGTERM');
    });

    const blocks = blocksIn(readMarkdown('docs/guides/production.md')).slice(1);
    const stop = blocks.pop();
    let printed = '';
    for (const { lang, text } of blocks) {
      expect(lang).toBe('bash');
      printed = await shell.run(withPorts(text, ports));
    }
    expect(JSON.parse(printed)).toMatchObject({ provider: 'sandbox' });

    const browser = await launch();
    on.cleanUp(() => browser.close());
    const { page, problems } = await watchedPage(browser);
    await page.goto(publicUrl + admin);
    await page.getByRole('link', { name: 'Sign in with Example Corp' }).click();
    await page.getByRole('heading', { name: 'Tenants' }).waitFor();
    await page.goto(`${publicUrl}${admin}?view=servers`);
    const ready = page.getByRole('table', { name: 'Servers' }).getByText('ready', { exact: true });
    const shown = async () => {
      await page.reload();
      return ready.count();
    };
    await expect.poll(shown, { interval: 1_000 }).toBe(3);
    expect(problems).toEqual([]);
    expect(await redis.command('DBSIZE')).not.toBe(':0');
    const asked = () => collector.spans.some(({ name }) => name === 'POST /v1/chat');
    await expect.poll(asked).toBe(true);

    await shell.run(withPorts(stop?.text ?? '', ports));
    const logs = await Promise.all(
      ports.map((port) => readFile(path.join(folder, `production/${port}.log`), 'utf8')),
    );
    for (const log of logs) expect(log).toContain('"msg":"stopped"');
  });
});

/** The ports of the guide may be taken here. */
function withPorts(text: string, ports: readonly number[]): string {
  return ports.reduce((all, port, index) => all.replaceAll(`808${index + 1}`, String(port)), text);
}

/** A folder with what a checkout has, in which the proxy listens elsewhere. */
async function checkout(proxyPort: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-production-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const own = new Set(['deploy', 'data', 'production', '.git']);
  for (const name of await readdir(root))
    if (!own.has(name)) await symlink(path.join(root, name), path.join(folder, name));
  await cp(path.join(root, 'deploy'), path.join(folder, 'deploy'), { recursive: true });
  const conf = path.join(folder, 'deploy/proxy/nginx.conf');
  await writeFile(
    conf,
    (await readFile(conf, 'utf8')).replace('listen 8080', `listen 127.0.0.1:${proxyPort}`),
  );
  return folder;
}
