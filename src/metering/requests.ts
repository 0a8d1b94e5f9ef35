import { readCursor } from '../accounts/read-cursor.ts';
import type { Attempt } from '../models/port.ts';
import { type ListPage, type ListRequest, rowsFor, toListPage } from '../store/list-page.ts';
import type { LedgerRow, LedgerStatus } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { sumsIn, type TokenSums } from './ledger-tokens.ts';
import { type KeptWarning, warningsIn } from './ledger-warnings.ts';

/** What happened to one request. Times are milliseconds since the epoch. */
export interface RequestRecord {
  readonly requestId: string;
  readonly keyId: string;
  readonly operation: string;
  /** `interrupted`: the process that answered it ended without saying how. */
  readonly status: LedgerStatus;
  readonly httpStatus: number | null;
  readonly modelAsked: string | null;
  /** The model that answered, and who served it. */
  readonly model: string | null;
  readonly provider: string | null;
  readonly usage: (TokenSums & { readonly source: 'provider' | 'estimated' }) | null;
  /** Millionths of a US dollar; null where no price is known. */
  readonly costMicroUsd: number | null;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly timings: {
    /** From arrival to admission. */
    readonly queueMs: number;
    readonly firstByteMs: number | null;
    /** Null while it runs, and where nobody knows. */
    readonly totalMs: number | null;
  };
  readonly attempts: readonly Attempt[];
  /** What was dropped, adapted or estimated. */
  readonly warnings: readonly KeptWarning[];
  readonly createdAt: number;
  readonly settledAt: number | null;
}

/** A tenant's request; null when the tenant has none of this id. Of several with an id of the client's own, the latest. */
export async function findRequest(
  { db }: Store,
  tenantId: string,
  requestId: string,
): Promise<RequestRecord | null> {
  const row = await db
    .selectFrom('ledger')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? recordOf(row) : null;
}

/** A tenant's requests, latest first. Throws `AccountError('invalid')` for a broken cursor. */
export async function listRequests(
  { db }: Store,
  tenantId: string,
  request: ListRequest = {},
): Promise<ListPage<RequestRecord>> {
  const cursor = readCursor(request, 'number', 'number');
  let query = db
    .selectFrom('ledger')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(rowsFor(request));
  if (cursor) {
    const [createdAt, seq] = cursor as [number, number];
    query = query
      .where('created_at', '<=', createdAt)
      .where((eb) => eb.or([eb('created_at', '<', createdAt), eb('seq', '<', seq)]));
  }
  return toListPage(await query.execute(), request, (row) => [row.created_at, row.seq], recordOf);
}

function recordOf(row: LedgerRow): RequestRecord {
  return {
    requestId: row.request_id,
    keyId: row.key_id,
    operation: row.operation,
    status: row.status,
    httpStatus: row.http_status,
    modelAsked: row.model_asked,
    model: row.model,
    provider: row.provider,
    usage: row.usage_source === null ? null : { ...sumsIn(row), source: row.usage_source },
    costMicroUsd: row.cost_micro_usd,
    errorCode: row.error_code,
    finishReason: row.finish_reason,
    timings: { queueMs: row.queue_ms, firstByteMs: row.first_byte_ms, totalMs: row.total_ms },
    attempts: row.attempts === null ? [] : (JSON.parse(row.attempts) as Attempt[]),
    warnings: warningsIn(row.warnings),
    createdAt: row.created_at,
    settledAt: row.settled_at,
  };
}
