/** Each row of each table holds, towards each wire, with the sample that the table gives. */
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../../src/contract/errors.ts';
import {
  type ClientWire,
  clientWires,
  type FieldRow,
  wires,
} from '../../../../../src/gateway/wires/fields/field-rows.ts';
import { fieldTree } from '../../../../../src/gateway/wires/fields/field-tree.ts';
import { fieldTable, judgeFields } from '../../../../../src/gateway/wires/fields/table.ts';
import type { VendorWire } from '../../../../../src/model/parts.ts';
import { bodyWith, rowsOnTheWay } from '../../../../helpers/idempotency.ts';

describe.each(clientWires)('the rows of %s', (wire) => {
  const table = fieldTable(wire);
  const tree = fieldTree(table);

  it.each(wires)('hold towards %s', (target) => {
    const results = table.rows.map((row) => [row.path, judged(wire, target, row)]);
    const said = table.rows.map((row) => {
      const deciding = rowsOnTheWay(tree, row.path).find((one) => one.to[target] !== 'mapped') ?? row;
      return [row.path, saidOf(deciding, target)];
    });
    expect(Object.fromEntries(results)).toEqual(Object.fromEntries(said));
  });

  it.each(wires)('let values pass that say nothing, towards %s', (target) => {
    const passed = table.rows.flatMap((row) =>
      [null, [], ...(row.harmless ?? [])].map((value) => ({ row, value })),
    );
    const objecting = passed.filter(({ row, value }) => {
      const around = rowsOnTheWay(tree, row.path).slice(0, -1);
      if (around.some((one) => one.to[target] !== 'mapped') || isKind(row)) return false;
      return judged(wire, target, { ...row, sample: value }) !== 'mapped';
    });
    expect(objecting.map(({ row, value }) => `${row.path}: ${JSON.stringify(value)}`)).toEqual([]);
  });

  it('have a sample for each field that is judged by itself', () => {
    const without = table.rows.filter(
      ({ path, to, sample }) =>
        sample === undefined &&
        !/[\]}]$/.test(path) &&
        (wires.some((one) => to[one] !== 'mapped') ||
          !table.rows.some((other) => other.path !== path && other.path.startsWith(path))),
    );
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it('say of each field that is not carried over why', () => {
    const silent = table.rows.filter(
      ({ to, note }) => wires.some((one) => one !== wire && to[one] === 'refused') && !note,
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});

/** What becomes of a field with its sample, and by which row. */
function judged(wire: ClientWire, target: VendorWire, { path, sample }: FieldRow): string {
  const body = bodyWith(path, sample);
  try {
    const warnings = judgeFields(wire, target, body);
    return warnings.map(({ code, param }) => `${code} ${param}`).join(', ') || 'mapped';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.code} ${error.param?.replaceAll('[0]', '[]')}`;
  }
}

function saidOf({ path, to }: FieldRow, target: VendorWire): string {
  const inRequest = path.replaceAll(/\[\w+=[^\]]*\]/g, '[]').replaceAll(/\{.*?\}|=.*$/g, '');
  switch (to[target]) {
    case 'mapped':
      return 'mapped';
    case 'dropped':
      return `field_dropped ${inRequest}`;
    case 'refused':
      return `invalid_request ${inRequest}`;
  }
}

/** Whether a row is of a kind of objects or of one value, and not of a field. */
function isKind({ path }: FieldRow): boolean {
  return /[\]}]$|=[^\]}]*$/.test(path);
}
