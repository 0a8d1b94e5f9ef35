/** What every adapter of the queue keeps: each task is taken up by one process, and comes to one end. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { HeldTask, TaskKind } from '../../../../src/background/jobs/queue/task.ts';
import type { Store } from '../../../../src/store/store.ts';
import { eventually, gate } from '../../../helpers/factory.ts';
import { onEveryQueue, queueAt } from '../../../helpers/queues.ts';

/** A kind whose tasks each write a row when they end, and what was begun of it. */
function noting(more: Partial<TaskKind> = {}) {
  const begun: HeldTask[] = [];
  const kind: TaskKind = {
    name: 'note',
    concurrency: 4,
    async run(task) {
      begun.push(task);
      return (db) =>
        sql`insert into ended (task) values (${String(task.payload['n'])})`.execute(db).then(() => {});
    },
    ...more,
  };
  return { kind, begun };
}

async function ended({ db }: Store): Promise<string[]> {
  const { rows } = await sql<{ task: string }>`select task from ended order by task`.execute(db);
  return rows.map(({ task }) => task);
}

const notes = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: 'note', payload: { n: String(n).padStart(3, '0') } }));

onEveryQueue('tasks', (on, engine) => {
  async function database() {
    const made = await on.database();
    const store = await on.open(made);
    await sql`create table ended (task text not null)`.execute(store.db);
    return made;
  }

  it('are each taken up by one of three processes, and all come to one end', async () => {
    const made = await database();
    const { kind, begun } = noting();
    const [first, ...others] = await Promise.all(
      ['a', 'b', 'c'].map((id) => queueAt(on, engine, made, id, [kind])),
    );
    if (!first) throw new Error('no queue');
    await first.queue.add(notes(60));
    await expect.poll(() => ended(first.store)).toHaveLength(60);
    expect(await ended(first.store)).toEqual(notes(60).map(({ payload }) => payload.n));
    expect(begun).toHaveLength(60);
    expect(begun.every(({ attempt, key, group }) => attempt === 1 && key === null && group === null)).toBe(
      true,
    );
    await expect.poll(() => first.queue.counts('note')).toEqual({ waiting: 0, running: 0 });
    expect([first, ...others].flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('that are added in a transaction are there with it, or not at all', async () => {
    const made = await database();
    const { kind, begun } = noting();
    const { queue, store } = await queueAt(on, engine, made, 'a', [kind]);
    const failed = store.db.transaction().execute(async (db) => {
      await queue.add([{ name: 'note', payload: { n: 'undone' } }], db);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    await store.db.transaction().execute((db) => queue.add([{ name: 'note', payload: { n: 'done' } }], db));
    await expect.poll(() => ended(store)).toEqual(['done']);
    expect(begun).toHaveLength(1);
  });

  it('of one key wait once, and one may wait beside one that runs', async () => {
    const made = await database();
    const [reached, going] = [gate(), gate()];
    const { kind, begun } = noting({ concurrency: 1 });
    const held: TaskKind = {
      ...kind,
      async run(task, signal) {
        reached.open();
        await going.opened;
        return kind.run(task, signal);
      },
    };
    const { queue, store } = await queueAt(on, engine, made, 'a', [held]);
    const add = (n: string) => queue.add([{ name: 'note', key: 'one', payload: { n } }]);
    await add('1');
    await reached.opened;
    await add('2');
    await add('3');
    expect(await queue.counts('note')).toEqual({ waiting: 1, running: 1 });
    going.open();
    await expect.poll(() => ended(store)).toEqual(['1', '2']);
    expect(begun.map(({ key }) => key)).toEqual(['one', 'one']);
  });

  it('wait for their time', async () => {
    const made = await database();
    const { kind, begun } = noting();
    const { queue, store } = await queueAt(on, engine, made, 'a', [kind]);
    await queue.add([
      { name: 'note', payload: { n: 'later' }, runAt: store.clock.now() + 3_600_000 },
      { name: 'note', payload: { n: 'soon' }, runAt: store.clock.now() + 300 },
      { name: 'note', payload: { n: 'now' } },
    ]);
    await expect.poll(() => ended(store)).toEqual(['now', 'soon']);
    expect(begun.map(({ payload }) => payload['n'])).toEqual(['now', 'soon']);
    expect((await queue.counts('note')).waiting).toBe(1);
  });

  it('that fail are begun again, and given up after so many times', async () => {
    const made = await database();
    let tries = 0;
    const { kind } = noting({
      maxAttempts: 2,
      async run() {
        tries += 1;
        throw new TypeError('of a prompt');
      },
    });
    const { queue, errors } = await queueAt(on, engine, made, 'a', [kind]);
    await queue.add([{ name: 'note', payload: { n: 'x' } }]);
    await expect.poll(() => errors).toHaveLength(1);
    expect(errors[0]).toMatchObject([{ message: 'of a prompt' }, { attempt: 2 }]);
    expect(tries).toBe(2);
    await expect.poll(() => queue.counts('note')).toEqual({ waiting: 0, running: 0 });
  });

  it('end together with what belongs to it: what cannot be written is begun again', async () => {
    const made = await database();
    const { kind, begun } = noting();
    const { queue, store } = await queueAt(on, engine, made, 'a', [
      {
        ...kind,
        async run(task, signal) {
          const finish = await kind.run(task, signal);
          return async (db) => {
            await finish?.(db);
            if (task.attempt === 1) throw new Error('not this time');
          };
        },
      },
    ]);
    await queue.add([{ name: 'note', payload: { n: 'once' } }]);
    await expect.poll(() => begun.length).toBe(2);
    await expect.poll(() => ended(store)).toEqual(['once']);
  });

  it('are cancelled where they wait, and where another process runs them; what those still do is not kept', async () => {
    const made = await database();
    const [reached, going] = [gate(), gate()];
    let reason: unknown = null;
    const { kind, begun } = noting({ concurrency: 1 });
    const other = await queueAt(on, engine, made, 'other', [
      {
        ...kind,
        async run(task, signal) {
          reached.open();
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            going.open();
          });
          await going.opened;
          return kind.run(task, signal);
        },
      },
    ]);
    const { queue, store } = await queueAt(on, engine, made, 'a');
    await queue.add([{ name: 'note', key: 'runs', payload: { n: 'runs' } }]);
    await reached.opened;
    await queue.add([
      { name: 'note', key: 'waits', payload: { n: 'waits' }, runAt: store.clock.now() + 500 },
    ]);
    await queue.cancel('note', 'waits');
    await queue.cancel('note', 'runs');
    await eventually(() => begun.length === 1);
    expect(reason).toMatchObject({ name: 'TaskStopped', reason: 'lost' });
    await expect.poll(() => queue.counts('note')).toEqual({ waiting: 0, running: 0 });
    expect(await ended(store)).toEqual([]);
    expect(other.errors).toEqual([]);
  });

  it('of one group run no more at a time than is said, in all processes together', async () => {
    const made = await database();
    let [running, most] = [0, 0];
    const { kind } = noting({ perGroup: 2 });
    const bounded: TaskKind = {
      ...kind,
      async run(task, signal) {
        if (task.group === 'flood') {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 20));
          running -= 1;
        }
        return kind.run(task, signal);
      },
    };
    const queues = await Promise.all(['a', 'b', 'c'].map((id) => queueAt(on, engine, made, id, [bounded])));
    const [first] = queues;
    if (!first) throw new Error('no queue');
    await first.queue.add(notes(12).map((task) => ({ ...task, group: 'flood' })));
    await first.queue.add([{ name: 'note', payload: { n: 'other' }, group: 'other' }]);
    await expect.poll(() => ended(first.store)).toHaveLength(13);
    expect(most).toBe(2);
    expect(queues.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('that run are given back when their process ends, and another takes them up', async () => {
    const made = await database();
    const reached = gate();
    const stuck: TaskKind = {
      name: 'note',
      concurrency: 1,
      run: (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          reached.open();
        }),
    };
    const first = await queueAt(on, engine, made, 'first', [stuck]);
    await first.queue.add([{ name: 'note', payload: { n: 'x' } }]);
    await reached.opened;
    await first.queue.close();
    const { kind, begun } = noting();
    const { store } = await queueAt(on, engine, made, 'second', [kind]);
    await expect.poll(() => ended(store)).toEqual(['x']);
    expect(begun).toMatchObject([{ attempt: 2 }]);
    expect(first.errors).toEqual([]);
  });
});
