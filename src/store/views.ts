import { endColumns, sumColumns } from './token-columns.ts';

/** A row of the version before may have been settled by this one, and one that it took for interrupted corrected. */
const begin = ['id', 'request_id', 'key_id', 'operation', 'model_asked', 'instance_id', 'queue_ms'];
const same = 's.created_at = b.created_at and s.id = b.id';
const begins = begin.map((name) => `b.${name}`).join(', ');
const ended = 's.instance_id as settled_by, s.sequence';
const sums = sumColumns.join(', ');

/**
 * The views of events and sums together with the rows of versions before, by the names of `Tables`, in the order in which
 * they are made. PostgreSQL keeps them. SQLite has them for a connection (`create temp view`): the first object of a schema
 * must be no view, or `integrity_check` leaves out the list of free pages, as it takes the number of its first page for a
 * sign that only a part is asked for (seen with 3.53.4, test/e2e/damage.long.test.ts).
 */
export const views: readonly (readonly [name: string, select: string])[] = [
  [
    'older_rows',
    `select b.tenant_id, b.created_at, ${begins}, cast(null as text) as tags, b.seq,
        coalesce(s.status, b.status) as status, ${endColumns.map((name) => `coalesce(s.${name}, b.${name}) as ${name}`).join(', ')},
        s.price_versions, ${ended}, coalesce(s.interrupted_at, case when b.status = 'interrupted' then b.settled_at end) as interrupted_at
      from ledger b left join settled s on ${same} and (b.settled_at is null or b.status = 'interrupted')`,
  ],
  [
    'ledger_rows',
    `select b.tenant_id, b.created_at, ${begins}, b.tags, cast(null as bigint) as seq,
        coalesce(s.status, 'running') as status, ${endColumns.map((name) => `s.${name}`).join(', ')}, s.price_versions, ${ended}, s.interrupted_at
      from admitted b left join settled s on ${same}
      union all select * from older_rows`,
  ],
  [
    'usage_rows',
    // Sums of the version before know neither key nor provider.
    `select tenant_id, day, key_id, operation, provider, model, ${sums} from usage_sums
      union all select tenant_id, day, '', operation, '', model, ${sums} from usage_days`,
  ],
];
