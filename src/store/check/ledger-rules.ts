import { sql } from 'kysely';
import { dayMs, dayOf, monthOf, startOfDay, startOfMonth } from '../../lib/utc.ts';
import type { Store } from '../store.ts';
import { byName, type SumColumn, sumColumns, tokenColumns } from '../token-columns.ts';
import type { Rule } from './rule.ts';

const day = sql.lit(dayMs);

/** A sum of `usage_days` as it comes out of the ledger. */
const sums: Readonly<Record<SumColumn, string>> = {
  requests: 'count(*)',
  succeeded: "sum(case when status = 'succeeded' then 1 else 0 end)",
  failed: "sum(case when status = 'failed' then 1 else 0 end)",
  cancelled: "sum(case when status = 'cancelled' then 1 else 0 end)",
  interrupted: "sum(case when status = 'interrupted' then 1 else 0 end)",
  ...byName(tokenColumns, (name) => `sum(coalesce(${name}, 0))`),
  cost_micro_usd: 'sum(coalesce(cost_micro_usd, 0))',
  unpriced: 'sum(case when usage_source is not null and cost_micro_usd is null then 1 else 0 end)',
};

/** The months of the calendar are no arithmetic, so those whose counters can still matter are listed. */
function months(now: number) {
  const current = monthOf(now);
  const rows = [-1, 0, 1].map((offset) => {
    const month = current + offset;
    return `select ${month} as month, ${startOfMonth(month)} as begins, ${startOfMonth(month + 1)} as ends`;
  });
  return sql.raw(rows.join(' union all '));
}

function eachSum(text: (name: SumColumn) => string, separator: string) {
  return sql.raw(sumColumns.map(text).join(separator));
}

/**
 * What holds between ledger, counters and daily sums, as far as the ledger's retention lets it be seen: that deletes a
 * tenant's settled rows from the oldest on.
 * @param now in milliseconds since the epoch
 */
export function ledgerRules(kind: Store['dialect'], now: number): readonly Rule[] {
  // There a number is left out to fence off an admission whose answer was lost, see `PostgresLedger`.
  const fenced = sql.lit(kind === 'postgres');
  // Retention never deletes what is younger, however short it is set.
  const keptSince = startOfDay(dayOf(now - dayMs));
  return [
    {
      name: 'ledger_rows_run_or_are_settled',
      holds: 'A request has a time of settlement once it no longer runs.',
      broken: sql`select tenant_id, id from ledger where (status = 'running') <> (settled_at is null)`,
    },
    {
      // A row of version 1.0 has nothing in these columns, and may hold whatever a vendor claimed.
      name: 'ledger_tokens_are_within_their_whole',
      holds:
        'The classes of tokens of a prompt or an answer are no more than the whole of it, and none is negative.',
      broken: sql`select tenant_id, id from ledger where cache_write_5m_tokens is not null and (
          ${sql.raw(tokenColumns.map((name) => `${name} < 0`).join(' or '))}
          or cached_tokens + cache_write_5m_tokens + cache_write_1h_tokens > prompt_tokens
          or audio_prompt_tokens > prompt_tokens or image_prompt_tokens > prompt_tokens
          or reasoning_tokens > completion_tokens or audio_completion_tokens > completion_tokens
          or image_completion_tokens > completion_tokens)`,
    },
    {
      // A number may be missing where a row before it still runs, or has been admitted at a later time under a wrong
      // clock: then retention came to what is missing first.
      name: 'ledger_numbers_have_no_gaps',
      holds: `A tenant's requests in the ledger are numbered ${kind === 'postgres' ? '' : 'without gaps and '}without doubles.`,
      broken: sql`select tenant_id, seq from (
          select tenant_id, seq, created_at, lag(seq) over one as last_seq, lag(created_at) over one as last_at,
            lag(settled_at) over one as last_settled
          from ledger window one as (partition by tenant_id order by seq)
        ) numbered
        where seq = last_seq
          or (not ${fenced} and seq > last_seq + 1 and last_settled is not null and last_at <= created_at)`,
    },
    {
      name: 'ledger_numbers_reach_the_counter',
      holds: "A tenant's counter of requests is the number of its latest one.",
      broken: sql`select c.tenant_id, c.seq from counters c left join (
          select tenant_id, max(seq) as seq from ledger group by tenant_id
        ) l on l.tenant_id = c.tenant_id
        where l.seq > c.seq
          or (not ${fenced} and coalesce(l.seq, 0) < c.seq and c.seq > 0 and c.last_at >= ${sql.lit(keptSince)})`,
    },
    {
      name: 'day_counters_are_not_below_the_ledger',
      holds: "A tenant's counter of the day counts every request of the ledger on that day.",
      broken: sql`select tenant_id, day from counters c where day_used < (
          select count(*) from ledger l where l.tenant_id = c.tenant_id and l.created_at >= c.day * cast(${day} as bigint)
            and l.created_at < (c.day + 1) * cast(${day} as bigint))`,
    },
    {
      name: 'month_counters_are_not_below_the_ledger',
      holds: "A tenant's counter of the month counts every request of the ledger in that month.",
      broken: sql`with months as (${months(now)})
        select tenant_id, month from counters c join months using (month) where month_used < (
          select count(*) from ledger l where l.tenant_id = c.tenant_id and l.created_at >= begins
            and l.created_at < ends)`,
    },
    {
      name: 'usage_days_add_up',
      holds:
        'The requests of a day are those that succeeded, failed, were cancelled or interrupted; no sum is negative.',
      broken: sql`select tenant_id, day, operation, model from usage_days
        where requests <> succeeded + failed + cancelled + interrupted or ${eachSum((name) => `${name} < 0`, ' or ')}`,
    },
    {
      name: 'usage_days_match_the_ledger',
      holds: 'The sums of a day are those of the settled requests of that day in the ledger.',
      broken: sql`with settled as (
          select tenant_id, created_at / ${day} as day, operation, coalesce(model, '') as model,
            ${eachSum((name) => `${sums[name]} as ${name}`, ', ')}
          from ledger where settled_at is not null group by 1, 2, 3, 4
        ), kept as (
          select tenant_id, case when max(case when seq = 1 then created_at end) = min(created_at) then 0
            else min(created_at) / ${day} + 1 end as since
          from ledger where settled_at is not null group by tenant_id
        ), compared as (
          select coalesce(s.tenant_id, d.tenant_id) as tenant_id, coalesce(s.day, d.day) as day,
            coalesce(s.operation, d.operation) as operation, coalesce(s.model, d.model) as model,
            ${eachSum((name) => `coalesce(d.${name}, 0) - coalesce(s.${name}, 0) as ${name}`, ', ')}
          from settled s full join usage_days d
            on d.tenant_id = s.tenant_id and d.day = s.day and d.operation = s.operation and d.model = s.model
        )
        select tenant_id, day, operation, model from compared join kept using (tenant_id)
        where (day >= since and (${eachSum((name) => `${name} <> 0`, ' or ')}))
          or ${eachSum((name) => `${name} < 0`, ' or ')}`,
    },
  ];
}
