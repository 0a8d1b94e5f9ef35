import type { Kysely } from 'kysely';

/** Budgets, and which of their thresholds were told in which day or month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('budgets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text')
    .addColumn('tag_name', 'text')
    .addColumn('tag_value', 'text')
    .addColumn('model', 'text')
    .addColumn('unit', 'text', (column) => column.notNull())
    .addColumn('span', 'text', (column) => column.notNull())
    .addColumn('most', 'bigint', (column) => column.notNull())
    .addColumn('hard', 'integer', (column) => column.notNull())
    .addColumn('alerts_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('budgets_by_tenant').on('budgets').columns(['tenant_id', 'id']).execute();
  await db.schema
    .createTable('budget_alerts')
    .addColumn('budget_id', 'text', (column) => column.notNull())
    .addColumn('period', 'bigint', (column) => column.notNull())
    .addColumn('percent', 'integer', (column) => column.notNull())
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addColumn('most', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('budget_alerts_pkey', ['budget_id', 'period', 'percent'])
    .execute();
  await db.schema
    .createIndex('budget_alerts_by_time')
    .on('budget_alerts')
    .columns(['tenant_id', 'at'])
    .execute();
}
