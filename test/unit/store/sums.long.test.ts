import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { checkStore } from '../../../src/store/check/check-store.ts';
import type { AdmissionRow, Settlement } from '../../../src/store/ledger.ts';
import type { Store } from '../../../src/store/store.ts';
import { sumOfAll } from '../../../src/store/sums/recount.ts';
import { byName, sumColumns, tokenColumns } from '../../../src/store/token-columns.ts';
import { Presence } from '../../../src/tenants/metering/presence.ts';
import { settleAbandoned } from '../../../src/tenants/metering/settle-abandoned.ts';
import { uncounted } from '../../../src/tenants/metering/settlements.ts';
import { usageByDay } from '../../../src/tenants/metering/usage.ts';
import { onEveryStore } from '../../helpers/store.ts';
import { openAccountsAt, type TestAccounts, tenantOn } from '../../helpers/store-accounts.ts';
import { type Database, openDatabase, TestClock } from '../../helpers/test-database.ts';

const tenants = ['acme', 'other'] as const;
const models = ['gpt-4o', 'claude', null] as const;
const nodes = 3;

/** What may happen; numbers choose among what there is. */
type Step =
  | { readonly do: 'admit'; readonly node: number; readonly tenant: number; readonly tagged: boolean }
  /** `amended`: one ends otherwise while the database is writing, as its client goes away. */
  | {
      readonly do: 'settle';
      readonly node: number;
      readonly count: number;
      readonly model: number;
      readonly amended: boolean;
    }
  /** Written, and the answer lost: it is written again. */
  | { readonly do: 'settle in doubt'; readonly node: number; readonly model: number }
  /** An end that was written before is written once more, as something else. */
  | { readonly do: 'settle again'; readonly node: number; readonly which: number }
  | { readonly do: 'sum'; readonly node: number }
  /** Somebody wants to know what all have settled by now. */
  | { readonly do: 'read' }
  /** Counts as ended, whether it is or not: it runs on if it is not `killed`. */
  | { readonly do: 'bury'; readonly node: number; readonly killed: boolean };

const node = fc.nat(nodes - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('admit'), node, tenant: fc.nat(1), tagged: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('settle'),
      node,
      count: fc.nat(3),
      model: fc.nat(2),
      amended: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle in doubt'), node, model: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle again'), node, which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sum'), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('bury'), node, killed: fc.boolean() }) },
) as fc.Arbitrary<Step>;

onEveryStore('the sums of days', (on) => {
  it('are those of the ledger, however processes share the work, are taken for gone and write again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const database = await on.database();
        const accounts = await openAccountsAt(database, { clock: new TestClock() });
        const world = await World.open(accounts, database);
        try {
          for (const one of steps) await world.take(one);
          await world.end();
          expect(await checkStore(accounts.store)).toEqual([]);
          for (const tenant of tenants) {
            expect(await summed(accounts.store, tenant)).toEqual(await expected(accounts.store, tenant));
            expect(await tagged(accounts.store, tenant)).toEqual(
              await expectedOfTags(accounts.store, tenant),
            );
          }
          expect(
            await usageByDay(accounts.store, 'acme', { from: '2026-03-10', to: '2026-03-10' }),
          ).toHaveLength(await groups(accounts.store));
        } finally {
          await world.close();
          await accounts.close();
          await accounts.store.close();
        }
      }),
      { numRuns: 15 },
    );
  });
});

interface Process {
  id: string;
  store: Store;
  sequence: number;
}

class World {
  readonly #database: Database;
  readonly #watch: TestAccounts;
  readonly #processes: Process[] = [];
  readonly #stores: Store[] = [];
  readonly #open: AdmissionRow[] = [];
  readonly #settled: AdmissionRow[] = [];
  #number = 0;

  static async open(accounts: TestAccounts, database: Database): Promise<World> {
    for (const tenant of tenants) await tenantOn(accounts, tenant, 'enterprise');
    const world = new World(accounts, database);
    for (let index = 0; index < nodes; index += 1) await world.#start(index);
    return world;
  }

  private constructor(watch: TestAccounts, database: Database) {
    this.#watch = watch;
    this.#database = database;
  }

