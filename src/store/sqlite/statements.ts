import type { DatabaseSync } from 'node:sqlite';
import { sumColumns, tokenColumns } from '../token-columns.ts';

const settle = `update ledger set status = ?, http_status = ?, model = ?, provider = ?, usage_source = ?,
  cost_micro_usd = ?, error_code = ?, finish_reason = ?, first_byte_ms = ?, total_ms = ?, attempts = ?, warnings = ?,
  settled_at = ?, ${tokenColumns.map((name) => `${name} = ?`).join(', ')}
  where tenant_id = ? and created_at = ? and seq = ? and id = ?`;

/** The statements of the hot path, compiled once. */
export function prepareStatements(database: DatabaseSync) {
  return {
    begin: database.prepare('begin immediate'),
    commit: database.prepare('commit'),
    rollback: database.prepare('rollback'),

    counters: database.prepare(
      'select seq, last_at, day, day_used, month, month_used from counters where tenant_id = ?',
    ),
    admitted: database.prepare(`select created_at as at, count(*) as count from ledger
      where tenant_id = ? and created_at >= ? group by created_at order by created_at`),
    running: database.prepare(`select count(*) as count from ledger where settled_at is null and tenant_id = ?
      and instance_id in (select id from instances where expires_at > ?)`),
    tokens: database.prepare(
      'select second, tokens from token_seconds where tenant_id = ? and second >= ? order by second',
    ),

    move: database.prepare(`update counters set seq = ?, last_at = ?, day = ?, day_used = ?, month = ?, month_used = ?
      where tenant_id = ? and seq = ?`),
    hold: database.prepare(`insert into token_seconds (tenant_id, second, tokens) values (?, ?, ?)
      on conflict do update set tokens = tokens + excluded.tokens`),
    forget: database.prepare('delete from token_seconds where tenant_id = ? and second < ?'),
    insert:
      database.prepare(`insert into ledger (tenant_id, created_at, seq, id, request_id, key_id, operation,
      model_asked, instance_id, queue_ms, status) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running')`),

    settle: database.prepare(`${settle} and settled_at is null`),
    correct: database.prepare(`${settle} and status = 'interrupted'`),
    addDay:
      database.prepare(`insert into usage_days (tenant_id, day, operation, model, ${sumColumns.join(', ')})
      values (?, ?, ?, ?, ${sumColumns.map(() => '?').join(', ')})
      on conflict do update set ${sumColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`),
  };
}
