import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { switchyard } from '../helpers/cli.ts';
import { cut, expectMessage, fill, garbage, overwrite, randomOf, tryStart } from '../helpers/damage.ts';
import { ask } from '../helpers/http.ts';
import { startServer } from '../helpers/server-process.ts';

/**
 * Databases of real servers, damaged on the disk. Each start has to end with a message that says what to do, or serve from
 * a database that is sound.
 */
const run = promisify(execFile);
const pageSize = 4096;
let root: string;
/** Of a server that stopped, and of one that was killed, with its log. */
let stopped: string;
let killed: string;
let backup: string;
let key: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'switchyard-damage-'));
  stopped = join(root, 'stopped');
  killed = join(root, 'killed');
  await switchyard({ DATA_DIR: stopped }, 'tenants', 'create', 'acme', '--plan', 'enterprise');
  const made = await switchyard({ DATA_DIR: stopped }, 'keys', 'create', '--tenant', 'acme', '--json');
  key = made.json.key;
  const first = await startServer({ DATA_DIR: stopped });
  await use(first.url);
  await first.end('SIGTERM');
  fill(join(stopped, 'switchyard.db'));
  backup = join(root, 'backup.db');
  expect((await switchyard({ DATA_DIR: stopped }, 'backup', backup)).code).toBe(0);
  await cp(stopped, killed, { recursive: true });
  const second = await startServer({ DATA_DIR: killed });
  await use(second.url);
  await second.end('SIGKILL');
  expect((await stat(join(killed, 'switchyard.db-wal'))).size).toBeGreaterThan(20 * pageSize);
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function use(url: string): Promise<void> {
  for (let request = 0; request < 25; request += 1) {
    const { status } = await ask(`${url}/v1/chat`, { key, body: { message: `Hello ${request}` } });
    expect(status).toBe(200);
  }
}

let copies = 0;
async function copyOf(source: string): Promise<{ directory: string; file: string }> {
  copies += 1;
  const directory = join(root, `copy-${copies}`);
  await cp(source, directory, { recursive: true, preserveTimestamps: true });
  return { directory, file: join(directory, 'switchyard.db') };
}

/** The page of a table or index that its tree begins with. */
function rootPage(name: string): number {
  using database = new DatabaseSync(join(stopped, 'switchyard.db'), { readOnly: true });
  const found = database.prepare('select rootpage from sqlite_schema where name = ?').get(name);
  return Number(found?.['rootpage']);
}

const startOf = (page: number) => (page - 1) * pageSize;

/** Makes one entry of an index say something else than the row that it stands for. */
async function breakIndex(file: string): Promise<void> {
  const index = rootPage('sqlite_autoindex_settings_1');
  const at = (await readFile(file)).indexOf('key_secret_check', startOf(index));
  expect(at).toBeLessThan(startOf(index + 1));
  await overwrite(file, at, Buffer.from('j'));
}

const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'no database at all': (file) => writeFile(file, 'this is not a database '.repeat(500)),
  'a header of zeros': (file) => overwrite(file, 0, new Uint8Array(100)),
  'a first page of garbage behind its header': (file) => overwrite(file, 100, garbage(pageSize - 100)),
  'zeros in the middle': (file) => overwrite(file, startOf(rootPage('audit')), new Uint8Array(pageSize)),
  'the root of a table torn in the middle': (file) =>
    overwrite(file, startOf(rootPage('audit')) + 512, garbage(pageSize - 512)),
  'the root of an index torn': (file) =>
    overwrite(file, startOf(rootPage('sqlite_autoindex_audit_1')), garbage(512)),
  'an index that says something else than its table': breakIndex,
  'the list of migrations gone': (file) =>
    overwrite(file, startOf(rootPage('kysely_migration')), garbage(pageSize)),
  'a wrong list of free pages': (file) => overwrite(file, 32, Uint8Array.of(0x7f, 0xff, 0xff, 0xff)),
  'an end that is missing': (file) => cut(file, 0.6),
  'only its first page': (file) => truncate(file, pageSize),
  'no contents': (file) => truncate(file, 0),
};

