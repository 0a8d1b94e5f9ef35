import { type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import type { AuditRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { Act } from './changes.ts';
import { readCursor } from './read-cursor.ts';

export interface AuditEntry extends Act {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The audit log, latest first. Throws `AccountError('invalid')` for a broken cursor. */
export async function listAudit(
  { db }: Store,
  request: ListRequest & { readonly tenantId?: string } = {},
): Promise<ListPage<AuditEntry>> {
  const cursor = readCursor(request, 'string');
  let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(rowsFor(request));
  if (request.tenantId !== undefined) query = query.where('tenant_id', '=', request.tenantId);
  if (cursor) query = query.where('id', '<', cursor[0] as string);
  return toListPage(await query.execute(), request, ({ id }) => [id], entryOf);
}

function entryOf({ tenant_id, before, after, ...row }: AuditRow): AuditEntry {
  return {
    ...row,
    tenantId: tenant_id,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  };
}
