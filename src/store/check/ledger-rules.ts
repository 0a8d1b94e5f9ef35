import { type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../lib/utc.ts';
import { deletedBefore } from '../ledger.ts';
import { byName, type SumColumn, sumColumns, tokenColumns } from '../token-columns.ts';

/** A rule that holds at every moment that another process can see. */
export interface Rule {
  readonly name: string;
  /** One sentence. */
  readonly holds: string;
  /** A select of the places where it does not hold; its columns name them. */
  readonly broken: RawBuilder<unknown>;
}

const day = sql.lit(dayMs);

const pending = 'coalesce(l.sequence, 0) > coalesce(m.sequence, 0)';

/**
 * The content of the sums: settlements up to the mark of their process. One that is not among them yet counts as
 * interrupted where it was considered so before.
 */
const counted = `select l.tenant_id, l.created_at / ${dayMs} as day, l.operation,
    case when ${pending} then 'interrupted' else l.status end as status,
    ${['model', 'usage_source', 'cost_micro_usd', ...tokenColumns]
      .map((name) => `case when ${pending} then null else l.${name} end as ${name}`)
      .join(', ')}
  from ledger_rows l left join sum_marks m on m.instance_id = l.settled_by
  where l.settled_at is not null and (not ${pending} or l.interrupted_at is not null)`;

/** A sum of `usage_rows` as it comes out of the ledger. */
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

function eachSum(text: (name: SumColumn) => string, separator: string) {
  return sql.raw(sumColumns.map(text).join(separator));
}

/** The sums by what those of the version before know. */
const days = sql`select tenant_id, day, operation, model, ${eachSum((name) => `sum(${name}) as ${name}`, ', ')}
  from usage_rows group by tenant_id, day, operation, model`;

/**
 * From which day on a tenant's requests are all there: retention writes down what it deletes. Where the version before may
 * have deleted some, that is the day after the first, unless that begins with the tenant's first request.
 */
const kept = sql`select tenant_id, case when since > deleted then since else deleted end as since from (
    select l.tenant_id, case
        when max(case when l.seq = 1 then l.created_at end) = min(l.created_at)
          or not exists (select 1 from usage_days d where d.tenant_id = l.tenant_id) then 0
        else min(l.created_at) / ${day} + 1 end as since,
      coalesce((select cast(value as bigint) from settings where name = ${deletedBefore}), 0) / ${day} as deleted
    from ledger_rows l where l.settled_at is not null group by l.tenant_id
  ) as known`;

/**
 * The rules between ledger, counters and daily sums, as far as the ledger's retention leaves them checkable: it deletes a
 * tenant's settled rows from the oldest on.
 * @param now in milliseconds since the epoch
 */
export const ledgerRules: readonly Rule[] = [
  {
    name: 'ledger_rows_run_or_are_settled',
    holds: 'A request has a time of settlement once it no longer runs.',
    broken: sql`select tenant_id, id from ledger_rows where (status = 'running') <> (settled_at is null)`,
  },
  {
    // A row of version 1.0 has nothing in these columns, and may hold whatever a vendor claimed.
    name: 'ledger_tokens_are_within_their_whole',
    holds:
      'The classes of tokens of a prompt or an answer are no more than the whole of it, and none is negative.',
    broken: sql`select tenant_id, id from ledger_rows where cache_write_5m_tokens is not null and (
          ${sql.raw(tokenColumns.map((name) => `${name} < 0`).join(' or '))}
          or cached_tokens + cache_write_5m_tokens + cache_write_1h_tokens > prompt_tokens
          or audio_prompt_tokens > prompt_tokens or image_prompt_tokens > prompt_tokens
          or reasoning_tokens > completion_tokens or audio_completion_tokens > completion_tokens
          or image_completion_tokens > completion_tokens)`,
  },
  {
    name: 'ends_have_a_beginning',
    holds: 'What has ended was admitted.',
    broken: sql`select tenant_id, id from settled s where not exists (select 1 from admitted a
            where a.tenant_id = s.tenant_id and a.created_at = s.created_at and a.id = s.id)
          and not exists (select 1 from ledger l
            where l.tenant_id = s.tenant_id and l.created_at = s.created_at and l.id = s.id)`,
  },
  {
    name: 'requests_begin_and_end_once',
    holds: 'A request of the version before that has ended there has no other end, and none stands twice.',
    broken: sql`select s.tenant_id, s.id from settled s join ledger l
            on l.tenant_id = s.tenant_id and l.created_at = s.created_at and l.id = s.id
          where l.settled_at is not null and (l.status <> 'interrupted' or s.status = 'interrupted')
        union all
        select tenant_id, id from ledger_rows group by tenant_id, created_at, id having count(*) > 1`,
  },
  {
    name: 'ledger_numbers_have_no_doubles',
    holds: 'No two requests of the version before have the same number of a tenant.',
    broken: sql`select tenant_id, seq from ledger group by tenant_id, seq having count(*) > 1`,
  },
  {
    name: 'usage_days_add_up',
    holds:
      'The requests of a day are those that succeeded, failed, were cancelled or interrupted; no sum is negative.',
    broken: sql`select tenant_id, day, operation, model from (${days}) as days
          where requests <> succeeded + failed + cancelled + interrupted or ${eachSum((name) => `${name} < 0`, ' or ')}`,
  },
  {
    name: 'usage_tag_days_add_up',
    holds: 'The same holds for the sums of each tag.',
    broken: sql`select tenant_id, day, tag, value, model from usage_tag_days
        where requests <> succeeded + failed + cancelled + interrupted or ${eachSum((name) => `${name} < 0`, ' or ')}`,
  },
  {
    name: 'sums_hold_what_the_gone_have_settled',
    holds: 'Whatever a process has settled is in the sums once it is gone.',
    broken: sql`select s.tenant_id, s.id from settled s left join sum_marks m on m.instance_id = s.instance_id
        where s.sequence > 0 and s.sequence > coalesce(m.sequence, 0) and (m.instance_id is null or m.buried_at is not null)
          and s.instance_id not in (select id from instances)`,
  },
  {
    name: 'usage_days_match_the_ledger',
    holds: 'The sums of a day are those of the settled requests of that day in the ledger.',
    broken: sql`with settled as (
          select tenant_id, day, operation, coalesce(model, '') as model,
            ${eachSum((name) => `${sums[name]} as ${name}`, ', ')}
          from (${sql.raw(counted)}) as counted group by 1, 2, 3, 4
        ), kept as (${kept}), compared as (
          select coalesce(s.tenant_id, d.tenant_id) as tenant_id, coalesce(s.day, d.day) as day,
            coalesce(s.operation, d.operation) as operation, coalesce(s.model, d.model) as model,
            ${eachSum((name) => `coalesce(d.${name}, 0) - coalesce(s.${name}, 0) as ${name}`, ', ')}
          from settled s full join (${days}) d
            on d.tenant_id = s.tenant_id and d.day = s.day and d.operation = s.operation and d.model = s.model
        )
        select tenant_id, day, operation, model from compared join kept using (tenant_id)
        where (day >= since and (${eachSum((name) => `${name} <> 0`, ' or ')}))
          or ${eachSum((name) => `${name} < 0`, ' or ')}`,
  },
];
