import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../lib/server.ts';
import { makeTemplate, migratedTemplate } from './test-database.ts';

const run = promisify(execFile);
const versions = '/usr/lib/postgresql';

export interface TestPostgres {
  /** Address of its database `postgres`. */
  readonly address: string;
  /** Makes an empty database and gives its address. */
  database(): Promise<string>;
  /** The same with the schema in it. */
  migrated(): Promise<string>;
  /** Ends the server without letting it finish anything; one of another process only loses the connection. */
  stop(): Promise<void>;
}

/** A server that the test may break. Its `database` and `stop` work while it runs. */
export interface OwnPostgres extends TestPostgres {
  readonly port: number;
  /** Ends it at once, as a crash would; it stays as it is until `start`. */
  crash(): Promise<void>;
  /** Starts it again and waits until it takes connections. */
  start(): Promise<void>;
}

/** A server that runs already, for one test file. */
export async function connectPostgres(address: string): Promise<TestPostgres> {
  // One connection, for which each statement waits: a client warns of statements that come before its last one has ended.
  const admin = new pg.Pool({ connectionString: address, max: 1, idleTimeoutMillis: 0 });
  admin.on('error', () => undefined);
  await admin.query('select');
  const make = async (of: string) => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await admin.query(`create database ${name} ${of}`);
    return new URL(name, address).href;
  };
  let template: Promise<void> | null = null;
  return {
    address,
    database: () => make(''),
    async migrated() {
      template ??= makeTemplate(admin, address);
      await template;
      return make(`template ${migratedTemplate}`);
    },
    // Of a server that crashed and did not start again it is closed already.
    stop: async () => (admin.ending ? undefined : admin.end()),
  };
}

/**
 * A PostgreSQL server of its own, from the machine's packages. Throws where there is none; without
 * durability, as its power stays on.
 */
export async function startPostgres(): Promise<OwnPostgres> {
  const newest = (await readdir(versions)).sort((a, b) => Number(a) - Number(b)).at(-1);
  const bin = join(versions, newest ?? '', 'bin');
  const root = await mkdtemp(join(tmpdir(), 'switchyard-pg-'));
  const asServer = await serverUser(root);
  const data = join(root, 'data');
  const port = await freePort();
  await asServer(join(bin, 'initdb'), [
    '-D',
    data,
    '-A',
    'trust',
    '-U',
    'postgres',
    '--no-sync',
    '--locale=C',
    '-E',
    'UTF8',
  ]);
  const options = `-p ${port} -k ${root} -h 127.0.0.1 -c fsync=off -c max_connections=1000`;
  const control = (...args: string[]) => asServer(join(bin, 'pg_ctl'), ['-D', data, ...args]);
  const start = () => control('-o', options, '-l', join(root, 'log'), '-w', 'start');
  const crash = () => control('-m', 'immediate', '-w', 'stop');
  await start();
  let connected = await connectPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`);
  return {
    port,
    address: connected.address,
    database: () => connected.database(),
    migrated: () => connected.migrated(),
    async crash() {
      await connected.stop();
      await crash();
    },
    async start() {
      await start();
      connected = await connectPostgres(connected.address);
    },
    async stop() {
      await connected.stop();
      await crash().catch(() => undefined);
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The server refuses to run as root, so root runs it as the user that the packages have made for it. */
async function serverUser(root: string): Promise<(command: string, args: string[]) => Promise<unknown>> {
  if (process.getuid?.() !== 0) return (command, args) => run(command, args, { cwd: root });
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  await chown(root, uid ?? 0, gid ?? 0);
  // The log goes to a file, or the server would hold our pipe open and `execFile` would never return.
  return (command, args) => run(command, args, { cwd: root, uid: uid ?? 0, gid: gid ?? 0 });
}