describe.each(['stopped', 'killed'])('a database of a server that was %s', (how) => {
  it.each(Object.entries(damages))('with %s stops the start with a message', async (_, damage) => {
    const { directory, file } = await copyOf(how === 'stopped' ? stopped : killed);
    // The log has whole pages and would put them over the damaged ones.
    if (how === 'killed') await rm(`${file}-wal`);
    await damage(file);
    const before = await readFile(file);
    const start = await tryStart(directory);
    expect(start.output).toMatch(/switchyard\.db is (damaged|empty).*switchyard restore <backup file>/);
    expectMessage(start);
    expect(await readFile(file)).toEqual(before);
    if (how === 'killed') return;
    // Once more, as the first start may have left something behind.
    const check = await switchyard({ DATA_DIR: directory }, 'check');
    expect([check.code, check.stderr]).toEqual([
      1,
      expect.stringMatching(/switchyard\.db is (damaged|empty)/),
    ]);
    expect((await switchyard({ DATA_DIR: directory }, 'check', '--json')).json).toMatchObject({
      sound: false,
      findings: [{ rule: 'database_can_be_opened', message: expect.stringMatching(/switchyard restore/) }],
    });
    const { code, stdout } = await switchyard({ DATA_DIR: directory }, 'restore', backup);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/The database that was there is kept as/)]);
    const kept = (await readdir(directory)).find((name) => /^replaced-.*\.db$/.test(name)) ?? '';
    expect(await readFile(join(directory, kept))).toEqual(before);
    expect(await tryStart(directory)).toMatchObject({ serves: true, code: 0 });
  });
});

describe('a database that is sound', () => {
  it('is not checked after a stop, and is after a sudden end', async () => {
    const copy = await copyOf(stopped);
    // A copy has another time than what was copied.
    await tryStart(copy.directory);
    const calm = await tryStart(copy.directory);
    expect(calm).toMatchObject({ serves: true, code: 0 });
    expect(calm.output).not.toMatch(/checked/);
    const { directory } = await copyOf(killed);
    const sudden = await tryStart(directory);
    expect(sudden).toMatchObject({ serves: true, code: 0 });
    expect(sudden.output).toMatch(/was not closed by the process .* MB are checked before it is used/);
    expect(sudden.output).toMatch(/is sound; the check took/);
    expect((await tryStart(directory)).output).not.toMatch(/checked/);
    expect((await readdir(directory)).sort()).toEqual(['key-secret', 'switchyard.db', 'switchyard.db-clean']);
  });

  it('is checked after a sudden end of one of two processes, once the other has stopped', async () => {
    const { directory } = await copyOf(stopped);
    const [one, other] = [
      await startServer({ DATA_DIR: directory }),
      await startServer({ DATA_DIR: directory }),
    ];
    await one.end('SIGKILL');
    expect(await other.end('SIGTERM')).toBe(0);
    expect((await tryStart(directory)).output).toMatch(/was not closed by the process/);
  });

  it('of another program stays as it is', async () => {
    const { directory, file } = await copyOf(stopped);
    await rm(file);
    const other = new DatabaseSync(file);
    other.exec(
      'pragma user_version = 42; create table bookmarks (url text); insert into bookmarks values (1)',
    );
    other.close();
    const before = await readFile(file);
    const start = await tryStart(directory);
    expectMessage(start);
    expect(start.output).toMatch(/switchyard\.db is a database of another program; set DATA_DIR/);
    expect(await readFile(file)).toEqual(before);
  });
});

