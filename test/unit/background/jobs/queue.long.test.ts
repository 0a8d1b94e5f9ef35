/** Processes that carry out tasks and are killed, and a database that is: no task is lost, and none ends twice. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Store } from '../../../../src/store/store.ts';
import { onEveryQueue, queueAt } from '../../../helpers/queues.ts';
import { onPostgres } from '../../../helpers/store.ts';
import { startPostgres } from '../../../helpers/store-postgres.ts';
import { startProcess } from '../../../helpers/store-process.ts';

async function makeEnded({ db }: Store): Promise<void> {
  await sql`create table ended (task text not null)`.execute(db);
}

async function ended({ db }: Store): Promise<string[]> {
  const { rows } = await sql<{ task: string }>`select task from ended order by task`.execute(db);
  return rows.map(({ task }) => task);
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(3, '0'));
const notes = (count: number) => numbers(count).map((n) => ({ name: 'note', payload: { n } }));

onEveryQueue('tasks of three processes', (on, engine) => {
  it('all end once though two of them are killed in the middle', async () => {
    const database = await on.database();
    const { queue, store } = await queueAt(on, engine, database, 'adds');
    await makeEnded(store);
    const killed = [
      await startProcess(on, database, 'queue', engine, 'stuck'),
      await startProcess(on, database, 'queue', engine, 'stuck'),
    ] as const;
    for (const each of killed) expect(await each.next()).toBe('working');
    await queue.add(notes(150));
    // Each has begun one that it will not end, whenever it is killed.
    const stuck = await Promise.all(killed.map((each) => each.next()));
    const third = await startProcess(on, database, 'queue', engine);
    for (const { say } of killed) say('go');
    for (const [n, { child, ended: hasEnded }] of killed.entries()) {
      await expect.poll(() => ended(store).then(({ length }) => length)).toBeGreaterThan(20 + 40 * n);
      child.kill('SIGKILL');
      await hasEnded;
    }
    await expect.poll(() => ended(store), { timeout: 120_000 }).toEqual(numbers(150));
    third.say('end');
    await third.ended;
    const begun = [...killed, third].flatMap(({ lines }) => lines.filter((line) => line.startsWith('begun')));
    // What the killed ones had begun was begun again.
    expect(stuck.map((line) => begun.filter((each) => each === line).length > 1)).toEqual([true, true]);
    expect(new Set(begun).size).toBe(150);
    expect(third.lines.at(-1)).toBe('closed');
    expect(third.lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});

onPostgres('tasks while the database is killed', (on) => {
  it.each(['table', 'pg-boss'] as const)('all end once, with %s', async (engine) => {
    const server = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-queue-'));
    on.cleanUp(() => rm(dataDir, { recursive: true, force: true }));
    on.cleanUp(() => server.stop());
    const database = { dataDir, databaseUrl: await server.database() };
    const store = await on.open(database);
    await makeEnded(store);
    const processes = [
      await startProcess(on, database, 'queue', engine),
      await startProcess(on, database, 'queue', engine),
    ];
    for (const each of processes) expect(await each.next()).toBe('working');
    const { queue } = await queueAt(on, engine, database, 'adds');
    await queue.add(notes(200));
    await expect.poll(() => ended(store).then(({ length }) => length)).toBeGreaterThan(20);
    await server.crash();
    await server.start();
    await expect.poll(() => ended(store).catch(() => []), { timeout: 120_000 }).toEqual(numbers(200));
    for (const { lines } of processes) expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
