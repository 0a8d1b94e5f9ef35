/** The usage of the requests in a budget's scope, by the sums of days and the rows of the ledger. */
import { type RawBuilder, sql } from 'kysely';
import { dayOf } from '../../lib/utc.ts';
import { sandboxId } from '../../model/usage.ts';
import type { Store } from '../../store/store.ts';
import type { Budget } from '../accounts/budgets.ts';
import { type CanonicalOf, modelOf } from './budget-needs.ts';

/** The usage under the same names. */
interface Part {
  /** Which of the budgets it is of. */
  readonly n: number;
  /** Who answered; empty: no one, or not grouped. */
  readonly provider: string;
  /** Empty: no model. */
  readonly model: string;
  /** The requested model; null: none was named, or not grouped. */
  readonly asked: string | null;
  readonly used: number;
}

/** The usage columns of a row of sums. */
export const summedAs = {
  requests: sql<number>`sum(requests)`,
  tokens: sql<number>`sum(prompt_tokens + completion_tokens)`,
  money: sql<number>`sum(cost_micro_usd)`,
  concurrency: sql<number>`0`,
} as const;

/** The usage columns of an event of the ledger. */
const usedInRow = {
  requests: sql<number>`count(*)`,
  tokens: sql<number>`sum(coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0))`,
  money: sql<number>`sum(coalesce(cost_micro_usd, 0))`,
  concurrency: sql<number>`0`,
} as const;

/** A budget, and since when its requests are asked for. */
export interface UsedAsk {
  readonly budget: Budget;
  /** Milliseconds since the epoch; the beginning of a day but for a budget of a minute. */
  readonly since: number;
}

/**
 * The use of each budget by its requests, in the order of the budgets. It is one statement, so that nothing counts twice or
 * not at all while the sums are brought up to date. Rejects with `StoreError`.
 */
export async function usedOf(
  db: Store['db'],
  asked: readonly UsedAsk[],
  canonicalOf: CanonicalOf,
): Promise<readonly number[]> {
  const counted = asked.flatMap(({ budget, since }, index) => {
    if (budget.window === 'running') return [];
    return budget.window === 'minute'
      ? [rowsOf(index, budget, since, sql`ledger_rows a where`)]
      : [sumsOf(index, budget, since), rowsOf(index, budget, since, unsummed)];
  });
  const used = asked.map(() => 0);
  if (counted.length === 0) return used;
  const tests = asked.map(({ budget: { scope } }) =>
    scope.model === null ? () => true : modelTest(scope.model, canonicalOf),
  );
  const { rows } = await sql<Part>`${sql.join(counted, sql` union all `)}`.execute(db);
  for (const row of rows) {
    const index = Number(row.n);
    if (tests[index]?.(row)) used[index] = (used[index] ?? 0) + Number(row.used);
  }
  return used;
}

/** The sums that the requests of a budget are in: their columns of names, where they are, and what they are grouped by. */
export function sumsIn({ scope: { keyId, tag }, tenantId }: Budget) {
  if (tag !== null) {
    const from = sql`usage_tag_days where tag = ${tag.name} and value = ${tag.value} and tenant_id = ${tenantId}`;
    return { columns: sql`'' as provider, model`, from, by: sql`model` };
  }
  const ofKey = keyId === null ? sql`` : sql`key_id = ${keyId} and`;
  const names = sql`provider, model`;
  return { columns: names, from: sql`usage_rows where ${ofKey} tenant_id = ${tenantId}`, by: names };
}

function sumsOf(index: number, budget: Budget, since: number): RawBuilder<Part> {
  const { columns, from, by } = sumsIn(budget);
  return sql<Part>`select ${sql.lit(index)} as n, ${columns}, cast(null as text) as asked,
      cast(${summedAs[budget.unit]} as bigint) as used
    from ${from} and day >= ${dayOf(since)} group by ${by}`;
}

/** The events not in the sums yet: they are among the latest, or of requests that began earlier and still run. */
const unsummed = sql`admitted a left join settled s on s.created_at = a.created_at and s.id = a.id
  left join sum_marks m on m.instance_id = s.instance_id
  where a.created_at >= (select coalesce(min(open_since), 0) from sum_marks)
    and (s.id is null or s.sequence > m.sequence) and`;

/** @param from the rows, as `a`, up to a condition to which others can be added */
function rowsOf(
  index: number,
  { scope, tenantId, unit }: Budget,
  since: number,
  from: RawBuilder<unknown>,
): RawBuilder<Part> {
  return sql<Part>`select ${sql.lit(index)} as n, coalesce(provider, '') as provider, coalesce(model, '') as model,
      model_asked as asked, cast(${usedInRow[unit]} as bigint) as used
    from ${from} a.tenant_id = ${tenantId} and a.created_at >= ${since}
      ${scope.keyId === null ? sql`` : sql`and key_id = ${scope.keyId}`}
      ${scope.tag === null ? sql`` : hasTag(scope.tag)}
    group by provider, model, model_asked`;
}

/** Searches the stored JSON of tags, in which no name or value can look like another; on SQLite `like` would match `A` for `a`. */
function hasTag({ name, value }: { readonly name: string; readonly value: string }): RawBuilder<unknown> {
  const text = JSON.stringify({ [name]: value }).slice(1, -1);
  return sql`and replace(tags, ${text}, '') <> tags`;
}

/**
 * Whether the usage under some names is of a model: by the requested model where the ledger has it, as at admission, and
 * else by the one that answered.
 */
export function modelTest(
  name: string,
  canonicalOf: CanonicalOf,
): (part: Pick<Part, 'provider' | 'model'> & { readonly asked?: string | null }) => boolean {
  const wanted = modelOf(name, canonicalOf);
  const bare = wanted.slice(wanted.indexOf('/') + 1);
  return ({ provider, model, asked = null }) => {
    if (asked !== null) return modelOf(asked, canonicalOf) === wanted;
    if (model === '') return false;
    // Sums of tags know the model alone.
    if (provider === '') return model === wanted || model === bare;
    return (provider === sandboxId ? model : `${provider}/${model}`) === wanted;
  };
}
