import type { Store } from '../../../store/store.ts';
import { type Charge, chargesOf } from './charges.ts';
import { csvLine } from './csv.ts';
import { type ChargeNames, focusColumns, focusRow } from './focus.ts';
import { plainColumns, plainRow } from './plain.ts';
import { activeTenants, type Days } from './settled-rows.ts';

/** Our own table, or FOCUS. */
export const exportFormats = ['csv', 'focus'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface UsageExport {
  readonly format: ExportFormat;
  /** Null: of all of them. */
  readonly tenantId: string | null;
  readonly days: Days;
}

/**
 * Usage and cost as CSV, a row for each charge, in pieces: as much is held as a day of a tenant needs, at most. What is
 * settled while it is read may be in it.
 */
export async function* exportUsage(
  store: Store,
  { format, tenantId, days }: UsageExport,
): AsyncGenerator<string, undefined> {
  yield csvLine(format === 'focus' ? focusColumns : plainColumns);
  const tenants = tenantId === null ? activeTenants(store, days) : [tenantId];
  for await (const id of tenants) {
    for await (const charges of chargesOf(store, id, days)) yield* linesOf(store, format, id, charges);
  }
  return undefined;
}

/** Lines that go out together; others have their turn of the event loop after each. */
const pieceLines = 100;

async function* linesOf(
  store: Store,
  format: ExportFormat,
  tenantId: string,
  charges: readonly Charge[],
): AsyncGenerator<string, undefined> {
  for (let at = 0; at < charges.length; at += pieceLines) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    const some = charges.slice(at, at + pieceLines);
    if (format === 'csv') {
      yield some.map((charge) => csvLine(plainRow(charge))).join('');
      continue;
    }
    const names = await namesOf(store, tenantId, some);
    yield some.map((charge) => csvLine(focusRow(charge, names))).join('');
  }
  return undefined;
}

async function namesOf(
  { db }: Pick<Store, 'db'>,
  tenantId: string,
  charges: readonly Charge[],
): Promise<ChargeNames> {
  const ids = [...new Set(charges.map(({ keyId }) => keyId))];
  const [tenant, keys] = await Promise.all([
    db.selectFrom('tenants').select('name').where('id', '=', tenantId).executeTakeFirst(),
    db.selectFrom('keys').select(['id', 'label']).where('id', 'in', ids).execute(),
  ]);
  return { tenant: tenant?.name ?? tenantId, keys: new Map(keys.map(({ id, label }) => [id, label])) };
}
