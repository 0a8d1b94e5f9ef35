import type { FieldRow, FieldTable } from './field-rows.ts';

/**
 * The paths of the tables of fields. `a.b` is the field `b` of the object `a`; `a[]` stands for each item of the list `a`;
 * `a[type=x|y]` for those items whose `type` is `x` or `y`, `a{type=x}` for an object `a` of that type; and `a=x`, at the end
 * only, for the value `x` of `a`.
 */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'items' }
  | { readonly kind: 'variant'; readonly by: string; readonly values: readonly string[] }
  | { readonly kind: 'value'; readonly value: string };

/** Throws for a path that is not of this form. */
export function parseFieldPath(path: string): readonly Step[] {
  const steps: Step[] = [];
  let rest = path;
  while (rest !== '') {
    const taken = take(rest, steps);
    if (taken === 0) throw new Error(`${path} is no path of a field, from ${rest}`);
    rest = rest.slice(taken);
  }
  if (steps.length === 0) throw new Error('the path of a field is empty');
  return steps;
}

/** The path as in a request, without the kinds of objects and the values: `a[].b` of `a[type=x].b=y`. */
export function pathInRequest(path: string): string {
  return path
    .replaceAll(/\[\w+=[^\]]+\]/g, '[]')
    .replaceAll(/\{[^}]+\}/g, '')
    .replace(/=.+$/, '');
}

/** Adds the first step of a path to the steps, and returns its length. */
function take(rest: string, steps: Step[]): number {
  const name = /^\.?([\w-]+)/.exec(rest);
  if (name && rest.startsWith('.') === steps.length > 0) {
    steps.push({ kind: 'field', name: name[1] ?? '' });
    return name[0].length;
  }
  if (rest.startsWith('[]')) {
    steps.push({ kind: 'items' });
    return 2;
  }
  const variant = /^(?:\[(\w+)=([^\]]+)\]|\{(\w+)=([^}]+)\})/.exec(rest);
  if (variant) {
    if (rest.startsWith('[')) steps.push({ kind: 'items' });
    const [, itemsBy, itemsValues, by = itemsBy, values = itemsValues] = variant;
    steps.push({ kind: 'variant', by: by ?? '', values: (values ?? '').split('|') });
    return variant[0].length;
  }
  const value = /^=(.+)$/.exec(rest);
  if (!value) return 0;
  steps.push({ kind: 'value', value: value[1] ?? '' });
  return rest.length;
}

/** The rows of a table as a tree, so that a body can be walked along it. */
export interface FieldNode {
  /** As in the table. */
  readonly path: string;
  /** The mark of its objects among others at the same place, such as `type "file"`; empty without one. */
  readonly kind: string;
  /** Null where only what is below is in the table. */
  row: FieldRow | null;
  readonly fields: Map<string, FieldNode>;
  items: FieldNode | null;
  /** By the name of the field that tells objects apart, and its value; each also has all the fields that its kind has in common. */
  readonly variants: Map<string, Map<string, FieldNode>>;
  /** Rows of single values of the field. */
  readonly values: Map<string, FieldRow>;
}

/** Throws for a path that is no path, and for one that stands twice. */
export function fieldTree({ rows, alsoSnakeCase }: Pick<FieldTable, 'rows' | 'alsoSnakeCase'>): FieldNode {
  const root = emptyNode('');
  for (const row of expanded(rows)) place(root, row);
  if (alsoSnakeCase) nameInSnakeCase(root);
  inherit(root);
  return root;
}

function nameInSnakeCase(node: FieldNode): void {
  for (const [name, field] of [...node.fields]) {
    node.fields.set(
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      field,
    );
  }
  for (const below of childrenOf(node)) nameInSnakeCase(below);
}

function childrenOf({ fields, items, variants }: FieldNode): Set<FieldNode> {
  const kinds = [...variants.values()].flatMap((all) => [...all.values()]);
  return new Set([...fields.values(), ...kinds, ...(items ? [items] : [])]);
}