describe('a log that a sudden end left', () => {
  const rows = async (directory: string) => {
    using database = new DatabaseSync(join(directory, 'switchyard.db'), { readOnly: true });
    return Number(database.prepare('select count(*) as count from admitted').get()?.['count']);
  };
  const logDamages: Readonly<Record<string, (log: string) => Promise<void>>> = {
    'cut in the middle': (log) => cut(log, 0.5),
    'with a changed byte': async (log) =>
      overwrite(log, Math.floor((await stat(log)).size / 2), Uint8Array.of(0x5a, 0xa5)),
    'with a changed header': (log) => overwrite(log, 8, garbage(16)),
    'that is gone': (log) => rm(log),
  };
  it.each(Object.entries(logDamages))('and that is %s: says what is lost, or stops', async (_, damage) => {
    const whole = await copyOf(killed);
    expect((await tryStart(whole.directory)).output).not.toMatch(/is lost/);
    const { directory, file } = await copyOf(killed);
    await damage(`${file}-wal`);
    expect(await tryStart(directory)).toMatchObject({
      serves: true,
      code: 0,
      output: expect.stringMatching(
        /-wal is cut or damaged after \d+ whole commits: .* \(\d+ pages or more\) is lost/,
      ),
    });
    expect(await rows(directory)).toBeLessThan(await rows(whole.directory));
    expect(await switchyard({ DATA_DIR: directory }, 'check')).toMatchObject({ code: 0 });
  });

  it('is whole beside an index of garbage', async () => {
    const whole = await copyOf(killed);
    await tryStart(whole.directory);
    const { directory, file } = await copyOf(killed);
    await overwrite(`${file}-shm`, 0, garbage(32_768));
    const start = await tryStart(directory);
    expect(start).toMatchObject({ serves: true, code: 0 });
    expect(start.output).not.toMatch(/is lost/);
    expect(await rows(directory)).toBe(await rows(whole.directory));
  });

  it('without its database stops the start', async () => {
    const { directory, file } = await copyOf(killed);
    await rm(file);
    const start = await tryStart(directory);
    expectMessage(start);
    expect(start.output).toMatch(/switchyard\.db is missing, and its log is there.*restore/);
  });
});

describe('the check', () => {
  it('runs beside a server and finds nothing', async () => {
    const { directory } = await copyOf(stopped);
    const server = await startServer({ DATA_DIR: directory });
    const asking = use(server.url);
    const [check, json] = await Promise.all([
      switchyard({ DATA_DIR: directory }, 'check'),
      switchyard({ DATA_DIR: directory }, 'check', '--json'),
    ]);
    await asking;
    expect(check).toMatchObject({ code: 0, stdout: 'The database is sound.\n' });
    expect(json.json).toEqual({ sound: true, findings: [] });
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('finds an index with a wrong entry beside a server, and says what does not agree', async () => {
    const { directory, file } = await copyOf(stopped);
    const server = await startServer({ DATA_DIR: directory });
    const database = new DatabaseSync(file);
    database.exec('delete from changes');
    database.close();
    await breakIndex(file);
    const { code, stdout } = await switchyard({ DATA_DIR: directory }, 'check');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /pages_are_sound: .*\n.*broken \d+ times?\n.*missing from index sqlite_autoindex_settings_1/,
    );
    expect(stdout).toMatch(/changes_has_one_row: The count of changes has one row\./);
    await server.end('SIGKILL');
    // The start looks for it as well, after a sudden end.
    const start = await tryStart(directory);
    expectMessage(start);
    expect(start.output).toMatch(/switchyard\.db is damaged.*missing from index/);
  });
});

describe('a running server', () => {
  it('says that its database is damaged, to the client without a word of where, to the operator with what to do', async () => {
    const { directory, file } = await copyOf(stopped);
    const server = await startServer({ DATA_DIR: directory });
    expect((await ask(`${server.url}/v1/chat`, { key, body: { message: 'Hello' } })).status).toBe(200);
    await overwrite(file, startOf(rootPage('audit')), garbage(pageSize));
    await overwrite(file, startOf(rootPage('agent_runs_by_agent')), garbage(pageSize));
    const { status, text } = await ask(`${server.url}/v1/agents/assistant/runs`, { key });
    expect(status).toBe(503);
    expect(JSON.parse(text).error).toMatchObject({ code: 'storage_unavailable', retryable: true });
    expect(text).not.toMatch(/malformed|sqlite|\.ts|switchyard\.db/i);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output()).toMatch(
      /is damaged.*stop the servers on it and put a backup in its place .*switchyard restore/,
    );
    expectMessage(await tryStart(directory));
  });
});

describe('random damage', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'by the seed %i leads to a sound server or to a message',
    async (seed) => {
      const random = randomOf(seed);
      const { directory, file } = await copyOf(random() < 0.5 ? stopped : killed);
      const target = random() < 0.25 && existsSync(`${file}-wal`) ? `${file}-wal` : file;
      const { size } = await stat(target);
      for (let hits = 1 + Math.floor(random() * 3); hits > 0; hits -= 1) {
        const at = Math.floor((random() * size) / pageSize) * pageSize + (random() < 0.5 ? 0 : 32);
        const length = Math.max(0, Math.min(random() < 0.5 ? pageSize : 64, size - at));
        const bytes =
          random() < 0.5 ? new Uint8Array(length) : Uint8Array.from({ length }, () => random() * 256);
        await overwrite(target, at, bytes);
      }
      const start = await tryStart(directory);
      if (!start.serves) {
        expectMessage(start);
        expect(start.output).toMatch(/is damaged .*switchyard restore/);
        return;
      }
      expect(start.code, start.output).toBe(0);
      using database = new DatabaseSync(file, { readOnly: true });
      expect(database.prepare('pragma quick_check').all()).toEqual([{ quick_check: 'ok' }]);
    },
  );
});

