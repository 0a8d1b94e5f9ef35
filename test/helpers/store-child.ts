/**
 * A process on a test's database, whose arguments say what to do: `admit <count> [<limit>]` asks for so many admissions
 * at once when a line comes in, and says how many it got; `press <limit>` asks again and again from the first line on, by
 * a limit of requests a minute, of which half may run; `load <name>` admits and settles without end from the first line
 * on, and says what was acknowledged; `ask` asks for as many admissions at once as each line says, and says how many it
 * got; `agent` begins a run
 * of an agent in the background when a line comes in, and says its id; `build` takes a build up to its
 * first file, and when a line comes in to its end, and says what went wrong; `queue <adapter> [stuck]` carries out tasks, each of
 * which writes a row when it ends, says what it begins, and closes when a line comes in; stuck, it ends none before a first
 * line, and never the task that it began first.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { openQueue, type QueueSettings } from '../../src/background/jobs/queue/queue.ts';
import { Secret } from '../../src/lib/redact.ts';
import { StoreError } from '../../src/store/errors.ts';
import { admitted, askFor, openAccountsAt, success } from './store-accounts.ts';
import type { Database } from './test-database.ts';

const [, , databaseText = '', task = '', argument = '', more = ''] = process.argv;
const database = JSON.parse(databaseText) as Database;
const accounts = await openAccountsAt(database);
const input = createInterface({ input: process.stdin });
/** The reader has it when this returns, also if the reader is busy and this process is killed then. */
const say = (line: string) => writeSync(1, `${line}\n`);
say('ready');

if (task === 'admit') {
  await once(input, 'line');
  const ask = askFor(accounts, 'acme', { ...accounts.plans.free, requestsPerMinute: Number(more || 10) });
  const results = await Promise.all(Array.from({ length: Number(argument) }, () => patiently(ask)));
  say(String(results.filter((result) => result.admitted).length));
  await end();
}

if (task === 'ask') {
  const ask = askFor(accounts, 'acme', accounts.plans.free);
  for await (const line of input) {
    const results = await Promise.all(Array.from({ length: Number(line) }, () => patiently(ask)));
    say(String(results.filter((result) => result.admitted).length));
  }
  await end();
}

if (task === 'load') {
  await once(input, 'line');
  const ask = askFor(accounts, 'acme', accounts.plans.enterprise);
  let number = 0;
  const work = async () => {
    for (;;) {
      number += 1;
      const requestId = `${argument}-${number}`;
      const admission = admitted(await ask({ requestId }));
      say(`admitted ${requestId}`);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
      await admission.settle(success);
      say(`settled ${requestId}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

if (task === 'press') {
  await once(input, 'line');
  const limit = Number(argument);
  const ask = askFor(accounts, 'acme', {
    ...accounts.plans.enterprise,
    requestsPerMinute: limit,
    concurrentRequests: Math.ceil(limit / 2),
  });
  const work = async () => {
    for (;;) {
      const result = await ask();
      const pauseMs = Math.random() * 20;
      if (!result.admitted) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        continue;
      }
      say('admitted');
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      await result.admission.settle(success);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

if (task === 'agent') {
  await once(input, 'line');
  const { openTestAgents, startRun } = await import('./store-agents.ts');
  const agents = await openTestAgents(accounts, (error, what) => {
    if (!isMissed(error)) throw new Error(`agents: ${what}`, { cause: error });
  });
  say((await startRun(agents, 'slow')).id);
}

if (task === 'build') {
  const { gate, scripted } = await import('./factory.ts');
  const { buildsOn } = await import('./store-agents.ts');
  const [reached, going] = [gate(), gate()];
  const builder = scripted((report) => {
    if (report.type !== 'file') return undefined;
    reached.open();
    return going.opened;
  });
  const { runner, errors } = buildsOn(accounts.store, accounts.instanceId, async () => builder, 1);
  await runner.start();
  await reached.opened;
  say(accounts.instanceId);
  await once(input, 'line');
  going.open();
  while (runner.running > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  say(JSON.stringify(errors.filter((error) => !isMissed(error)).map(String)));
}

if (task === 'queue') {
  const { databaseUrl } = database;
  const queue = await openQueue(accounts.store, {
    queue: argument as QueueSettings['queue'],
    databaseUrl: databaseUrl === null ? null : new Secret(databaseUrl),
    instanceId: accounts.instanceId,
    onError: (error, held) => {
      if (held === null && !isMissed(error)) say(`error ${String(error)}`);
    },
  });
  let stuck = more === 'stuck';
  const going = stuck ? once(input, 'line') : null;
  queue.handle({
    name: 'note',
    concurrency: 5,
    // A database that restarts must not use them up.
    maxAttempts: 100,
    async run({ payload: { n } }) {
      const neverEnds = stuck;
      stuck = false;
      say(`begun ${n}`);
      if (neverEnds) await new Promise(() => undefined);
      await going;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return async (db) => {
        await sql`insert into ended (task) values (${String(n)})`.execute(db);
      };
    },
  });
  await queue.start();
  say('working');
  await going;
  await once(input, 'line');
  await queue.close();
  say('closed');
  await end();
}

/** On a busy machine the database may answer too late. As nothing was done then, one asks again, as a client does after a 503. */
async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isMissed(error) || (error as StoreError).mayBeDone) throw error;
    }
  }
}

/** A process that was held up has missed what its database answered meanwhile, or others have. It says so and continues. */
function isMissed(error: unknown): boolean {
  return error instanceof StoreError && ['unreachable', 'slow', 'locked'].includes(error.failure);
}

async function end(): Promise<never> {
  await accounts.close();
  await accounts.store.close();
  process.exit(0);
}
