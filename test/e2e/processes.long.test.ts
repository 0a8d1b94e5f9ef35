/** One server in several processes: `npm start -- --processes 2`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask } from '../helpers/http.ts';
import { chatsAtOnce, countOf, limited } from '../helpers/limited-servers.ts';
import {
  processesKey as key,
  launch,
  type ServerProcess,
  serveLine,
  startLine,
  startSeveral,
  untilAllAnswer,
} from '../helpers/server-process.ts';
import { onEveryStore, onSqlite } from '../helpers/store.ts';
import { testAccounts } from '../helpers/store-accounts.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { questionIn, until, vendorFor } from '../helpers/vendor-gateway.ts';

/** So many connections that each process gets some. */
const crowd = 64;

const chatsSeen = 'switchyard_requests_total{operation="createChat",status="200"}';

onEveryStore('two processes', (on) => {
  it('start with one greeting, share the port, and give one scrape', async () => {
    const database = await on.database();
    const server = await startSeveral(2, database, { API_KEYS: '' });
    const made = server.output().match(/Bearer sw_live_\w+/g);
    expect(made).toHaveLength(1);
    expect(server.output().match(/Switchyard listens on/g)).toHaveLength(1);
    expect(server.output().match(/Admin password/g)).toHaveLength(1);
    const own = made?.[0]?.slice('Bearer '.length) ?? '';
    const asked = Array.from({ length: crowd }, () =>
      ask(`${server.url}/v1/chat`, { key: own, direct: true, body: { message: 'Hello!' } }),
    );
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    await expect.poll(async () => (await server.metrics()).get(chatsSeen)).toBe(crowd);
    const metrics = await server.metrics();
    for (const number of [1, 2])
      expect(metrics.get(`process_resident_memory_bytes{process="${number}"}`)).toBeGreaterThan(0);
    expect(metrics.get('switchyard_check_up{check="database"}')).toBe(1);
    expect(metrics.get('switchyard_ledger_open_admissions')).toBe(0);
    // Each process knows its own at once, and those of the other when they are in the sums of the day.
    const used = async () =>
      (await ask(`${server.url}/v1/usage`, { key: own, direct: true })).json.total.requests;
    await expect.poll(used).toBe(crowd);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('admit ten of 500 at once where ten a minute may be asked', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const limitedKey = await limited(accounts, 'acme', 10);
    const server = await startSeveral(2, database);
    const statuses = await chatsAtOnce([server as unknown as ServerProcess], limitedKey, 500);
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([10, 490]);
  });

  it('all reload the configuration when one of them is told to', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-processes-'));
    on.cleanUp(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'switchyard.yaml');
    await writeFile(file, 'aliases: { first: sandbox/echo }\n');
    const server = await startSeveral(2, await on.database(), {
      SWITCHYARD_CONFIG: file,
      ADMIN_PASSWORD: 'password-of-tests-0123456789',
    });
    await writeFile(file, 'aliases: { second: sandbox/echo }\n');
    const reload = { key: 'password-of-tests-0123456789', direct: true, method: 'POST' };
    expect((await ask(`${server.url}/api/admin/config/reload`, reload)).status).toBe(200);
    const answers = async () => {
      const body = { model: 'second', message: 'Hello!' };
      const asked = Array.from({ length: crowd }, () =>
        ask(`${server.url}/v1/chat`, { key, direct: true, body }),
      );
      return [...new Set((await Promise.all(asked)).map(({ status }) => status))];
    };
    await expect.poll(answers).toEqual([200]);
  });

  it('are listed as two servers, with their version and the same configuration', async () => {
    const admin = { key: 'password-of-tests-0123456789', direct: true };
    const server = await startSeveral(2, await on.database(), { ADMIN_PASSWORD: admin.key });
    const shown = async () => {
      const { json } = await ask(`${server.url}/api/admin/servers`, admin);
      const rows = json.data as Record<string, string>[];
      return rows.map(({ name = '', version, state }) => [name.slice(-4), version, state]).sort();
    };
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    await expect.poll(shown).toEqual([
      [' 1/2', version, 'ready'],
      [' 2/2', version, 'ready'],
    ]);
    const { json } = await ask(`${server.url}/api/admin/servers`, admin);
    const [one, other] = json.data as Record<string, string>[];
    expect(one?.['config_digest']).toMatch(/^[\w-]{8}$/);
    expect(other?.['config_digest']).toBe(one?.['config_digest']);
    expect(other?.['pid']).not.toBe(one?.['pid']);
  });

  it('build from one queue, each build once', async () => {
    const server = await startSeveral(2, await on.database(), { FACTORY_CONCURRENCY: '1' });
    const keyAs = 'x-api-key';
    const builds = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        ask(`${server.url}/api/v1/factory/jobs`, {
          key,
          keyAs,
          direct: true,
          body: { prompt: `A to-do list for team ${index}` },
        }),
      ),
    );
    expect(builds.map(({ status, text }) => (status === 202 ? 202 : text))).toEqual(Array(8).fill(202));
    for (const { json } of builds) {
      const url = `${server.url}/api/v1/factory/jobs/${json.id}`;
      // To its end; any process shows it.
      const { text } = await ask(`${url}/events`, { key, keyAs, direct: true });
      const ids = [...text.matchAll(/^id: ?(\d+)$/gm)].map(([, id]) => Number(id));
      expect(ids.length).toBeGreaterThan(3);
      expect(ids).toEqual(ids.map((_, index) => index + 1));
      const build = (await ask(url, { key, keyAs, direct: true })).json;
      expect([build.status, build.attempt]).toEqual(['succeeded', 1]);
    }
  });

  it('lose nothing when one of them is killed under load, and are two again', async () => {
    const vendor = await vendorFor(async (reply) => {
      await sleep(Math.random() * 20);
      reply.json(openAiFixture.reply);
    });
    const server = await startSeveral(2, await on.database(), {
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: vendor.baseUrl,
    });
    const answered = new Set<string>();
    let asked = 0;
    let going = true;
    const load = Array.from({ length: 16 }, async () => {
      while (going) {
        asked += 1;
        const id = `load-${asked}`;
        const answer = await ask(`${server.url}/v1/chat`, {
          key,
          direct: true,
          headers: { 'x-request-id': id, connection: 'close' },
          body: { model: 'gpt-4o', message: id },
        }).catch(() => null);
        if (answer?.status === 200) answered.add(id);
      }
    });
    await until(() => answered.size > 100);
    const counted = (await server.metrics()).get(chatsSeen) ?? 0;
    const before = await server.pids();
    process.kill(before.get(2) ?? 0, 'SIGKILL');
    const atKill = answered.size;
    // The other one runs on, and the sums do not fall.
    await until(() => answered.size > atKill + 100);
    expect((await server.metrics()).get(chatsSeen)).toBeGreaterThan(counted);
    await untilAllAnswer(server, 2);
    going = false;
    await Promise.all(load);
    const after = await server.pids();
    expect(after.get(1)).toBe(before.get(1));
    expect(after.get(2)).not.toBe(before.get(2));
    expect(server.output()).toContain('Process 2 ended by SIGKILL. Restarting in 0.5 s.');

    const rows = async () => {
      const found: { request_id: string; status: string }[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const url = `${server.url}/v1/requests?limit=100${cursor && `&cursor=${cursor}`}`;
        const { json } = await ask(url, { key, direct: true });
        found.push(...json.data);
        cursor = json.next_cursor;
      }
      return found;
    };
    await expect.poll(async () => (await rows()).filter(({ status }) => status === 'running')).toEqual([]);
    const ids = (await rows()).map((row) => row.request_id);
    const seen = new Set(vendor.requests.map((request) => questionIn(request)));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...seen].filter((id) => !ids.includes(id))).toEqual([]);
    expect([...answered].filter((id) => !ids.includes(id))).toEqual([]);
  });
});

