import { dayName } from '../../../lib/utc.ts';
import type { Store } from '../../../store/store.ts';
import { tokenColumns } from '../../../store/token-columns.ts';
import { type Charge, chargesOf } from './charges.ts';
import { type ChargeNames, focusColumns, focusRow } from './focus.ts';
import { activeTenants, type Days, dollarsText } from './settled-rows.ts';

const counts = ['requests', 'succeeded', 'failed', 'cancelled', 'interrupted', ...tokenColumns] as const;

/** The columns of our own table, in their order. */
const plainColumns: readonly string[] = [
  'day',
  'tenant_id',
  'key_id',
  'operation',
  'provider',
  'model',
  'tags',
  ...counts,
  'cost_usd',
  'unpriced_requests',
];

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

/**
 * A cell of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front
 * (https://owasp.org/www-community/attacks/CSV_Injection): names of models, tags and labels are chosen by clients.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^\s*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV, with its line break. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/** A charge as a row of our own table. */
function plainRow(charge: Charge): (string | number | null)[] {
  const { day, tenantId, keyId, operation, provider, model, tags, sums } = charge;
  return [
    dayName(day),
    tenantId,
    keyId,
    operation,
    provider,
    model,
    tags ?? '{}',
    ...counts.map((name) => sums[name]),
    dollarsText(sums.cost_micro_usd),
    sums.unpriced,
  ];
}
