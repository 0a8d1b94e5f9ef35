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
import { openPlace, type Place } from '../../helpers/store-place.ts';

const fileOf = ({ dataDir }: Place) => join(dataDir, 'switchyard.db');
const rest = async ({ dataDir }: Place) => (await readdir(dataDir)).sort();

/** A place whose database says `now`, and a backup of it that says `before`. */
async function withBackup(on: StoreTests): Promise<{ place: Place; backup: string }> {
  const place = await on.place();
  const backup = join((await on.place()).dataDir, 'backup.db');
  const store = await openPlace(place);
  await store.db.insertInto('settings').values({ name: 'state', value: 'before' }).execute();
  await store.backup(backup);
  await store.db.updateTable('settings').set({ value: 'now' }).where('name', '=', 'state').execute();
  await store.close();
  return { place, backup };
}

/** What a database says, through its log. */
async function stateOf(place: Place): Promise<string | undefined> {
  const store = await openPlace(place);
  const row = await store.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'state')
    .executeTakeFirst();
  await store.close();
  return row?.value;
}

/** Leaves the database as a killed server does: with a log that holds its last change. */
function leaveLog(place: Place, value: string): Promise<unknown> {
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(fileOf(place))});
    database.exec("update settings set value = '${value}' where name = 'state'");
    process.kill(process.pid, 'SIGKILL');`;
  return once(spawn(process.execPath, ['--input-type=module', '--eval', script]), 'exit');
}

onSqlite('a restore', (on) => {
  it('puts the backup in place and keeps what was there, with its log', async () => {
    const { place, backup } = await withBackup(on);
    await leaveLog(place, 'last');
    const given = await readFile(backup);
    const { replaced } = await restoreSqlite(backup, place.dataDir, new Date('2026-11-22T04:30:00Z'));
    expect(replaced).toBe(join(place.dataDir, 'replaced-2026-11-22T04-30-00-000Z.db'));
    expect(await stateOf(place)).toBe('before');
    expect(await readFile(backup)).toEqual(given);
    const kept = await on.place();
    for (const end of ['', '-wal']) await copyFile(`${replaced}${end}`, `${fileOf(kept)}${end}`);
    expect(await stateOf(kept)).toBe('last');
    const names = await rest(place);
    expect(names.filter((name) => !/^replaced-/.test(name))).toEqual([
      'switchyard.db',
      'switchyard.db-clean',
      'switchyard.db-restore-lock',
    ]);
  });

  it('makes a database where there is none', async () => {
    const { backup } = await withBackup(on);
    const place = await on.place();
    expect(await restoreSqlite(backup, join(place.dataDir, 'new'))).toMatchObject({ replaced: null });
    expect(await stateOf({ ...place, dataDir: join(place.dataDir, 'new') })).toBe('before');
  });

  it('is refused while anything has the database open, also a process of version 1.0', async () => {
    const { place, backup } = await withBackup(on);
    const store = await openPlace(place);
    await expect(restoreSqlite(backup, place.dataDir)).rejects.toThrow(/is in use; stop every server/);
    await store.close();
    const old = new DatabaseSync(fileOf(place));
    old.prepare('select * from settings').all();
    const before = await rest(place);
    await expect(restoreSqlite(backup, place.dataDir)).rejects.toThrow(/is in use; stop every server/);
    expect((await rest(place)).filter((name) => name !== 'switchyard.db-restore-lock')).toEqual(
      before.filter((name) => name !== 'switchyard.db-restore-lock'),
    );
    old.close();
    await restoreSqlite(backup, place.dataDir);
    expect(await stateOf(place)).toBe('before');
  });

  it('keeps servers from starting meanwhile', async () => {
    const { place, backup } = await withBackup(on);
    await restoreSqlite(backup, place.dataDir);
    const lock = new DatabaseSync(`${fileOf(place)}-restore-lock`);
    lock.exec('begin exclusive');
    await expect(openPlace(place)).rejects.toThrow(/is being restored; wait until that has ended/);
    lock.close();
    expect(await stateOf(place)).toBe('before');
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
      const { place, backup } = await withBackup(on);
      const before = await readFile(fileOf(place));
      await expect(restoreSqlite(await make(backup), place.dataDir)).rejects.toThrow(message);
      expect(await readFile(fileOf(place))).toEqual(before);
      expect((await rest(place)).filter((file) => !/-restore-lock$/.test(file))).toEqual([
        'switchyard.db',
        'switchyard.db-clean',
      ]);
      expect(await stateOf(place)).toBe('now');
    });
  }

  it('that was cut off before its decisive moment has changed nothing', async () => {
    const { place, backup } = await withBackup(on);
    await leaveLog(place, 'last');
    await writeFile(`${fileOf(place)}-restore-lock`, '');
    await writeFile(`${fileOf(place)}-unchecked`, 'half a cop');
    expect(await stateOf(place)).toBe('last');
    await restoreSqlite(backup, place.dataDir);
    expect(await stateOf(place)).toBe('before');
    expect(await rest(place)).not.toContain('switchyard.db-unchecked');
  });

  it('that was cut off after it is finished by the next start, without the old log', async () => {
    for (const removed of [[], ['-wal'], ['-wal', '-shm']]) {
      const { place, backup } = await withBackup(on);
      await leaveLog(place, 'last');
      await writeFile(`${fileOf(place)}-restore-lock`, '');
      await copyFile(backup, `${fileOf(place)}-unchecked`);
      await rename(`${fileOf(place)}-unchecked`, `${fileOf(place)}-restored`);
      for (const end of removed) await rm(`${fileOf(place)}${end}`);
      const several = await Promise.all(Array.from({ length: 3 }, () => stateOf(place)));
      expect(several).toEqual(['before', 'before', 'before']);
    }
  });

  it('that is killed leaves the old or the restored database, and finishes when it is done again', {
    timeout: 120_000,
  }, async () => {
    const random = randomOf(11);
    const seen = new Set<string | undefined>();
    for (let round = 0; round < 12; round += 1) {
      const { place, backup } = await withBackup(on);
      await leaveLog(place, 'last');
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(root, 'src/switchyard.js'), 'restore', backup],
        { env: { PATH: process.env['PATH'], DATA_DIR: place.dataDir, NODE_COMPILE_CACHE: compileCache } },
      );
      const ended = once(child, 'exit');
      // From the moment on that it begins its work.
      while (!(await rest(place)).includes('switchyard.db-restore-lock') && child.exitCode === null)
        await delay(1);
      await delay(random() * 40);
      child.kill('SIGKILL');
      await ended;
      const copy = await on.place();
      await mkdir(copy.dataDir, { recursive: true });
      for (const name of await rest(place))
        await copyFile(join(place.dataDir, name), join(copy.dataDir, name));
      const state = await stateOf(copy);
      seen.add(state);
      expect(['last', 'before']).toContain(state);
      expect((await switchyard({ DATA_DIR: place.dataDir }, 'restore', backup)).code).toBe(0);
      expect(await stateOf(place)).toBe('before');
    }
    expect([...seen]).not.toEqual([]);
  });
});
