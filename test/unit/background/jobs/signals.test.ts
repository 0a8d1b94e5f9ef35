/** What processes do on a signal of another one, where they would not look by themselves for days. */
import { expect, it, vi } from 'vitest';
import type { AgentRunEvent } from '../../../../generated/types.gen.ts';
import type { Signals } from '../../../../src/lib/signals.ts';
import type { RunKey } from '../../../../src/services/agents/run-store.ts';
import type { AgentService } from '../../../../src/services/agents/service.ts';
import { BuildStore } from '../../../../src/services/builds/build-store.ts';
import { openFactory } from '../../../../src/services/builds/open-factory.ts';
import { PostgresSignals } from '../../../../src/store/postgres/signals.ts';
import { RedisLink } from '../../../../src/store/redis/link.ts';
import { RedisSignals } from '../../../../src/store/redis/signals.ts';
import { equalWeights, scripted } from '../../../helpers/factory.ts';
import { heard } from '../../../helpers/queues.ts';
import { onRedis, type TestRedis } from '../../../helpers/redis.ts';
import { onPostgres, type StoreTests } from '../../../helpers/store.ts';
import { type TestAccounts, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { accept, buildContext, embedded, openTestAgents, startRun } from '../../../helpers/store-agents.ts';
import type { Database } from '../../../helpers/test-database.ts';

/** Longer than any test takes, and as long as a timer can wait. */
const never = 2_000_000_000;

/** Makes the signals of a process, closed after the test. */
type Open = (on: StoreTests, database: Database) => Signals;

const onDatabase: Open = (on, { databaseUrl }) => {
  const signals = new PostgresSignals(databaseUrl ?? '');
  on.cleanUp(() => signals.close());
  return signals;
};

const onServer =
  (server: () => TestRedis): Open =>
  (on) => {
    const link = new RedisLink({
      url: server().url,
      onProblem: () => undefined,
      onBack: () => undefined,
    });
    const signals = new RedisSignals(link);
    on.cleanUp(async () => {
      await signals.close();
      await link.close();
    });
    return signals;
  };

/** Two processes on one database that hear each other. */
async function two(on: StoreTests, open: Open): Promise<{ accounts: TestAccounts; signals: Signals }[]> {
  const database = await on.database();
  const processes = [];
  for (let count = 0; count < 2; count += 1) {
    const signals = open(on, database);
    processes.push({ accounts: await testAccounts(on, { signals }, database), signals });
  }
  const [here, there] = processes;
  if (here && there)
    await Promise.all([heard(here.signals, there.signals), heard(there.signals, here.signals)]);
  return processes;
}

async function eventsOf(agents: AgentService, key: RunKey): Promise<AgentRunEvent[]> {
  const events: AgentRunEvent[] = [];
  for await (const event of await agents.events(key, 0, new AbortController().signal)) events.push(event);
  return events;
}

onPostgres('a process that is signalled over PostgreSQL', (on) => heeding(on, onDatabase));
onRedis('a process that is signalled', (server) =>
  onPostgres('and is', (on) => heeding(on, onServer(server))),
);

function heeding(on: StoreTests, open: Open): void {
  it('shows a run of another one to its end', async () => {
    const [here, there] = await Promise.all(
      (await two(on, open)).map(async ({ accounts, signals }) => {
        const agents = await openTestAgents(accounts, undefined, {
          signals,
          pace: { sweepMs: 50, pollMs: never },
        });
        on.cleanUp(() => agents.close());
        return { accounts, agents };
      }),
    );
    if (!here || !there) throw new Error('there are two');
    await tenantOn(here.accounts, 'acme', 'enterprise');
    const key = await startRun(here.agents, 'slow');
    const watching = eventsOf(there.agents, key);
    // Read by another process before anything of it is stored, or soon after: what comes then is news.
    await here.agents.cancel(key);
    expect((await watching).at(-1)).toMatchObject({ type: 'end', run: { status: 'cancelled' } });
  });

  it('shows a build of another one to its end', async () => {
    const processes = await two(on, open);
    const go = Promise.withResolvers<void>();
    const factories = await Promise.all(
      processes.map(({ accounts, signals }, index) =>
        openFactory(
          {
            store: accounts.store,
            metering: accounts,
            plans: accounts.plans,
            pseudonym: (text) => text,
            signals,
          },
          {
            publicUrl: 'http://127.0.0.1:8080',
            previewDomain: null,
            // Only the first one builds.
            concurrency: index === 0 ? 1 : 0,
            threads: 1,
            queue: 10,
            engine: embedded,
            tickMs: 20,
            follow: { heartbeatMs: never, pollMs: never, maxDurationMs: never },
            loadBuilder: async () => {
              await go.promise;
              return scripted();
            },
            onError: (error) => {
              throw error;
            },
          },
        ),
      ),
    );
    for (const factory of factories) on.cleanUp(() => factory.close());
    const [, watcher] = factories;
    const store = processes[0]?.accounts.store;
    if (!watcher || !store) throw new Error('there are two');
    const id = await accept(new BuildStore(store, buildContext, equalWeights));
    const reader = { client: '127.0.0.1', signal: new AbortController().signal };
    const { events } = await watcher.service.watch(id, null, 0, reader);
    const kinds: string[] = [];
    for await (const event of events) if (kinds.push(event.type) === 1) go.resolve();
    expect(kinds.length).toBeGreaterThan(2);
    expect(kinds.at(-1)).toMatch(/^job\./);
  });

  it('takes a key for revoked that was, although it has just seen it good', async () => {
    const [here, there] = await two(on, open);
    if (!here || !there) throw new Error('there are two');
    await here.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const { key, text } = await here.accounts.storedKeys.create({ tenantId: 'acme' }, 'test');
    // The clock by which what was seen grows old stands still: the signal alone can bring it to light.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    try {
      const { verify } = there.accounts.keys;
      const verdict = async () => (await verify.call(there.accounts.keys, text))?.keyId ?? null;
      await expect.poll(verdict).toBe(key.id);
      await here.accounts.storedKeys.revoke({ id: key.id, tenantId: null }, 'test');
      await expect.poll(verdict).toBe(null);
    } finally {
      vi.restoreAllMocks();
    }
  });
}
