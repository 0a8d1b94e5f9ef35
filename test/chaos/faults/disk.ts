import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../lib/server.ts';
import type { Life } from '../evidence.ts';
import type { Fault, Scene } from '../faults.ts';
import type { Random } from '../random.ts';
import { Server, switchyard } from '../server.ts';
import { bothStores } from '../store.ts';

/** Fills the disk under the database to its last byte, and after a while frees it. */
export const fullDisk: Fault = {
  name: 'disk-full',
  stores: bothStores,
  outage: true,
  missing: ({ ground }) => (ground.smallDisk ? null : 'a small file system cannot be mounted'),
  async apply({ world, random, tried }) {
    const ballast = join(world.ground.folder, 'disk', 'ballast');
    tried(1);
    try {
      const until = performance.now() + random.int(800, 2_500);
      // What others free in between is taken too.
      while (performance.now() < until) {
        fill(ballast);
        await sleep(100);
      }
    } finally {
      rmSync(ballast, { force: true });
    }
    // PostgreSQL ends itself when it cannot write its log.
    await world.store.postgres?.server.revive();
  },
};

function fill(file: string): void {
  const handle = openSync(file, 'a');
  const zeros = Buffer.alloc(1024 * 1024);
  try {
    for (let size = zeros.length; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (;;) if (writeSync(handle, zeros, 0, size) === 0) break;
      } catch {
        // A smaller piece may still fit.
      }
    }
    fsyncSync(handle);
  } catch {
    // It is full.
  } finally {
    closeSync(handle);
  }
}

const fileName = 'switchyard.db';

/**
 * A copy of the database as a kill would have left it is damaged, and a server of its own started on it: it refuses with a
 * clear message, or what it serves is sound. Then the copy is restored from a backup, on which the server starts.
 */
export const damagedFile: Fault = {
  name: 'damaged-file',
  stores: ['sqlite'],
  async apply(scene) {
    const { world, random, round } = scene;
    const folder = join(world.ground.folder, `damaged-${round}`);
    mkdirSync(folder, { mode: 0o700 });
    const backup = join(folder, 'backup.db');
    try {
      await switchyard(world.launch.environment(0), 'backup', backup);
      copyStopped(scene, folder);
      for (const kind of random.some(['page', 'page', 'header', 'truncated', 'wal', 'zeros'] as const, 2)) {
        const copy = join(folder, kind);
        mkdirSync(copy, { recursive: true, mode: 0o700 });
        for (const ending of ['', '-wal']) {
          if (existsSync(join(folder, fileName + ending)))
            copyFileSync(join(folder, fileName + ending), join(copy, fileName + ending));
        }
        damage(copy, kind, random);
        scene.tried(1);
        const problem = await problemOn(scene, copy);
        if (problem !== null) scene.violated(`${kind} damaged: ${problem}`);
      }
      const restored = join(folder, 'restored');
      mkdirSync(restored, { mode: 0o700 });
      copyFileSync(backup, join(restored, fileName));
      const problem = await problemOn(scene, restored);
      const unsound = problem ?? unsoundness(join(restored, fileName));
      if (unsound !== null) {
        scene.violated(`a backup does not serve: ${unsound}`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The files of the database, taken while all servers stand still: what a sudden end would leave. */
function copyStopped({ world }: Scene, folder: string): void {
  for (const server of world.servers) server.stop();
  try {
    for (const ending of ['', '-wal']) {
      const file = join(world.store.folder, fileName + ending);
      if (existsSync(file)) copyFileSync(file, join(folder, fileName + ending));
    }
  } finally {
    for (const server of world.servers) server.resume();
  }
}

export type Damage = 'page' | 'header' | 'truncated' | 'wal' | 'zeros';

function damage(folder: string, kind: Damage, random: Random): void {
  const file = join(
    folder,
    kind === 'wal' && existsSync(join(folder, `${fileName}-wal`)) ? `${fileName}-wal` : fileName,
  );
  writeFileSync(file, damaged(readFileSync(file), kind, random));
}

export function damaged(bytes: Buffer, kind: Damage, random: Random): Buffer {
  const pages = Math.floor(bytes.length / 4096);
  // Early in its life nearly all of a database is in its log.
  if (pages < 3 && kind !== 'wal') return bytes.fill(random.int(1, 255), 16, 60);
  switch (kind) {
    case 'wal':
      return bytes.subarray(0, Math.floor(bytes.length * random.next()));
    case 'truncated':
      return bytes.subarray(0, 4096 * random.int(1, pages - 1));
    case 'header':
      return bytes.fill(random.int(1, 255), 16, 60);
    default:
      for (let n = random.int(1, 4); n > 0; n -= 1) {
        const at = 4096 * random.int(1, pages - 1);
        if (kind === 'zeros') bytes.fill(0, at, at + 4096);
        else for (let byte = 0; byte < 400; byte += 1) bytes[at + byte] = random.int(0, 255);
      }
      return bytes;
  }
}

/** Starts a server on a directory; null when it refuses clearly or serves from a sound database. */
async function problemOn({ world }: Scene, folder: string): Promise<string | null> {
  const lives: Life[] = [];
  const env = { ...world.launch.environment(0), DATA_DIR: folder };
  const server = new Server(
    99,
    await freePort(),
    folder,
    { args: world.launch.args, env },
    { lives, steppable: false },
  );
  server.start();
  // A hang is what is looked for; how long a check of the file takes is the machine's affair.
  const ready = await server.ready(120_000);
  const { text } = server.logFrom(0);
  if (ready) {
    await server.kill();
    const unsound = unsoundness(join(folder, fileName));
    return unsound && `the server starts on it without a word: ${unsound}`;
  }
  if (server.alive) {
    await server.kill();
    return `the server neither serves nor ends: ${text.slice(-300)}`;
  }
  if (/^\s+at .+:\d+/m.test(text)) return `the server ends with a raw stack: ${text.slice(0, 300)}`;
  return text.includes(fileName) ? null : `the server does not say which file: ${text.slice(0, 300)}`;
}

/** What is wrong with a database, all rows and indexes included; null: it is whole. */
function unsoundness(file: string): string | null {
  if (!existsSync(file) || statSync(file).size === 0) return 'it is empty';
  try {
    const database = new DatabaseSync(file);
    try {
      const problems = database
        .prepare('pragma integrity_check(5)')
        .all()
        .map((row) => String(row['integrity_check']));
      return problems[0] === 'ok' ? null : problems.join('; ');
    } finally {
      database.close();
    }
  } catch (error) {
    return String(error);
  }
}