  async take(one: Step): Promise<void> {
    if (one.do === 'read') return this.#read();
    const process = this.#processes[one.node] as Process;
    if (one.do === 'admit') await this.#admit(process, tenants[one.tenant] ?? 'acme', one.tagged);
    if (one.do === 'settle') await this.#settle(process, this.#open.splice(0, one.count), one);
    if (one.do === 'settle in doubt') await this.#settleInDoubt(process, one.model);
    if (one.do === 'settle again') {
      const row = this.#settled[one.which % Math.max(1, this.#settled.length)];
      if (row) await this.#write(process.store, process, [row], 1);
    }
    if (one.do === 'sum') await process.store.ledger.sum(this.#now);
    if (one.do === 'bury') {
      await this.#bury(process.id);
      if (one.killed) await this.#start(one.node);
    }
  }

  /** All are gone, each in the middle of something. */
  async end(): Promise<void> {
    for (const { id } of this.#processes) await this.#bury(id);
  }

  async close(): Promise<void> {
    for (const store of this.#stores) await store.close();
  }

  get #now(): number {
    return this.#watch.store.clock.now();
  }

  async #start(index: number): Promise<void> {
    this.#number += 1;
    const store = await openDatabase(this.#database, new TestClock());
    this.#stores.push(store);
    const id = `process ${this.#number}`;
    await new Presence(store, id).renew();
    this.#processes[index] = { id, store, sequence: 0 };
  }

  /** Whoever was taken for gone and is not shows itself before it writes; see `showing`. */
  async #read(): Promise<void> {
    const { store } = this.#watch;
    for (const process of this.#processes) await new Presence(process.store, process.id).renew();
    await sumOfAll(store.db);
    for (const tenant of tenants) {
      expect(await summed(store, tenant)).toEqual(await expected(store, tenant));
      expect(await tagged(store, tenant)).toEqual(await expectedOfTags(store, tenant));
    }
  }

  async #bury(id: string): Promise<void> {
    const { db, dialect } = this.#watch.store;
    await db.transaction().execute((transaction) => settleAbandoned(transaction, dialect, [id], this.#now));
  }

  async #admit({ id: instanceId, store }: Process, tenantId: string, withTags: boolean): Promise<void> {
    this.#number += 1;
    const at = this.#now;
    const row: AdmissionRow = {
      tenant_id: tenantId,
      created_at: at,
      id: String(this.#number).padStart(6, '0'),
      request_id: `r${this.#number}`,
      key_id: `k${this.#number % 2}`,
      operation: 'createChat',
      model_asked: null,
      queue_ms: 0,
      tags: withTags ? JSON.stringify({ team: `t${this.#number % 2}`, app: 'a' }) : null,
    };
    await store.ledger.commit({ instanceId, rows: [row], settlements: [] });
    this.#open.push(row);
  }

  async #settle(
    process: Process,
    rows: readonly AdmissionRow[],
    { model, amended }: Extract<Step, { do: 'settle' }>,
  ): Promise<void> {
    await this.#write(process.store, process, rows, model, amended);
    this.#settled.push(...rows);
  }

  /** The first attempt is one of which this process knows nothing. */
  async #settleInDoubt(process: Process, model: number): Promise<void> {
    const rows = this.#open.splice(0, 2);
    const other = await openDatabase(this.#database, new TestClock());
    this.#stores.push(other);
    const { sequence } = process;
    await this.#write(other, process, rows, model);
    await this.#write(process.store, { ...process, sequence }, rows, model);
    this.#settled.push(...rows);
  }

  async #write(
    store: Store,
    process: Process,
    rows: readonly AdmissionRow[],
    model: number,
    amended = false,
  ): Promise<void> {
    const settlements = rows.map((row) => {
      process.sequence += 1;
      return end(row, process.sequence, models[model] ?? null);
    });
    const written = store.ledger.commit({ instanceId: process.id, rows: [], settlements });
    const [row] = rows;
    if (amended && row)
      settlements[0] = end(row, settlements[0]?.sequence ?? 0, models[(model + 1) % 3] ?? null);
    await written;
  }
}

function end(
  { tenant_id, created_at, id, key_id, operation, tags }: AdmissionRow,
  sequence: number,
  model: string | null,
) {
  const used = model === null ? uncounted : { ...byName(tokenColumns, () => 0), prompt_tokens: sequence };
  const settlement: Settlement = {
    tenant_id,
    created_at,
    id,
    key_id,
    operation,
    tags,
    sequence,
    status: model === null ? 'cancelled' : 'succeeded',
    http_status: 200,
    model,
    provider: model && `${model} provider`,
    ...used,
    usage_source: model === null ? null : 'provider',
    cost_micro_usd: model === 'claude' ? null : sequence * 3,
    price_versions: null,
    error_code: null,
    finish_reason: null,
    first_byte_ms: null,
    total_ms: 1,
    attempts: null,
    warnings: null,
    settled_at: created_at + 1,
  };
  return settlement;
}

const names = sumColumns.join(', ');
const ofRow = sql.raw(
  sumColumns
    .map((name) => {
      if (name === 'requests') return 'cast(count(*) as bigint) as requests';
      if (name === 'unpriced') {
        return 'sum(case when usage_source is not null and cost_micro_usd is null then 1 else 0 end) as unpriced';
      }
      if (/^(succeeded|failed|cancelled|interrupted)$/.test(name)) {
        return `sum(case when status = '${name}' then 1 else 0 end) as ${name}`;
      }
      return `cast(sum(coalesce(${name}, 0)) as bigint) as ${name}`;
    })
    .join(', '),
);

async function expected({ db }: Store, tenant: string) {
  const { rows } = await sql<object>`select key_id, operation, coalesce(provider, '') as provider,
      coalesce(model, '') as model, ${ofRow} from ledger_rows
    where tenant_id = ${tenant} and settled_at is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** Without what was taken back again. */
async function summed({ db }: Store, tenant: string) {
  const { rows } =
    await sql<object>`select key_id, operation, provider, model, ${sql.raw(names)} from usage_sums
    where tenant_id = ${tenant} and requests <> 0 order by 1, 2, 3, 4`.execute(db);
  return rows;
}

async function expectedOfTags({ db, dialect }: Store, tenant: string) {
  const each =
    dialect === 'sqlite'
      ? sql`json_each(tags) as tag`
      : sql`json_each_text(cast(tags as json)) as tag(key, value)`;
  const { rows } =
    await sql<object>`select tag.key as tag, tag.value as value, coalesce(model, '') as model, ${ofRow}
    from ledger_rows, ${each} where tenant_id = ${tenant} and tags is not null and settled_at is not null
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}

async function tagged({ db }: Store, tenant: string) {
  const { rows } = await sql<object>`select tag, value, model, ${sql.raw(names)} from usage_tag_days
    where tenant_id = ${tenant} and requests <> 0 order by 1, 2, 3`.execute(db);
  return rows;
}

/** How many models `acme` has used, those without requests included that were taken back. */
async function groups({ db }: Store): Promise<number> {
  const rows = await db
    .selectFrom('usage_rows')
    .select('model')
    .distinct()
    .where('tenant_id', '=', 'acme')
    .execute();
  return rows.length;
}
