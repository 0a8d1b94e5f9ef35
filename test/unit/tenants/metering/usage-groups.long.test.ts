/** Usage by any dimension, and its exports: for any requests, the sums of any split are those of the ledger. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tags } from '../../../../src/lib/tags.ts';
import { dayMs, dayOf } from '../../../../src/lib/utc.ts';
import { tokenUsage } from '../../../../src/model/usage.ts';
import type { Store } from '../../../../src/store/store.ts';
import { sumColumns } from '../../../../src/store/token-columns.ts';
import type { Outcome } from '../../../../src/tenants/metering/admission.ts';
import { type ExportFormat, exportUsage } from '../../../../src/tenants/metering/exports/export-usage.ts';
import { noSums, type Sums } from '../../../../src/tenants/metering/exports/settled-rows.ts';
import {
  type Dimension,
  readDimensions,
  usageGroups,
} from '../../../../src/tenants/metering/usage-groups.ts';
import { readCsv } from '../../../helpers/http.ts';
import { onEveryStore, onSqlite } from '../../../helpers/store.ts';
import { admitted, askFor, type TestAccounts, testAccounts } from '../../../helpers/store-accounts.ts';

const unlimited = {
  requestsPerMinute: null,
  requestsPerDay: null,
  requestsPerMonth: null,
  tokensPerMinute: null,
  concurrentRequests: null,
};

interface Made {
  readonly tenant: string;
  readonly key: string;
  readonly operation: string;
  readonly model: string;
  readonly provider: string;
  readonly tags: Tags;
  readonly status: Outcome['status'];
  readonly tokens: number;
  readonly day: number;
}

const requests: fc.Arbitrary<readonly Made[]> = fc.array(
  fc.record({
    tenant: fc.constantFrom('acme', 'globex'),
    key: fc.constantFrom('key1', 'key2'),
    operation: fc.constantFrom('createChat', 'createMessage'),
    model: fc.constantFrom('gpt-4o', '=cmd()', 'a,"b"'),
    provider: fc.constantFrom('openai', 'other'),
    tags: fc.dictionary(fc.constantFrom('team', 'env'), fc.constantFrom('a', 'b', ''), {
      noNullPrototype: true,
    }),
    status: fc.constantFrom('succeeded', 'failed', 'cancelled'),
    tokens: fc.integer({ min: 0, max: 5000 }),
    day: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 40 },
);

async function carryOut(
  accounts: TestAccounts,
  clock: { time: number },
  all: readonly Made[],
): Promise<void> {
  const start = clock.time;
  for (const made of [...all].sort((a, b) => a.day - b.day)) {
    clock.time = start + made.day * dayMs;
    const { tenant: tenantId, key: keyId, operation, tags, status, tokens, model, provider } = made;
    const caller = { tenantId, keyId, limits: unlimited };
    const admission = admitted(await askFor(accounts, tenantId, unlimited)({ caller, operation, tags }));
    const usage = { tokens: tokenUsage({ inputUncached: tokens, output: 7 }), source: 'provider' } as const;
    const counted = status === 'succeeded' ? { usage, model, provider } : {};
    await admission.settle({
      status,
      ...counted,
      costMicroUsd: status === 'succeeded' && provider === 'openai' ? tokens * 3 : null,
    });
  }
}

async function ledgerSums({ db }: Store, tenantId: string | null): Promise<Sums> {
  let query = db.selectFrom('ledger_rows').selectAll().where('settled_at', 'is not', null);
  if (tenantId !== null) query = query.where('tenant_id', '=', tenantId);
  const sums = noSums();
  for (const row of await query.execute()) {
    sums.requests += 1;
    if (row.status !== 'running') sums[row.status] += 1;
    sums.prompt_tokens += row.prompt_tokens ?? 0;
    sums.completion_tokens += row.completion_tokens ?? 0;
    sums.cost_micro_usd += row.cost_micro_usd ?? 0;
    if (row.usage_source !== null && row.cost_micro_usd === null) sums.unpriced += 1;
  }
  return sums;
}

function together(all: readonly Sums[]): Sums {
  const sums = noSums();
  for (const some of all) for (const name of sumColumns) sums[name] += some[name];
  return sums;
}

async function exported(
  store: Store,
  format: ExportFormat,
  tenantId: string | null,
  days: { first: number; last: number },
) {
  let text = '';
  for await (const piece of exportUsage(store, { format, tenantId, days })) text += piece;
  return readCsv(text);
}

const singles: readonly Dimension[] = [
  'tenant',
  'day',
  'model',
  'provider',
  'key',
  'operation',
  'tag:team',
  'tag:env',
  'tag:none',
];
const pairs = singles.flatMap((a) => singles.filter((b) => b !== a).map((b) => [a, b] as const));

onEveryStore('usage by any dimension', (on) => {
  it('adds up to the ledger, for all tenants and for one, and so do the exports', async () => {
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.constantFrom(...singles.map((one) => [one]), ...pairs),
        async (all, by) => {
          const clock = { time: Date.UTC(2026, 9, 30, 12), now: () => clock.time };
          const accounts = await testAccounts(on, { clock });
          const { store } = accounts;
          for (const id of ['acme', 'globex'])
            await accounts.tenants.create({ id, plan: 'enterprise' }, 'test');
          const days = { first: dayOf(clock.time), last: dayOf(clock.time) + 2 };
          await carryOut(accounts, clock, all);
          await accounts.admissions.flush();
          for (const tenantId of [null, 'acme']) {
            const ledger = await ledgerSums(store, tenantId);
            const groups = await usageGroups(store, { by, days, tenantId });
            expect(together(groups.map(({ sums }) => sums))).toEqual(ledger);
            expect(new Set(groups.map(({ values }) => JSON.stringify(values))).size).toBe(groups.length);
            const rows = await exported(store, 'csv', tenantId, days);
            const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
            expect([sum('requests'), sum('failed'), sum('prompt_tokens')]).toEqual([
              ledger.requests,
              ledger.failed,
              ledger.prompt_tokens,
            ]);
            expect(Math.round(sum('cost_usd') * 1e6)).toBe(ledger.cost_micro_usd);
            const focus = await exported(store, 'focus', tenantId, days);
            const cost = focus.reduce((total, row) => total + Number(row['BilledCost']), 0);
            expect([focus.length, Math.round(cost * 1e6)]).toEqual([rows.length, ledger.cost_micro_usd]);
          }
        },
      ),
      { numRuns: on.dialect === 'sqlite' ? 40 : 10 },
    );
  });

  it('tells the values of a tag, and none, apart', async () => {
    const clock = { time: Date.UTC(2026, 9, 30, 12), now: () => clock.time };
    const accounts = await testAccounts(on, { clock });
    await accounts.tenants.create({ id: 'acme', plan: 'enterprise' }, 'test');
    const made = {
      tenant: 'acme',
      key: 'key1',
      operation: 'createChat',
      model: 'gpt-4o',
      provider: 'openai',
      status: 'succeeded',
      tokens: 10,
      day: 0,
    } as const;
    await carryOut(accounts, clock, [
      { ...made, tags: { team: 'a' } },
      { ...made, tags: { team: 'a', env: 'x' } },
      { ...made, tags: { team: '' } },
      { ...made, tags: {} },
    ]);
    const days = { first: dayOf(clock.time), last: dayOf(clock.time) };
    const groups = await usageGroups(accounts.store, { by: ['tag:team'], days, tenantId: 'acme' });
    expect(groups.map(({ values, sums }) => [values[0], sums.requests])).toEqual([
      ['a', 2],
      ['', 1],
      [null, 1],
    ]);
  });
});

onSqlite('many values of a tag', (on) => {
  it('are told as the largest and all others, with the same sums', async () => {
    const clock = { time: Date.UTC(2026, 9, 30, 12), now: () => clock.time };
    const accounts = await testAccounts(on, { clock });
    await accounts.tenants.create({ id: 'acme', plan: 'enterprise' }, 'test');
    const ask = askFor(accounts, 'acme', unlimited);
    await Promise.all(
      Array.from({ length: 1203 }, async (_, n) => {
        const admission = admitted(await ask({ tags: { run: `r${Math.min(n, 1200)}` } }));
        await admission.settle({ status: 'succeeded', model: `m${n}`, provider: 'openai' });
      }),
    );
    const days = { first: dayOf(clock.time), last: dayOf(clock.time) };
    for (const by of ['tag:run', 'model'] as const) {
      const groups = await usageGroups(accounts.store, { by: [by], days, tenantId: null });
      expect(groups).toHaveLength(1001);
      expect(groups.at(-1)).toMatchObject({ others: true, values: [null] });
      expect(together(groups.map(({ sums }) => sums)).requests).toBe(1203);
    }
    const [first] = await usageGroups(accounts.store, { by: ['tag:run'], days, tenantId: 'acme' });
    expect([first?.values, first?.sums.requests]).toEqual([['r1200'], 3]);
  });

  it('are asked for over 31 days at most, and in words that are known', async () => {
    const { store } = await testAccounts(on);
    const days = { first: 20_000, last: 20_031 };
    await expect(usageGroups(store, { by: ['tag:team'], days, tenantId: null })).rejects.toThrow(
      'at most 31 days',
    );
    await expect(usageGroups(store, { by: ['day', 'key'], days, tenantId: null })).resolves.toEqual([]);
  });
});

describe('dimensions', () => {
  it.each(['', 'nothing', 'day,day', 'day,model,key', 'tag:', 'tag:a b'])('%j are none', (text) => {
    expect(() => readDimensions(text, false)).toThrow('Usage is grouped by');
  });

  it('of one tenant are not by tenant', () => {
    expect(readDimensions('tenant,tag:team', false)).toEqual(['tenant', 'tag:team']);
    expect(() => readDimensions('tenant', true)).toThrow('Usage is grouped by');
  });
});
