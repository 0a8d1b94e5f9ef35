import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Tables } from './schema.ts';

/** Most statements: they find, add, change or delete rows by the values of columns. All reject with `StoreError`. */

/** A connection, or a transaction that is under way. */
export type Db = Kysely<Tables>;

type TableName = keyof Tables;

/** A row as it is read. */
export type RowOf<Table extends TableName> = Selectable<Tables[Table]>;

/** The value that each column must have, or one of several; null: the column must have none. */
export type Where<Table extends TableName> = {
  readonly [Column in keyof RowOf<Table>]?: RowOf<Table>[Column] | readonly RowOf<Table>[Column][];
};

/** @param rest SQL after the conditions, such as a further one, an order or a limit */
export async function findRows<Table extends TableName>(
  db: Db,
  table: Table,
  where: Where<Table>,
  rest: RawBuilder<unknown> = sql``,
): Promise<RowOf<Table>[]> {
  const found = sql<RowOf<Table>>`select * from ${sql.table(table)} where ${conditions(where)} ${rest}`;
  return (await found.execute(db)).rows;
}

export async function findRow<Table extends TableName>(
  db: Db,
  table: Table,
  where: Where<Table>,
  rest: RawBuilder<unknown> = sql``,
): Promise<RowOf<Table> | undefined> {
  return (await findRows(db, table, where, sql`${rest} limit 1`))[0];
}

/** Adds rows; with `unlessThere` those alone that contradict no other. Resolves with how many were added. */
export async function addRows<Table extends TableName>(
  db: Db,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
  options: { readonly unlessThere?: true } = {},
): Promise<number> {
  const otherwise = options.unlessThere ? sql`on conflict do nothing` : sql``;
  return affected(db, sql`${insertion(table, rows)} ${otherwise}`);
}

/** Whether a row was added, as no other has its key. */
export async function addNewRow<Table extends TableName>(
  db: Db,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<boolean> {
  return (await addRows(db, table, [row], { unlessThere: true })) === 1;
}

/**
 * Adds rows, or changes those that are there to them.
 * @param key the columns of the primary key
 * @param changedTo the new values of the other columns; those of the row if left out
 */
export async function putRows<Table extends TableName>(
  db: Db,
  table: Table,
  key: readonly (keyof RowOf<Table>)[],
  rows: readonly Insertable<Tables[Table]>[],
  changedTo = (name: string): RawBuilder<unknown> => sql.ref(`excluded.${name}`),
): Promise<void> {
  const changed = Object.keys(rows[0] ?? {}).filter((name) => !(key as readonly string[]).includes(name));
  const set = changed.map((name) => sql`${sql.ref(name)} = ${changedTo(name)}`);
  const columns = sql.join((key as readonly string[]).map((name) => sql.ref(name)));
  await affected(db, sql`${insertion(table, rows)} on conflict (${columns}) do update set ${sql.join(set)}`);
}

/** Resolves with how many were changed. @param rest further conditions, each after an `and` */
export async function changeRows<Table extends TableName>(
  db: Db,
  table: Table,
  where: Where<Table>,
  values: Updateable<Tables[Table]>,
  rest: RawBuilder<unknown> = sql``,
): Promise<number> {
  const set = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const statement = sql`update ${sql.table(table)} set ${sql.join(set)} where ${conditions(where)} ${rest}`;
  return affected(db, statement);
}

/** Resolves with how many were deleted. @param rest further conditions, each after an `and` */
export async function deleteRows<Table extends TableName>(
  db: Db,
  table: Table,
  where: Where<Table>,
  rest: RawBuilder<unknown> = sql``,
): Promise<number> {
  return affected(db, sql`delete from ${sql.table(table)} where ${conditions(where)} ${rest}`);
}

function insertion(table: string, rows: readonly object[]): RawBuilder<unknown> {
  const names = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => {
    const held = row as Readonly<Record<string, unknown>>;
    return sql`(${sql.join(names.map((name) => held[name]))})`;
  });
  const columns = sql.join(names.map((name) => sql.ref(name)));
  return sql`insert into ${sql.table(table)} (${columns}) values ${sql.join(values)}`;
}

function conditions(where: object): RawBuilder<unknown> {
  const all = Object.entries(where).map(([name, value]) => {
    const column = sql.ref(name);
    if (value === null) return sql`${column} is null`;
    return Array.isArray(value) ? sql`${column} in (${sql.join(value)})` : sql`${column} = ${value}`;
  });
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `);
}

async function affected(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0n);
}
