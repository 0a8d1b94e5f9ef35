import { onWire } from '../lib/names.ts';

/** The output of commands: a table or lines for people, JSON for scripts. */

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null;
  /** Whether it holds numbers, which stand under each other by their last digit. */
  readonly numeric?: boolean;
}

/** Aligned columns under their titles; missing values show as `-`. No ANSI codes, so it can be piped. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [
    columns.map(({ title }) => title.toUpperCase()),
    ...rows.map((row) => columns.map(({ value }) => printable(value(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => {
          const width = widths[index] ?? 0;
          return columns[index]?.numeric ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A time to the minute, in UTC. */
export function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints one row or several: a table, or JSON if it is asked for. */
export function show<Row extends object>(
  columns: readonly Column<Row>[],
  rows: Row | readonly Row[],
  json: true | undefined,
): void {
  if (json) printJson(rows);
  else print(table(columns, [rows].flat() as Row[]));
}

/** Prints JSON with the names of the wire, and times as ISO 8601. Names of tags are their own. */
export function printJson(value: object): void {
  print(JSON.stringify(Array.isArray(value) ? value.map((item) => onWire(item)) : onWire(value), null, 2));
}

/** A label or name may hold anything; a terminal must not act on it. */
function printable(value: string | number | null): string {
  if (value === null || value === '') return '-';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not get through.
  return String(value).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '?');
}