/** The rows, with those written out that stand for others below them. */
function expanded(rows: readonly FieldRow[]): readonly FieldRow[] {
  const standing = rows.filter(({ sameAs }) => sameAs !== undefined);
  const isInner = ({ path }: FieldRow) => standing.some(({ sameAs = '' }) => isBelow(path, sameAs));
  const inner = standing.filter(isInner);
  // A row that stands for others may itself be below a path that another stands for, so it is written out first.
  return [...inner, ...standing.filter((row) => !inner.includes(row))].reduce(withCopies, rows);
}

function withCopies(rows: readonly FieldRow[], { path, sameAs = '' }: FieldRow): readonly FieldRow[] {
  const written = new Set(rows.map((row) => row.path));
  // The object that contains the row is not repeated within it: a result of a tool holds no results of tools.
  const around = path.startsWith(sameAs) ? path.slice(0, path.indexOf(']', sameAs.length) + 1) : null;
  const copies = rows
    .filter((row) => isBelow(row.path, sameAs) && !(around && row.path.startsWith(around)))
    .map((row) => ({ ...row, path: path + row.path.slice(sameAs.length) }))
    .filter((row) => !written.has(row.path));
  return [...rows, ...copies];
}

function isBelow(path: string, from: string): boolean {
  return path.startsWith(from) && /^[.[{]/.test(path.slice(from.length));
}

function place(root: FieldNode, row: FieldRow): void {
  let nodes = [root];
  for (const step of parseFieldPath(row.path)) {
    if (step.kind === 'value') {
      for (const node of nodes) node.values.set(step.value, row);
      return;
    }
    nodes = nodes.flatMap((node) => next(node, step));
  }
  for (const node of nodes) {
    if (node.row) throw new Error(`${row.path} stands twice in the table`);
    node.row = row;
  }
}

function next(node: FieldNode, step: Exclude<Step, { kind: 'value' }>): FieldNode[] {
  switch (step.kind) {
    case 'field':
      return [child(node.fields, step.name, join(node.path, step.name))];
    case 'items':
      node.items ??= emptyNode(`${node.path}[]`);
      return [node.items];
    case 'variant': {
      const variants = node.variants.get(step.by) ?? new Map<string, FieldNode>();
      node.variants.set(step.by, variants);
      return step.values.map((value) =>
        child(variants, value, variantPath(node.path, step.by, value), `${step.by} "${value}"`),
      );
    }
  }
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function variantPath(path: string, by: string, value: string): string {
  return path.endsWith('[]') ? `${path.slice(0, -1)}${by}=${value}]` : `${path}{${by}=${value}}`;
}

function child(children: Map<string, FieldNode>, key: string, path: string, kind = ''): FieldNode {
  const node = children.get(key) ?? emptyNode(path, kind);
  children.set(key, node);
  return node;
}

function emptyNode(path: string, kind = ''): FieldNode {
  return { path, kind, row: null, fields: new Map(), items: null, variants: new Map(), values: new Map() };
}

/** Gives each variant what all of its kind have, where it says nothing else itself. */
function inherit(node: FieldNode): void {
  for (const variants of node.variants.values()) {
    for (const variant of variants.values()) addMissing(variant, node);
  }
  for (const below of childrenOf(node)) inherit(below);
}

/** Adds to a node what another has at the same place and it has not. The other's variants are its own affair. */
function addMissing(node: FieldNode, from: FieldNode): void {
  node.row ??= from.row;
  if (node.row?.whole) return;
  for (const [value, row] of from.values) if (!node.values.has(value)) node.values.set(value, row);
  if (from.items) {
    if (!node.items) node.items = from.items;
    else if (node.items !== from.items) addBelow(node.items, from.items);
  }
  for (const [name, field] of from.fields) {
    const own = node.fields.get(name);
    if (!own) node.fields.set(name, field);
    else if (own !== field) addBelow(own, field);
  }
}

function addBelow(node: FieldNode, from: FieldNode): void {
  addMissing(node, from);
  for (const [by, variants] of from.variants) {
    const own = node.variants.get(by) ?? new Map<string, FieldNode>();
    node.variants.set(by, own);
    for (const [value, variant] of variants) {
      const there = own.get(value);
      if (!there) own.set(value, variant);
      else if (there !== variant) addBelow(there, variant);
    }
  }
}
