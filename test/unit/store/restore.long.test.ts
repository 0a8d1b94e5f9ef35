import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { restoreSqlite } from '../../../src/store/sqlite/restore.ts';
import { switchyard } from '../../helpers/cli.ts';
import { root } from '../../helpers/contract.ts';
import { overwrite, randomOf } from '../../helpers/damage.ts';
import { compileCache } from '../../helpers/server-process.ts';
import { onSqlite, type StoreTests } from '../../helpers/store.ts';
import { type Database, openDatabase } from '../../helpers/test-database.ts';

const fileOf = ({ dataDir }: Database) => join(dataDir, 'switchyard.db');
const rest = async ({ dataDir }: Database) => (await readdir(dataDir)).sort();

/** A database that says `now`, and a backup of it that says `before`. */
async function withBackup(on: StoreTests): Promise<{ database: Database; backup: string }> {
  const database = await on.database();
  const backup = join((await on.database()).dataDir, 'backup.db');
  const store = await openDatabase(database);
  await store.db.insertInto('settings').values({ name: 'state', value: 'before' }).execute();
  await store.backup(backup);
  await store.db.updateTable('settings').set({ value: 'now' }).where('name', '=', 'state').execute();
  await store.close();
  return { database, backup };
}

/** What a database says, through its log. */
async function stateOf(database: Database): Promise<string | undefined> {
  const store = await openDatabase(database);
  const row = await store.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'state')
    .executeTakeFirst();
  await store.close();
  return row?.value;
}

