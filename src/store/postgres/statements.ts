import { sumColumns, tokenColumns } from '../token-columns.ts';

/**
 * The statements of the hot path. Rows travel as JSON: one parameter a batch, cheap to write here and to read there.
 * Named, so that every connection prepares each once.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export const counters: Statement = {
  name: 'counters',
  text: 'select seq, last_at, day, day_used, month, month_used from counters where tenant_id = $1',
};

export const admitted: Statement = {
  name: 'admitted',
  text: `select created_at as at, count(*) as count from ledger where tenant_id = $1 and created_at >= $2
    group by created_at order by created_at`,
};

export const running: Statement = {
  name: 'running',
  text: `select count(*) as count from ledger where settled_at is null and tenant_id = $1
    and instance_id in (select id from instances where expires_at > $2)`,
};

export const tokens: Statement = {
  name: 'tokens',
  text: 'select second, tokens from token_seconds where tenant_id = $1 and second >= $2 order by second',
};

/**
 * Moves counters that still stand where the decision found them, and writes the rows of those that moved. `locked`
 * takes the counters in the order of their tenants, so that two processes cannot wait for each other. `agreed` refuses
 * all of them when the time line has changed, or the server's clock is not where the decision took it to be, but for the
 * time that it takes to get here: one of the two clocks has stood still or stepped since they were compared.
 */
export const admit: Statement = {
  name: 'admit',
  text: `with asked as (
      select * from json_to_recordset($1) as m(tenant_id text, "from" bigint, seq bigint, last_at bigint, day int,
        day_used bigint, month int, month_used bigint, tokens bigint)
    ), agreed as materialized (
      select late, coalesce(late between -1000 and $5::int, true)
        and coalesce((select value from settings where name = 'time_line') = $6::text, true) as in_time
      from (select extract(epoch from clock_timestamp())::float8 * 1000 - $4::bigint as late) as clock
    ), locked as (
      select tenant_id, seq from counters
      where tenant_id in (select tenant_id from asked) and (select in_time from agreed) order by tenant_id for update
    ), moved as (
      update counters c set seq = a.seq, last_at = a.last_at, day = a.day, day_used = a.day_used, month = a.month,
        month_used = a.month_used
      from asked a join locked l on l.tenant_id = a.tenant_id and l.seq = a."from"
      where c.tenant_id = a.tenant_id
      returning c.tenant_id
    ), held as (
      insert into token_seconds as t (tenant_id, second, tokens)
      select a.tenant_id, a.last_at / 1000, a.tokens from asked a join moved using (tenant_id) where a.tokens <> 0
      on conflict (tenant_id, second) do update set tokens = t.tokens + excluded.tokens
    ), forgotten as (
      delete from token_seconds t using asked a
      where a.tokens <> 0 and t.tenant_id = a.tenant_id and t.second < a.last_at / 1000 - 120
    ), written as (
      insert into ledger (tenant_id, created_at, seq, id, request_id, key_id, operation, model_asked, queue_ms,
        instance_id, status)
      select tenant_id, created_at, seq, id, request_id, key_id, operation, model_asked, queue_ms, $3, 'running'
      from json_to_recordset($2) as r(tenant_id text, created_at bigint, seq bigint, id text, request_id text,
        key_id text, operation text, model_asked text, queue_ms bigint)
      join moved using (tenant_id)
    )
    select tenant_id, in_time, late from agreed left join moved on true`,
};

/** Moves on the counters that still stand where an admission in doubt would find them, in the order in which `admit` does. */
export const fence: Statement = {
  name: 'fence',
  text: `with asked as (
      select * from json_to_recordset($1) as m(tenant_id text, "from" bigint)
    ), locked as (
      select tenant_id, seq from counters where tenant_id in (select tenant_id from asked) order by tenant_id for update
    )
    update counters c set seq = c.seq + 1
    from asked a join locked l on l.tenant_id = a.tenant_id and l.seq = a."from"
    where c.tenant_id = a.tenant_id`,
};

/** Settles rows that run, corrects those that were taken for interrupted, and adds both to the sums of their days. */
export const settle: Statement = {
  name: 'settle',
  text: `with given as (
      select * from json_to_recordset($1) as s(tenant_id text, created_at bigint, seq bigint, id text, status text,
        http_status int, model text, provider text, ${eachClass((name) => `${name} bigint`)}, usage_source text,
        cost_micro_usd bigint, error_code text, finish_reason text, first_byte_ms bigint, total_ms bigint,
        attempts text, warnings text, settled_at bigint, tokens bigint)
    ), found as (
      select g.*, l.status as before from given g cross join lateral (
        select status from ledger
        where tenant_id = g.tenant_id and created_at = g.created_at and seq = g.seq and id = g.id
          and (settled_at is null or status = 'interrupted')
        for update
      ) l
    ), settled as (
      update ledger l set status = g.status, http_status = g.http_status, model = g.model, provider = g.provider,
        ${eachClass((name) => `${name} = g.${name}`)}, usage_source = g.usage_source, cost_micro_usd = g.cost_micro_usd,
        error_code = g.error_code, finish_reason = g.finish_reason, first_byte_ms = g.first_byte_ms,
        total_ms = g.total_ms, attempts = g.attempts, warnings = g.warnings, settled_at = g.settled_at
      from found g
      where l.tenant_id = g.tenant_id and l.created_at = g.created_at and l.seq = g.seq
      returning l.*, g.before, g.tokens as held
    ), held as (
      insert into token_seconds as t (tenant_id, second, tokens)
      select tenant_id, created_at / 1000, sum(held) from settled where held <> 0 group by 1, 2 order by 1, 2
      on conflict (tenant_id, second) do update set tokens = t.tokens + excluded.tokens
    ), sums as (
      select tenant_id, created_at / 86400000 as day, operation, coalesce(model, '') as model, 1 as requests,
        (status = 'succeeded')::int as succeeded, (status = 'failed')::int as failed,
        (status = 'cancelled')::int as cancelled, 0 as interrupted,
        ${eachClass((name) => `coalesce(${name}, 0) as ${name}`)}, coalesce(cost_micro_usd, 0) as cost_micro_usd,
        (usage_source is not null and cost_micro_usd is null)::int as unpriced
      from settled
      union all
      select tenant_id, created_at / 86400000, operation, '', -1, 0, 0, 0, -1, ${eachClass(() => '0')}, 0, 0
      from settled where before = 'interrupted'
    )
    insert into usage_days as d (tenant_id, day, operation, model, ${sumColumns.join(', ')})
    select tenant_id, day, operation, model, ${sumColumns.map((name) => `sum(${name})`).join(', ')}
    from sums group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (tenant_id, day, operation, model) do update set
      ${sumColumns.map((name) => `${name} = d.${name} + excluded.${name}`).join(', ')}`,
};

function eachClass(text: (name: string) => string): string {
  return tokenColumns.map(text).join(', ');
}
