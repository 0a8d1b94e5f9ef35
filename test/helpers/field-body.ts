import { parseFieldPath, type Step } from '../../src/gateway/wires/fields/field-path.ts';
import type { FieldRow } from '../../src/gateway/wires/fields/field-rows.ts';
import type { FieldNode } from '../../src/gateway/wires/fields/field-tree.ts';

type Body = Record<string, unknown>;

/** A request in which one field has a value, and all around it is what its path says. */
export function bodyWith(path: string, value: unknown): Body {
  return made(parseFieldPath(path), value) as Body;
}

function made(steps: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = steps;
  switch (step?.kind) {
    case undefined:
      return value;
    case 'field':
      return { [step.name]: made(rest, value) };
    case 'items':
      return [made(rest, value)];
    case 'variant':
      return {
        [step.by]: step.values[0],
        ...(made(rest, rest.length === 0 ? (value ?? {}) : value) as Body),
      };
    case 'value':
      return step.value;
  }
}

/** The rows that a field is judged by, from the outermost to its own. */
export function rowsOnTheWay(tree: FieldNode, path: string): readonly FieldRow[] {
  let node: FieldNode | null | undefined = tree;
  const rows: FieldRow[] = [];
  for (const step of parseFieldPath(path)) {
    if (step.kind === 'value') {
      const row = node?.values.get(step.value);
      return row ? [...rows.slice(0, -1), row] : rows;
    }
    if (step.kind === 'field') node = node?.fields.get(step.name);
    else if (step.kind === 'items') node = node?.items;
    else node = node?.variants.get(step.by)?.get(step.values[0] ?? '');
    if (node?.row && node.row !== rows.at(-1)) rows.push(node.row);
  }
  return rows;
}
