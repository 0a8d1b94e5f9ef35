import { countingStatements } from '../ledger.ts';
import { endColumns, sumColumns, tokenColumns } from '../token-columns.ts';

/**
 * The statements of the hot path. Rows travel as JSON: one parameter a batch, cheap to write here and to read there.
 * Named, so that every connection prepares each once.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The columns of a settlement that describe the end. */
const ends = ['status', ...endColumns, 'price_versions'] as const;
const bigints: ReadonlySet<string> = new Set([
  ...tokenColumns,
  'cost_micro_usd',
  'first_byte_ms',
  'total_ms',
  'settled_at',
]);
const typeOf = (name: string) => (name === 'http_status' ? 'int' : bigints.has(name) ? 'bigint' : 'text');

const endNames = ends.join(', ');
const endTypes = ends.map((name) => `${name} ${typeOf(name)}`).join(', ');

const outcome =
  'select (select count(*) from ended) as written, (select count(interrupted_at) from ended) as corrected';

const usageTypes = {
  tenant_id: 'text',
  day: 'int',
  key_id: 'text',
  operation: 'text',
  provider: 'text',
  model: 'text',
};
const tagTypes = { tenant_id: 'text', day: 'int', tag: 'text', value: 'text', model: 'text' };

const counting = countingStatements('greatest');
export const admitted: Statement = { name: 'admitted_since', text: counting.admitted };
export const countSince: Statement = { name: 'count_since', text: counting.countSince };

/** Which parts of a batch there are. */
type Parts = 'begins' | 'ends' | 'both';

/** A batch in one round trip: of what began $1 and $2, the process; of what ended the last parameter, and the process. */
export const commits: Readonly<Record<Parts, Statement>> = {
  begins: { name: 'commit_begins', text: `with ${beginning()} select 1` },
  ends: { name: 'commit_ends', text: `with ${ending('$1', '$2')} ${outcome}` },
  both: { name: 'commit_both', text: `with ${beginning()}, ${ending('$3', '$2')} ${outcome}` },
};

/** A settlement may be there already, written late, after it was abandoned: see `Settlements.abandon`. */
function beginning(): string {
  return `begun as (
      insert into admitted (tenant_id, created_at, id, request_id, key_id, operation, model_asked, instance_id, queue_ms,
        tags)
      select tenant_id, created_at, id, request_id, key_id, operation, model_asked, $2, queue_ms, tags
      from json_to_recordset($1) as r(tenant_id text, created_at bigint, id text, request_id text, key_id text,
        operation text, model_asked text, queue_ms bigint, tags text)
      on conflict do nothing
    )`;
}

/**
 * Writes ends, once each: one that was taken for interrupted is corrected, and nothing else is changed.
 * @param given the parameter of the settlements, `instance` of the process
 */
function ending(given: string, instance: string): string {
  return `given as (
      select * from json_to_recordset(${given}) as g(tenant_id text, created_at bigint, id text, sequence bigint,
        ${endTypes})
    ), ended as (
      insert into settled as s (tenant_id, created_at, id, instance_id, sequence, ${endNames})
      select tenant_id, created_at, id, ${instance}, sequence, ${endNames} from given
      on conflict (created_at, id) do update set instance_id = excluded.instance_id,
        sequence = excluded.sequence, ${ends.map((name) => `${name} = excluded.${name}`).join(', ')}
      where s.status = 'interrupted'
      returning sequence, interrupted_at
    )`;
}

/** Adds sums and moves the mark from where they begin. */
export const sum: Statement = {
  name: 'sum',
  text: `with mark as (
      update sum_marks set sequence = $3, open_since = $4 where instance_id = $1 and sequence = $2 returning 1
    ), usage as (${addTo('usage_sums', usageTypes, '$5')}
    ), tags as (${addTo('usage_tag_days', tagTypes, '$6')}
    )
    select count(*) as marks from mark`,
};

/** In the order of their keys, so that two processes cannot wait for each other. */
function addTo(table: string, types: Readonly<Record<string, string>>, given: string): string {
  const key = Object.keys(types).join(', ');
  const sums = sumColumns.join(', ');
  const columns = [...Object.entries(types), ...sumColumns.map((name) => [name, 'bigint'])];
  return `
      insert into ${table} as t (${key}, ${sums})
      select ${key}, ${sums} from json_to_recordset(${given}) as r(${columns.map((column) => column.join(' ')).join(', ')})
      where exists (select 1 from mark) order by ${key}
      on conflict (${key}) do update set ${sumColumns.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}`;
}
