import type ts from 'typescript';
import { type FieldRow, type FieldTable, wires } from '../../../src/gateway/wires/fields/field-rows.ts';
import { type FieldNode, fieldTree, join } from '../../../src/gateway/wires/fields/field-tree.ts';
import { type Shape, shapesOf } from './declarations.ts';

/** A field that the published type of its parent leads to: its type, or whoever knows it better than the type does. */
export type Published = ts.Type | ((comparison: Comparison, node: FieldNode) => void);

/** Walks what a vendor has published along a table of fields, as deep as the table goes. */
export class Comparison {
  readonly #table: FieldTable;
  readonly tree: FieldNode;
  readonly #missing = new Set<string>();
  /** Rows that are published, with the kinds or values of those that stand for several. */
  readonly #seen = new Map<FieldRow, Set<string>>();

  constructor(table: FieldTable) {
    this.#table = table;
    this.tree = fieldTree(table);
  }

  /** Fields that are published and in no row, by their paths. */
  get missing(): readonly string[] {
    return [...this.#missing].sort();
  }

  /** Rows that nobody has published and that do not say where else they come from. */
  get unpublished(): readonly string[] {
    return this.#table.rows.flatMap((row) => {
      if (row.source) return [];
      const seen = this.#seen.get(row);
      const [, kinds] = /[[{]\w+=([^\]}]+)[\]}]$/.exec(row.path) ?? [];
      if (!kinds) return seen ? [] : [row.path];
      return kinds.split('|').flatMap((kind) => (seen?.has(kind) ? [] : [`${row.path}: ${kind}`]));
    });
  }

  type(node: FieldNode, type: ts.Type): void {
    const { texts, items, objects } = shapesOf(type);
    for (const text of texts) this.#see(node.values.get(text), text);
    for (const item of items) this.#item(node, item);
    for (const shape of objects) this.object(node, shape);
  }

  #item(node: FieldNode, item: ts.Type): void {
    const { objects, items, texts } = shapesOf(item);
    const hasRows = node.items ?? node.row?.whole;
    if (objects.length + items.length > 0 && !hasRows) this.#missing.add(`${node.path}[]`);
    if (!node.items) return;
    if (texts.length > 0 || objects.length === 0) this.#see(node.items.row);
    this.type(node.items, item);
  }

  object(kind: FieldNode, { fields, open }: Shape): void {
    for (const node of this.#kinds(kind, fields)) {
      this.#see(node.row);
      if (isJudgedAsAWhole(node.row)) continue;
      if (open) this.#missing.add(`${node.path}.*`);
      for (const [name, type] of fields) this.field(node, name, type);
    }
  }

  field(node: FieldNode, name: string, published: Published): void {
    const field = node.fields.get(name);
    if (!field?.row) {
      this.#missing.add(join(node.path, name));
      return;
    }
    this.#see(field.row);
    if (isJudgedAsAWhole(field.row)) return;
    if (typeof published === 'function') published(this, field);
    else this.type(field, published);
  }

  /** The nodes of an object, of which there are several where its type is one of several. */
  #kinds(node: FieldNode, fields: ReadonlyMap<string, ts.Type>): readonly FieldNode[] {
    for (const [by, variants] of node.variants) {
      const type = fields.get(by);
      const values = type ? shapesOf(type).texts : [];
      const nodes = values.flatMap((value) => {
        const variant = variants.get(value);
        if (variant) this.#see(variant.row, value);
        // A role may have nothing of its own, but a type tells all kinds apart.
        else if (by === 'type') this.#missing.add(`${node.path}, ${by} ${value}`);
        return variant ? [variant] : [];
      });
      if (nodes.length > 0 || (by === 'type' && values.length > 0)) return nodes;
    }
    return [node];
  }

  #see(row: FieldRow | null | undefined, kind = ''): void {
    if (!row) return;
    const kinds = this.#seen.get(row) ?? new Set();
    this.#seen.set(row, kinds.add(kind));
  }
}

/** Whether what is in the value of a field needs no rows of its own. */
function isJudgedAsAWhole(row: FieldRow | null): boolean {
  return row !== null && (row.whole === true || wires.every((wire) => row.to[wire] !== 'mapped'));
}