describe('a data directory', () => {
  const withPipe = async (directory: string, name: string) => {
    await run('mkfifo', [join(directory, name)]);
    return directory;
  };
  const places: Readonly<
    Record<string, readonly [make: (directory: string) => Promise<string>, message: RegExp]>
  > = {
    'below /proc': [
      async () => '/proc/switchyard/data',
      /\/proc\/switchyard\/data\/switchyard\.db cannot be opened \(ENOENT\)/,
    ],
    'that is /proc': [async () => '/proc', /\/proc\/switchyard\.db cannot be opened \(E\w+\)/],
    'below /sys': [async () => '/sys/switchyard', /cannot be opened \(E\w+\)/],
    'that is a device': [async () => '/dev/null', /\/dev\/null is no directory/],
    'below a device': [async () => '/dev/null/data', /is no directory/],
    'that is a pipe': [
      async (directory) => join(await withPipe(directory, 'pipe'), 'pipe'),
      /pipe is no directory/,
    ],
    'with a pipe for a database': [
      (directory) => withPipe(directory, 'switchyard.db'),
      /switchyard\.db is no file/,
    ],
    'with a directory for a database': [
      async (directory) => {
        await cp(stopped, join(directory, 'switchyard.db'), { recursive: true });
        return directory;
      },
      /switchyard\.db is no file/,
    ],
    'with a pipe for the secret': [
      async (directory) => {
        await copyFile(join(stopped, 'switchyard.db'), join(directory, 'switchyard.db'));
        return withPipe(directory, 'key-secret');
      },
      /key-secret is damaged/,
    ],
  };
  it.each(Object.entries(places))('%s stops the start with a message', async (_, [make, message]) => {
    const start = await tryStart(await make(await mkdtemp(join(root, 'place-'))));
    expect(start.output).toMatch(message);
    expectMessage(start);
  });

  const full: Readonly<Record<string, (directory: string) => { fill: string; free: string }>> = {
    'on a new disk': (directory) => ({
      fill: `mount -t tmpfs -o size=64k none ${directory}`,
      free: `mount -o remount,size=64m none ${directory}`,
    }),
    'for a database that is there': (directory) => ({
      fill: `mount -t tmpfs -o size=64m none ${directory} && cp ${stopped}/* ${directory} && ! dd if=/dev/zero of=${directory}/ballast bs=4k status=none`,
      free: `rm ${directory}/ballast`,
    }),
  };
  it.each(Object.entries(full))(
    'without room %s keeps the start waiting until there is some',
    async (_, disk) => {
      const directory = await mkdtemp(join(root, 'full-'));
      // A file system that this process alone sees, and that gets room on command.
      const { fill, free } = disk(directory);
      const script = `${fill} && { (read _ && ${free}) <&3 & exec "$0" src/server/server.ts 3<&-; }`;
      const child = spawn(
        'unshare',
        ['--user', '--map-root-user', '--mount', 'sh', '-c', script, process.execPath],
        {
          env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: directory },
          cwd: join(import.meta.dirname, '../..'),
          stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      let output = '';
      const told = (text: string) =>
        new Promise<void>((resolve, reject) => {
          const read = (chunk: Buffer | string) => {
            output += chunk;
            if (output.includes(text)) resolve();
          };
          child.stdout?.on('data', read);
          child.stderr?.on('data', read);
          child.once('close', (code) => reject(new Error(`ended with ${code}: ${output}`)));
          read('');
        });
      await told('The server waits for it.');
      expect(output).toMatch(
        /(switchyard\.db cannot be used|Storage): the disk of the database is full; make room on it\. The server waits for it\./,
      );
      (child.stdio[3] as Writable).end('\n');
      await told('Switchyard listens on');
      expect(output).not.toMatch(/^\s+at .*:\d+/m);
    },
  );
});
