/** The rows of a CSV with a row of names (RFC 4180), by these names. Throws for one that ends in the middle of a line. */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) throw new Error(`no cell of CSV: ${text.slice(at, at + 80)}`);
    const [, quoted, plain = '', end] = found;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  const [names = [], ...cells] = rows;
  for (const { length } of cells) if (length !== names.length) throw new Error('a row has another length');
  return cells.map((values) => Object.fromEntries(names.map((name, n) => [name, values[n] ?? ''])));
}
