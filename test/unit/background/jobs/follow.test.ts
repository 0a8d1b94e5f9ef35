import { describe, expect, it } from 'vitest';
import type { AgentRunEvent } from '../../../../generated/types.gen.ts';
import { type Followed, follow, Wakes } from '../../../../src/background/jobs/follow.ts';
import { eventsAtOnce } from '../../../../src/background/jobs/job-table.ts';
import { Recorder } from '../../../../src/background/jobs/recorder.ts';
import { RunStore } from '../../../../src/services/agents/run-store.ts';
import { gate } from '../../../helpers/factory.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';

const id = 'run_00000000000000000000000001';

async function runOn(on: StoreTests) {
  const runs = new RunStore(await on.open(await on.database()), 'here');
  const row = { id, tenant_id: 'acme', agent_id: 'a', request_id: 'r', background: 1, created_at: runs.now };
  await runs.begin(row);
  const wakes = new Wakes();
  const write = async (...texts: readonly string[]) => {
    await runs.append(
      id,
      texts.map((content) => ({ type: 'delta', step: 0, content })),
    );
    wakes.wake(id);
  };
  const end = async () => {
    const run = { id } as Extract<AgentRunEvent, { type: 'end' }>['run'];
    await runs.append(id, [{ type: 'end', run }], { status: 'succeeded', finishedAt: runs.now });
    wakes.wake(id);
  };
  const followed = (last: number, over: boolean): Followed<AgentRunEvent & { seq: number }> => ({
    id,
    last,
    over,
    wakes,
    read: (after) => runs.table.events(id, after),
    isEnd: ({ type }) => type === 'end',
    pause: () => ({ say: [], until: Number.POSITIVE_INFINITY }),
  });
  return { runs, wakes, write, end, followed };
}

const { signal } = new AbortController();
const numbersFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

async function numbersOf(events: AsyncIterable<{ readonly seq: number }>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { seq } of events) numbers.push(seq);
  return numbers;
}

onEveryStore('following a job', (on) => {
  it('that is over gives what comes after each number, and the end once more past it', async () => {
    const { write, end, followed } = await runOn(on);
    const count = eventsAtOnce * 2;
    await write(...Array.from({ length: count - 1 }, (_, index) => `${index}`));
    await end();
    const over = followed(count, true);
    for (const after of [0, 1, eventsAtOnce - 1, eventsAtOnce, eventsAtOnce + 1, count - 1])
      expect(await numbersOf(follow(over, after, signal))).toEqual(numbersFrom(after + 1, count));
    for (const after of [count, count + 1, 1_000_000])
      expect(await numbersOf(follow(over, after, signal))).toEqual([count]);
  });

  it('that goes on gives each event once, however they come, and nothing after the end', async () => {
    const { write, end, followed, wakes } = await runOn(on);
    await write('a');
    const [all, late, beyond] = [0, 1, 9].map((after) =>
      numbersOf(follow(followed(1, false), after, signal)),
    );
    await write('b', 'c');
    wakes.wakeAll();
    await write('d');
    await end();
    expect(await all).toEqual([1, 2, 3, 4, 5]);
    expect(await late).toEqual([2, 3, 4, 5]);
    expect(await beyond).toEqual([2, 3, 4, 5]);
    expect(wakes.size).toBe(0);
  });

  it('of another process looks again by itself', async () => {
    const { runs, followed } = await runOn(on);
    let looks = 0;
    const run = { id } as Extract<AgentRunEvent, { type: 'end' }>['run'];
    const numbers = await numbersOf(
      follow(
        {
          ...followed(0, false),
          async pause() {
            looks += 1;
            if (looks === 2)
              await runs.append(id, [{ type: 'end', run }], { status: 'succeeded', finishedAt: runs.now });
            return { say: [], until: performance.now() + 1 };
          },
        },
        0,
        signal,
      ),
    );
    expect(numbers).toEqual([1]);
    expect(looks).toBe(2);
  });

  it('ends when the reader is gone, and when the pause says so', async () => {
    const { followed, wakes } = await runOn(on);
    const reader = new AbortController();
    const reading = numbersOf(follow(followed(0, false), 0, reader.signal));
    reader.abort();
    expect(await reading).toEqual([]);
    const alarm = new AbortController();
    const stopping: Followed<AgentRunEvent & { seq: number }> = {
      ...followed(0, false),
      alarm: alarm.signal,
      pause: () => ({ say: [], until: alarm.signal.aborted ? null : Number.POSITIVE_INFINITY }),
    };
    const stopped = numbersOf(follow(stopping, 0, signal));
    alarm.abort();
    expect(await stopped).toEqual([]);
    expect(wakes.size).toBe(0);
  });

  it('gives what is stored, and throws why there is no more where the reader is to be told', async () => {
    const { write, end, followed, wakes } = await runOn(on);
    await write('a', 'b');
    const stopping = new Error('The server is stopping.');
    const reader = new AbortController();
    const told = { ...followed(2, false), isTold: (reason: unknown) => reason === stopping };
    const heard: number[] = [];
    const reading = (async () => {
      for await (const { seq } of follow(told, 0, reader.signal)) {
        heard.push(seq);
        if (seq === 2) reader.abort(stopping);
      }
    })();
    await expect(reading).rejects.toBe(stopping);
    expect(heard).toEqual([1, 2]);
    const late = numbersOf(follow(told, 2, AbortSignal.abort(stopping)));
    await expect(late).rejects.toBe(stopping);
    expect(await numbersOf(follow(told, 0, AbortSignal.abort(new Error('gone'))))).toEqual([]);
    await end();
    expect(await numbersOf(follow(told, 0, AbortSignal.abort(stopping)))).toEqual([1, 2, 3]);
    expect(wakes.size).toBe(0);
  });
});

describe('the recorder', () => {
  it('what comes while it is writing is written next, together and in its order, before anybody is told', async () => {
    const log: string[] = [];
    const gates = [gate(), gate()];
    const recorder = new Recorder<number>(
      async (items) => {
        log.push(`begin ${items}`);
        await gates.shift()?.opened;
        log.push(`end ${items}`);
      },
      () => log.push('told'),
    );
    const [first, second] = gates;
    const taken = [recorder.take(1), recorder.take(2, 3), recorder.take(4)].map((each, index) =>
      each.then(() => log.push(`took ${index}`)),
    );
    expect(log).toEqual(['begin 1']);
    first?.open();
    await taken[0];
    expect(log).toEqual(['begin 1', 'end 1', 'told', 'begin 2,3,4', 'took 0']);
    second?.open();
    await Promise.all(taken);
    expect(log.slice(5)).toEqual(['end 2,3,4', 'told', 'took 1', 'took 2']);
  });

  it('what cannot be written is refused with all that was gathered with it, and what comes later is tried', async () => {
    const written: number[] = [];
    let told = 0;
    const recorder = new Recorder<number>(
      async (items) => {
        if (items.includes(2)) throw new Error('no 2');
        written.push(...items);
      },
      () => {
        told += 1;
      },
    );
    const results = await Promise.allSettled([recorder.take(1), recorder.take(2), recorder.take(3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await recorder.take(4);
    expect(written).toEqual([1, 4]);
    expect(told).toBe(2);
  });
});
