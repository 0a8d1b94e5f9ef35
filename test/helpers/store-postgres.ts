import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const versions = '/usr/lib/postgresql';

export interface TestPostgres {
  /** Makes an empty database and gives its address. */
  database(): Promise<string>;
  /** Ends the server without letting it finish anything. */
  stop(): Promise<void>;
}

/**
 * A PostgreSQL server of its own for a test file, from the machine's packages. Throws where there is none; without
 * durability, as nobody cuts its power.
 */
export async function startPostgres(): Promise<TestPostgres> {
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
  const options = `-p ${port} -k ${root} -h 127.0.0.1 -c fsync=off -c max_connections=300`;
  await asServer(join(bin, 'pg_ctl'), ['-D', data, '-o', options, '-l', join(root, 'log'), '-w', 'start']);
  const address = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;
  const admin = new pg.Client(address('postgres'));
  admin.on('error', () => undefined);
  await admin.connect();
  let count = 0;
  return {
    async database() {
      count += 1;
      await admin.query(`create database test_${count}`);
      return address(`test_${count}`);
    },
    async stop() {
      await admin.end();
      await asServer(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop']);
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
