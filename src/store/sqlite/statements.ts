import type { DatabaseSync } from 'node:sqlite';
import type { Settlement } from '../ledger.ts';
import { tagKey, usageKey } from '../sums/recount.ts';
import { sumColumns, tokenColumns } from '../token-columns.ts';

/** What a settlement says of the end, in the order of its parameters. */
const ends = [
  'instance_id',
  'sequence',
  'status',
  'http_status',
  'model',
  'provider',
  'usage_source',
  'cost_micro_usd',
  'price_versions',
  'error_code',
  'finish_reason',
  'first_byte_ms',
  'total_ms',
  'attempts',
  'warnings',
  'settled_at',
  ...tokenColumns,
] as const;

const key = ['created_at', 'id'] as const;

/** What `endOf` gives the values of. */
export const endNames = [...ends, ...key] as const;

/** How a request ended, and which it is, in the order of `endNames`. Each by its name: V8 is slow at names from a list. */
export function endOf(settlement: Settlement, instanceId: string) {
  return [
    instanceId,
    settlement.sequence,
    settlement.status,
    settlement.http_status,
    settlement.model,
    settlement.provider,
    settlement.usage_source,
    settlement.cost_micro_usd,
    settlement.price_versions,
    settlement.error_code,
    settlement.finish_reason,
    settlement.first_byte_ms,
    settlement.total_ms,
    settlement.attempts,
    settlement.warnings,
    settlement.settled_at,
    settlement.prompt_tokens,
    settlement.completion_tokens,
    settlement.cached_tokens,
    settlement.reasoning_tokens,
    settlement.cache_write_5m_tokens,
    settlement.cache_write_1h_tokens,
    settlement.audio_prompt_tokens,
    settlement.audio_completion_tokens,
    settlement.image_prompt_tokens,
    settlement.image_completion_tokens,
    settlement.created_at,
    settlement.id,
  ] as const;
}

/** The statements of the hot path, compiled once. */
export function prepareStatements(database: DatabaseSync) {
  return {
    begin: database.prepare('begin immediate'),
    commit: database.prepare('commit'),
    rollback: database.prepare('rollback'),
    ...counting(database),
    admit:
      database.prepare(`insert or ignore into admitted (tenant_id, created_at, id, request_id, key_id, operation,
      model_asked, instance_id, queue_ms, tags) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    settle: database.prepare(`insert into settled (${[...endNames, 'tenant_id'].join(', ')})
      values (${[...endNames, 'tenant_id'].map(() => '?').join(', ')}) on conflict do nothing`),
    // Others took its process for gone; what really happened counts.
    correct: database.prepare(`update settled set ${ends.map((name) => `${name} = ?`).join(', ')}
      where ${key.map((name) => `${name} = ?`).join(' and ')} and status = 'interrupted'`),
    mark: database.prepare(
      'update sum_marks set sequence = ?, open_since = ? where instance_id = ? and sequence = ?',
    ),
    addUsage: database.prepare(addTo('usage_sums', usageKey)),
    addTags: database.prepare(addTo('usage_tag_days', tagKey)),
  };
}

/** What limits begin with that nobody has counted yet. */
function counting(database: DatabaseSync) {
  return {
    admitted: database.prepare(`select at, count(*) as count, sum(tokens) as tokens from (
        select a.created_at as at, coalesce(s.prompt_tokens, 0) + coalesce(s.completion_tokens, 0) as tokens
        from admitted a left join settled s on s.created_at = a.created_at and s.id = a.id
        where a.tenant_id = ?1 and a.created_at >= ?2
        union all select created_at, coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0) from ledger
        where tenant_id = ?1 and created_at >= ?2
      ) group by at order by at`),
    // What is not in the sums yet is among the latest: of the last seconds, and what runs since earlier.
    countSince: database.prepare(`select (
        select coalesce(sum(requests), 0) from usage_rows where tenant_id = ?1 and day >= ?2
      ) + (
        select count(*) from admitted a where a.tenant_id = ?1
          and a.created_at >= max(?3, (select coalesce(min(open_since), 0) from sum_marks))
          and not exists (select 1 from settled s left join sum_marks m on m.instance_id = s.instance_id
            where s.created_at = a.created_at and s.id = a.id and (m.instance_id is null or s.sequence <= m.sequence))
      ) as count`),
  };
}

function addTo(table: string, names: readonly string[]): string {
  const all = [...names, ...sumColumns];
  return `insert into ${table} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})
    on conflict do update set ${sumColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;
}