/** Leaves the database as a killed server does: with a log that holds its last change. */
function leaveLog(database: Database, value: string): Promise<unknown> {
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(fileOf(database))});
    database.exec("update settings set value = '${value}' where name = 'state'");
    process.kill(process.pid, 'SIGKILL');`;
  return once(spawn(process.execPath, ['--input-type=module', '--eval', script]), 'exit');
}

onSqlite('a restore', (on) => {
  it('puts the backup in place and keeps what was there, with its log', async () => {
    const { database, backup } = await withBackup(on);
    await leaveLog(database, 'last');
    const given = await readFile(backup);
    const { replaced } = await restoreSqlite(backup, database.dataDir, new Date('2026-11-22T04:30:00Z'));
    expect(replaced).toBe(join(database.dataDir, 'replaced-2026-11-22T04-30-00-000Z.db'));
    expect(await stateOf(database)).toBe('before');
    expect(await readFile(backup)).toEqual(given);
    const kept = await on.database();
    for (const end of ['', '-wal']) await copyFile(`${replaced}${end}`, `${fileOf(kept)}${end}`);
    expect(await stateOf(kept)).toBe('last');
    const names = await rest(database);
    expect(names.filter((name) => !/^replaced-/.test(name))).toEqual([
      'switchyard.db',
      'switchyard.db-clean',
      'switchyard.db-restore-lock',
    ]);
  });

  it('makes a database where there is none', async () => {
    const { backup } = await withBackup(on);
    const database = await on.database();
    expect(await restoreSqlite(backup, join(database.dataDir, 'new'))).toMatchObject({ replaced: null });
    expect(await stateOf({ ...database, dataDir: join(database.dataDir, 'new') })).toBe('before');
  });

  it('is refused while anything has the database open, also a process of version 1.0', async () => {
    const { database, backup } = await withBackup(on);
    const store = await openDatabase(database);
    await expect(restoreSqlite(backup, database.dataDir)).rejects.toThrow(/is in use; stop every server/);
    await store.close();
    const old = new DatabaseSync(fileOf(database));
    old.prepare('select * from settings').all();
    const before = await rest(database);
    await expect(restoreSqlite(backup, database.dataDir)).rejects.toThrow(/is in use; stop every server/);
    expect((await rest(database)).filter((name) => name !== 'switchyard.db-restore-lock')).toEqual(
      before.filter((name) => name !== 'switchyard.db-restore-lock'),
    );
    old.close();
    await restoreSqlite(backup, database.dataDir);
    expect(await stateOf(database)).toBe('before');
  });

  it('keeps servers from starting meanwhile', async () => {
    const { database, backup } = await withBackup(on);
    await restoreSqlite(backup, database.dataDir);
    const lock = new DatabaseSync(`${fileOf(database)}-restore-lock`);
    lock.exec('begin exclusive');
    await expect(openDatabase(database)).rejects.toThrow(/is being restored; wait until that has ended/);
    lock.close();
    expect(await stateOf(database)).toBe('before');
  });

  const wrong: Readonly<
    Record<string, readonly [make: (backup: string) => Promise<string>, message: RegExp]>
  > = {
    'that is not there': [async (backup) => `${backup}-none`, /There is no file/],
    'that is a directory': [async (backup) => join(backup, '..'), /is no file/],
    'that is no database': [
      async (backup) => {
        await writeFile(backup, 'no database '.repeat(1000));
        return backup;
      },
      /is itself damaged \(file is not a database\)/,
    ],
    'that is damaged': [
      async (backup) => {
        await overwrite(backup, 12_288, new Uint8Array(4096));
        return backup;
      },
      /is itself damaged \(.*\); take another backup/,
    ],
    'that is cut': [
      async (backup) => {
        await writeFile(backup, (await readFile(backup)).subarray(0, 40_000));
        return backup;
      },
      /is itself damaged/,
    ],
    'without contents': [
      async (backup) => {
        await writeFile(backup, '');
        return backup;
      },
      /is an empty database/,
    ],
    'of another program': [
      async (backup) => {
        await rm(backup);
        const other = new DatabaseSync(backup);
        other.exec('create table bookmarks (url text)');
        other.close();
        return backup;
      },
      /is a database of another program/,
    ],
    'of a newer version': [
      async (backup) => {
        const newer = new DatabaseSync(backup);
        newer.exec("insert into kysely_migration values ('9999-newer', '')");
        newer.close();
        return backup;
      },
      /was written by a newer version of Switchyard \(step 9999-newer\)/,
    ],
    'with a log beside it': [
      async (backup) => {
        await writeFile(`${backup}-wal`, 'pages');
        return backup;
      },
      /has a log beside it \(backup\.db-wal\), so it is no finished backup/,
    ],
  };
  for (const [name, [make, message]] of Object.entries(wrong)) {
    it(`refuses a backup ${name}, and changes nothing`, async () => {
      const { database, backup } = await withBackup(on);
      const before = await readFile(fileOf(database));
      await expect(restoreSqlite(await make(backup), database.dataDir)).rejects.toThrow(message);
      expect(await readFile(fileOf(database))).toEqual(before);
      expect((await rest(database)).filter((file) => !/-restore-lock$/.test(file))).toEqual([
        'switchyard.db',
        'switchyard.db-clean',
      ]);
      expect(await stateOf(database)).toBe('now');
    });
  }

  it('that was cut off before its decisive moment has changed nothing', async () => {
    const { database, backup } = await withBackup(on);
    await leaveLog(database, 'last');
    await writeFile(`${fileOf(database)}-restore-lock`, '');
    await writeFile(`${fileOf(database)}-unchecked`, 'half a cop');
    expect(await stateOf(database)).toBe('last');
    await restoreSqlite(backup, database.dataDir);
    expect(await stateOf(database)).toBe('before');
    expect(await rest(database)).not.toContain('switchyard.db-unchecked');
  });

  it('that was cut off after it is finished by the next start, without the old log', async () => {
    for (const removed of [[], ['-wal'], ['-wal', '-shm']]) {
      const { database, backup } = await withBackup(on);
      await leaveLog(database, 'last');
      await writeFile(`${fileOf(database)}-restore-lock`, '');
      await copyFile(backup, `${fileOf(database)}-unchecked`);
      await rename(`${fileOf(database)}-unchecked`, `${fileOf(database)}-restored`);
      for (const end of removed) await rm(`${fileOf(database)}${end}`);
      const several = await Promise.all(Array.from({ length: 3 }, () => stateOf(database)));
      expect(several).toEqual(['before', 'before', 'before']);
    }
  });

  it('that is killed leaves the old or the restored database, and finishes when it is done again', async () => {
    const random = randomOf(11);
    const seen = new Set<string | undefined>();
    for (let round = 0; round < 12; round += 1) {
      const { database, backup } = await withBackup(on);
      await leaveLog(database, 'last');
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(root, 'src/switchyard.js'), 'restore', backup],
        { env: { PATH: process.env['PATH'], DATA_DIR: database.dataDir, NODE_COMPILE_CACHE: compileCache } },
      );
      const ended = once(child, 'exit');
      // From the moment on that it begins its work.
      while (!(await rest(database)).includes('switchyard.db-restore-lock') && child.exitCode === null)
        await delay(1);
      await delay(random() * 40);
      child.kill('SIGKILL');
      await ended;
      const copy = await on.database();
      await mkdir(copy.dataDir, { recursive: true });
      for (const name of await rest(database))
        await copyFile(join(database.dataDir, name), join(copy.dataDir, name));
      const state = await stateOf(copy);
      seen.add(state);
      expect(['last', 'before']).toContain(state);
      expect(await switchyard({ DATA_DIR: database.dataDir }, 'restore', backup)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/key-secret is missing, .*: put the file key-secret there/),
      });
      expect(await stateOf(database)).toBe('before');
    }
    expect([...seen]).not.toEqual([]);
  });
});
