import { dayName } from '../../../lib/utc.ts';
import { tokenColumns } from '../../../store/token-columns.ts';
import type { Charge } from './charges.ts';
import { dollarsText } from './money.ts';

const counts = ['requests', 'succeeded', 'failed', 'cancelled', 'interrupted', ...tokenColumns] as const;

/** The columns of our own table, in their order. */
export const plainColumns: readonly string[] = [
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

/** A charge as a row of our own table. */
export function plainRow(charge: Charge): (string | number | null)[] {
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