onSqlite('several processes', (on) => {
  describe('are told to stop', () => {
    it('by a terminal or a service manager, which tell each of them: requests finish', async () => {
      const vendor = await vendorFor(async (reply) => {
        await sleep(500);
        reply.json(openAiFixture.reply);
      });
      const server = await startSeveral(2, await on.database(), {
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: vendor.baseUrl,
      });
      const running = Array.from({ length: 16 }, () =>
        ask(`${server.url}/v1/chat`, { key, direct: true, body: { model: 'gpt-4o', message: 'last' } }),
      );
      await until(() => vendor.requests.length === running.length);
      process.kill(-(server.child.pid ?? 0), 'SIGTERM');
      expect(await server.ended).toBe(0);
      expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(16).fill(200));
    });

    it('by a second signal: at once', async () => {
      const server = await startSeveral(2, await on.database(), {
        DRAIN_DELAY_MS: '60000',
        LOG_LEVEL: 'info',
      });
      server.child.kill('SIGTERM');
      await until(() => server.output().match(/"msg":"stopping"/g)?.length === 2);
      server.child.kill('SIGTERM');
      expect(await server.ended).toBe(1);
      await expect(ask(`${server.url}/livez`, { key: null, direct: true })).rejects.toThrow();
    });

    it('by the end of the one that supervises them', async () => {
      const server = await startSeveral(2, await on.database());
      const pids = [...(await server.pids()).values()];
      server.child.kill('SIGKILL');
      await server.ended;
      const living = () => pids.filter((pid) => isRunning(pid));
      await expect.poll(living).toEqual([]);
    });
  });

  it('are started by the command and by the setting too', async () => {
    const database = await on.database();
    const served = await launch(serveLine('--processes', '2'), database);
    await untilAllAnswer(served, 2);
    served.child.kill('SIGINT');
    expect(await served.ended).toBe(0);
    const set = await launch(startLine(), database, { PROCESSES: '2' });
    await untilAllAnswer(set, 2);
    set.child.kill('SIGTERM');
    expect(await set.ended).toBe(0);
  });

  it('end with npm, whose shell passes no signal on', async () => {
    const line = ['-e', 'process.execve("/usr/bin/env", ["env", "npm", "start"], process.env)'];
    const started = await launch(line, await on.database(), { PROCESSES: '2' });
    await untilAllAnswer(started, 2);
    started.child.kill('SIGTERM');
    await started.ended;
    const answers = () =>
      started.metrics().then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
  });

  it('are not started with a wrong setting, which is told once', async () => {
    const database = await on.database();
    const wrong = await launch(startLine('--processes', '2'), database, { LIMITS_VARIANT: 'C' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output().match(/LIMITS_VARIANT is "C"/g)).toHaveLength(1);
    expect(wrong.output()).not.toMatch(/ {4}at |Process \d/);
    const many = await launch(startLine('--processes', 'many'), database);
    expect(await many.ended).toBe(1);
    expect(many.output()).toContain('PROCESSES is "many"; expected auto, or a whole number from 1 to 64.');
    const misspelt = await launch(startLine('--process', '2'), database);
    expect(await misspelt.ended).toBe(1);
    expect(misspelt.output()).toContain(
      'Unknown option \'--process\'. "npm start" takes --processes with a number, or auto.',
    );
    const help = await launch(startLine('--help'), database);
    expect(await help.ended).toBe(0);
    expect(help.output()).toMatch(/^Usage: npm start -- \[--processes <number>\]\n/);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
