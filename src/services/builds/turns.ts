/**
 * Whose turn it is in the queue of builds. Tenants, and the demo as one of them, take turns: next is the one whose latest
 * build was begun the longest ago. Where a plan has the weight n, it is the latest build but n - 1 that counts, so a
 * tenant of weight 4 begins four builds for each one of a tenant of weight 1. No waiting tenant is passed over for more
 * than their weight, so every build comes to its turn. The table of builds has all that were begun: nothing else is kept,
 * and all processes see the same.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../store/schema.ts';
import { type PlanId, type Plans, planIds } from '../../tenants/accounts/plans.ts';

/** How many builds a tenant begins for each one of a tenant of weight 1, by plan; from 1. The operator may change them. */
export type Weights = Readonly<Record<PlanId, Pick<Plans[PlanId], 'buildWeight'>>>;

/** The demo, and tenants without a plan. */
const defaultWeight = 1;

export interface InTurn {
  /** Null: the demo. */
  readonly owner: string | null;
  readonly weight: number;
  readonly waiting: number;
}

/** Those whose builds wait, next one first. Reads what waits and runs, and one entry of an index for each of them. */
export async function inTurn(db: Kysely<Tables>, weights: Weights): Promise<readonly InTurn[]> {
  const byPlan = planIds.map(
    (plan) => sql`when t.plan = ${sql.lit(plan)} then ${begunAt(sql`= o.owner`, weights[plan].buildWeight)}`,
  );
  const { rows } = await sql<{ owner: string | null; plan: PlanId | null; waiting: number }>`
    select o.owner, t.plan, o.waiting from (
      select tenant_id as owner, min(case when status = 'queued' then created_at end) as oldest,
        sum(case when status = 'queued' then 1 else 0 end) as waiting,
        sum(case when status = 'running' then 1 else 0 end) as running
      from factory_jobs where status in ('queued', 'running') and finished_at is null group by tenant_id
    ) o left join tenants t on t.id = o.owner
    where o.waiting > 0
    order by coalesce(case when o.owner is null then ${begunAt(sql`is null`, defaultWeight)} ${sql.join(byPlan, sql` `)} end, 0),
      o.running, o.oldest, o.owner`.execute(db);
  return rows.map(({ owner, plan, waiting }) => ({
    owner,
    weight: plan === null ? defaultWeight : weights[plan].buildWeight,
    waiting: Number(waiting),
  }));
}

/** When the latest build but `weight - 1` of an owner was begun. */
function begunAt(owner: RawBuilder<unknown>, weight: number): RawBuilder<unknown> {
  return sql`(select b.started_at from factory_jobs b where b.tenant_id ${owner} and b.started_at is not null
    order by b.started_at desc limit 1 offset ${sql.lit(weight - 1)})`;
}

/**
 * How many builds are begun before one that waits, as turns stand now; others that come can still get theirs before it.
 * @param before how many builds of the same owner wait before it
 */
export function countAhead(turns: readonly InTurn[], owner: string | null, before: number): number {
  const position = turns.findIndex((each) => each.owner === owner);
  const weight = turns[position]?.weight ?? defaultWeight;
  return turns.reduce((ahead, other, index) => {
    if (index === position) return ahead;
    const theirs = Math.floor((before * other.weight) / weight) + (index < position ? 1 : 0);
    return ahead + Math.min(theirs, other.waiting);
  }, before);
}
