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
    const processes = await Promise.all([1, 2, 3].map(() => startProcess(on, database, 'queue', engine)));
    for (const each of processes) expect(await each.next()).toBe('working');
    await queue.add(notes(150));
    const [first, second, third] = processes as [
      (typeof processes)[0],
      (typeof processes)[0],
      (typeof processes)[0],
    ];
    await expect.poll(() => ended(store).then(({ length }) => length)).toBeGreaterThan(20);
    first.child.kill('SIGKILL');
    await expect.poll(() => ended(store).then(({ length }) => length)).toBeGreaterThan(60);
    second.child.kill('SIGKILL');
    await expect.poll(() => ended(store), { timeout: 120_000 }).toEqual(numbers(150));
    const begun = processes.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begun')));
    // What the killed ones had begun was begun again.
    expect(begun.length).toBeGreaterThan(150);
    expect(new Set(begun).size).toBe(150);
    third.say('end');
    await third.ended;
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
