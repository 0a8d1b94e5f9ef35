import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../lib/server.ts';
import { atTheEnd } from './proc.ts';

const run = promisify(execFile);
const versions = '/usr/lib/postgresql';

/** A PostgreSQL server that the suite may break. */
export interface Postgres {
  readonly port: number;
  /** Of its first process. */
  pid(): number;
  /** Makes an empty database and gives its name. */
  database(): Promise<string>;
  /** All rows that a statement gives, on a connection of its own. */
  query<Row>(database: string, sql: string): Promise<Row[]>;
  /** Ends connections of a database, a share of them. Returns how many. */
  terminate(database: string, share: number): Promise<number>;
  /** Stops it without letting it finish anything, and starts it again. */
  restart(): Promise<void>;
  /** Kills the postmaster with SIGKILL, waits for so many milliseconds, and starts it again. */
  kill(downMs: number): Promise<void>;
  /** Starts it again if it has ended, as it does when its disk is full. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts one in this folder, from the machine's packages. Throws where there are none.
 * @param settings those that differ from what the suite needs
 */
export async function startPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Postgres> {
  const found = await readdir(versions).catch(() => []);
  const newest = found.sort((a, b) => Number(a) - Number(b)).at(-1);
  if (newest === undefined) throw new Error(`There is no PostgreSQL in ${versions}.`);
  const bin = join(versions, newest, 'bin');
  const user = await userFor(folder);
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const port = await freePort();
  const initial = ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '--locale=C', '-E', 'UTF8'];
  await run(join(bin, 'initdb'), initial, { cwd: folder, ...user });
  const conf = {
    port,
    listen_addresses: `'127.0.0.1'`,
    unix_socket_directories: `'${folder}'`,
    max_connections: 200,
    // What the operating system was given survives every kill; nobody cuts the power.
    fsync: 'off',
    max_wal_size: `'64MB'`,
    min_wal_size: `'32MB'`,
    shared_buffers: `'32MB'`,
    ...settings,
  };
  appendFileSync(
    join(data, 'postgresql.conf'),
    Object.entries(conf)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(''),
  );

  let postmaster: ChildProcess;
  atTheEnd(() => postmaster?.kill('SIGQUIT'));
  const address = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const running = () => postmaster.exitCode === null && postmaster.signalCode === null;

  async function query<Row>(database: string, sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: address(database), connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function start(): Promise<void> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const out = openSync(log, 'a');
      postmaster = spawn(join(bin, 'postgres'), ['-D', data], {
        cwd: folder,
        stdio: ['ignore', out, out],
        ...user,
      });
      while (running()) {
        if (
          await query('postgres', 'select 1').then(
            () => true,
            () => false,
          )
        )
          return;
        await sleep(50);
        if (performance.now() > deadline) throw new Error(`PostgreSQL does not start; see ${log}.`);
      }
      // After a sudden end its children hold the shared memory for a moment.
      if (performance.now() > deadline) throw new Error(`PostgreSQL does not start; see ${log}.`);
      await sleep(100);
    }
  }

  async function end(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    if (!running()) return;
    const exited = once(postmaster, 'exit');
    postmaster.kill(signal);
    await exited;
  }

  await start();
  let databases = 0;
  return {
    port,
    pid: () => postmaster.pid as number,
    query,
    async database() {
      databases += 1;
      const name = `chaos_${databases}`;
      await query('postgres', `create database ${name}`);
      return name;
    },
    async terminate(database, share) {
      const rows = await query(
        'postgres',
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${database}' and pid <> pg_backend_pid() and random() < ${share}`,
      );
      return rows.length;
    },
    async restart() {
      await end('SIGQUIT');
      await start();
    },
    async kill(downMs) {
      await end('SIGKILL');
      await sleep(downMs);
      await start();
    },
    async revive() {
      if (!running()) await start();
    },
    stop: () => end('SIGQUIT'),
  };
}

/** PostgreSQL refuses to run as root, so root runs it as the user that the packages have made for it. */
async function userFor(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  chownSync(folder, uid, gid);
  return { uid, gid };
}

/** A Redis server that the suite may break. It keeps nothing on disk, so that whenever it ends it forgets everything. */
export interface Redis {
  readonly port: number;
  /** Kills it with SIGKILL, waits for so many milliseconds, and starts it again, empty. */
  kill(downMs: number): Promise<void>;
  /** Empties it while it runs. */
  forget(): Promise<void>;
  /** Stops it from doing anything for so many milliseconds; then it does at once what it was asked meanwhile. */
  freeze(forMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one from the machine's packages. Throws where there is none. */
export async function startRedis(folder: string): Promise<Redis> {
  const port = await freePort();
  const fixed = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder];
  const args = [...fixed, '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];
  let child: ChildProcess;
  atTheEnd(() => child?.kill('SIGKILL'));

  async function start(): Promise<void> {
    child = spawn('redis-server', args, { stdio: 'ignore' });
    child.on('error', () => undefined);
    const deadline = performance.now() + 20_000;
    while (!(await answers(port))) {
      if (child.pid === undefined || child.exitCode !== null || performance.now() > deadline)
        throw new Error('Redis does not start (`apt-get install redis-server`).');
      await sleep(20);
    }
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  await start();
  return {
    port,
    async kill(downMs) {
      await end();
      await sleep(downMs);
      await start();
    },
    async forget() {
      // Where it is down at the moment it has nothing to forget.
      const answer = await command(port, 'FLUSHALL').catch(() => '');
      if (!/^(\+OK|$)/.test(answer)) throw new Error(`Redis answers FLUSHALL with ${answer}`);
    },
    async freeze(forMs) {
      child.kill('SIGSTOP');
      await sleep(forMs);
      child.kill('SIGCONT');
    },
    stop: end,
  };
}

const answers = async (port: number) => (await command(port, 'PING').catch(() => '')).startsWith('+PONG');

/** Sends a command whose answer is one line, on a connection of its own. */
async function command(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${line}\r\n`);
    let answer = '';
    for await (const chunk of socket) {
      answer += chunk;
      if (answer.includes('\n')) break;
    }
    return answer;
  } finally {
    socket.destroy();
  }
}
