import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import {
  type FieldRow,
  type FieldTable,
  type JsonType,
  typesOf,
  wires,
} from '../../src/gateway/wires/fields/field-rows.ts';
import { type FieldNode, fieldTree, join } from '../../src/gateway/wires/fields/field-tree.ts';

/** A field that the published type of its parent leads to: its type, or whoever knows it better than the type does. */
export type Published = ts.Type | ((comparison: Comparison, node: FieldNode) => void);

/** Walks what a vendor has published along a table of fields, as deep as the table goes. */
export class Comparison {
  readonly #table: FieldTable;
  readonly tree: FieldNode;
  readonly #missing = new Set<string>();
  readonly #untyped = new Set<string>();
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

  /** Fields that are not carried over to all wires, with the published types that no value of their rows has. */
  get untyped(): readonly string[] {
    return [...this.#untyped];
  }

  /** Rows without a published source that do not name another. */
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
    if (typeof published !== 'function' && !this.#table.alsoSnakeCase)
      this.#compareTypes(field.row, published);
    if (isJudgedAsAWhole(field.row)) return;
    if (typeof published === 'function') published(this, field);
    else this.type(field, published);
  }

  #compareTypes(row: FieldRow, type: ts.Type): void {
    const types: readonly JsonType[] = typesOf(row);
    if (types.length === 0 || wires.every((wire) => row.to[wire] === 'mapped')) return;
    for (const one of jsonTypesOf(type))
      if (!types.some((taken) => taken.endsWith(one))) this.#untyped.add(`${row.path}: ${one}`);
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

const modules = path.join(import.meta.dirname, '../../node_modules');

/** Where the vendors' own packages declare what a request may have. */
const files = {
  completions: 'openai/resources/completions.d.ts',
  chat: 'openai/resources/chat/completions/completions.d.ts',
  responses: 'openai/resources/responses/responses.d.ts',
  messages: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
  betaMessages: '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts',
  gemini: '@google/genai/dist/genai.d.ts',
};

const program = ts.createProgram(
  Object.values(files).map((file) => path.join(modules, file)),
  {
    strict: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    types: [],
  },
);
const checker = program.getTypeChecker();

/** A type that a vendor's package declares. */
export function declared(file: keyof typeof files, name: string): ts.Type {
  const source = program.getSourceFile(path.join(modules, files[file]));
  const statement = source?.statements.find(
    (one): one is ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration =>
      (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isClassDeclaration(one)) &&
      one.name?.text === name,
  );
  const symbol = statement?.name && checker.getSymbolAtLocation(statement.name);
  if (!symbol) throw new Error(`${files[file]} declares no ${name}`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

/** What a type may be, as far as JSON goes. */
export interface Shapes {
  /** Texts that it may be, where they are named. */
  readonly texts: readonly string[];
  readonly items: readonly ts.Type[];
  readonly objects: readonly Shape[];
}

export interface Shape {
  readonly fields: ReadonlyMap<string, ts.Type>;
  /** Whether it may have fields of any name. */
  readonly open: boolean;
}

const shapes = new Map<ts.Type, Shapes>();

export function shapesOf(type: ts.Type): Shapes {
  const found = shapes.get(type) ?? makeShapes(type);
  shapes.set(type, found);
  return found;
}

function makeShapes(type: ts.Type): Shapes {
  const all = type.isUnion() ? type.types : [type];
  const objects = all.filter((one) => one.flags & ts.TypeFlags.Object);
  const lists = objects.filter((one) => checker.isArrayLikeType(one));
  return {
    texts: all.flatMap((one) => (one.isStringLiteral() ? [one.value] : [])),
    items: lists.flatMap((list) => checker.getTypeArguments(list as ts.TypeReference).slice(0, 1)),
    objects: objects.filter((one) => !lists.includes(one)).map(shapeOf),
  };
}

/** The types of JSON that a type may be, other than null. */
function jsonTypesOf(type: ts.Type): readonly string[] {
  const { Object: object, StringLike, NumberLike, BooleanLike, Null, Undefined } = ts.TypeFlags;
  return (type.isUnion() ? type.types : [type]).flatMap((one) => {
    // Any text beside those that are named.
    if (one.isIntersection()) return jsonTypesOf(one.types[0] ?? one);
    if (one.flags & object) return checker.isArrayLikeType(one) ? ['list'] : ['object'];
    if (one.flags & StringLike) return ['text'];
    if (one.flags & NumberLike) return ['number'];
    if (one.flags & BooleanLike) return ['true or false'];
    return one.flags & (Null | Undefined) ? [] : ['anything'];
  });
}

function shapeOf(type: ts.Type): Shape {
  const properties = checker.getPropertiesOfType(type);
  const fields = new Map(properties.map((one) => [one.name, checker.getTypeOfSymbol(one)]));
  return { fields, open: checker.getIndexInfosOfType(type).length > 0 };
}

/**
 * The fields of a request to the Gemini API. The types of Google's SDK are of its own form and of two products; which of their
 * fields go to the Gemini API, and where in the body, only its converters tell, so those are read: functions that take a field
 * by `getValueByPath`, convert it perhaps, and set it by `setValueByPath`, or throw for what only the other product has.
 */

const file = path.join(import.meta.dirname, '../../node_modules/@google/genai/dist/node/index.mjs');
const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
const functions = new Map(
  source.statements.filter(ts.isFunctionDeclaration).map((one) => [one.name?.text ?? '', one]),
);

/** A field that a converter sends. */
interface Sent {
  readonly from: string;
  readonly to: string;
  /** Whether it goes into the object around the one that the converter makes. */
  readonly intoParent: boolean;
  readonly converter: string | null;
}

/** Compares all that `generateContent` can send. */
export function compareGemini(comparison: Comparison): void {
  send(comparison, 'generateContentParametersToMldev', declared('gemini', 'GenerateContentParameters'), [
    comparison.tree,
  ]);
}

/** The fields of an object that a converter makes; the last node is its own, the one before it that of its parent. */
function send(comparison: Comparison, converter: string, type: ts.Type, nodes: readonly FieldNode[]): void {
  const types = new Map(shapesOf(type).objects.flatMap(({ fields }) => [...fields]));
  for (const one of sentBy(converter)) {
    const node = nodes.at(one.intoParent ? -2 : -1);
    const fieldType = types.get(one.from);
    if (!node || !fieldType) throw new Error(`${converter} sends ${one.from}, which has no type`);
    comparison.field(node, one.to, (_, field) => {
      if (!one.converter) return comparison.type(field, fieldType);
      const own = field.items ?? field;
      send(comparison, one.converter, convertedType(one.converter, fieldType), [...nodes, own]);
    });
  }
}

/** What a converter takes: of the name that it has from it, and else the type of the field. */
function convertedType(converter: string, fieldType: ts.Type): ts.Type {
  const name = converter.replace(/ToMldev(\$\d+)?$/, '');
  try {
    return declared('gemini', name.charAt(0).toUpperCase() + name.slice(1));
  } catch {
    return fieldType;
  }
}

const sent = new Map<string, readonly Sent[]>();

export function sentBy(converter: string): readonly Sent[] {
  const found = sent.get(converter) ?? readSentBy(converter);
  sent.set(converter, found);
  return found;
}

function readSentBy(converter: string): readonly Sent[] {
  const body = functions.get(converter)?.body;
  if (!body) throw new Error(`Google's SDK has no function ${converter}`);
  const taken = new Map<string, string>();
  return body.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        const [call] = initializer ? callsIn(initializer, 'getValueByPath') : [];
        if (call) taken.set(name.getText(), textsIn(call).join('.'));
      }
      return [];
    }
    return callsIn(statement, 'setValueByPath').flatMap((call): Sent[] => {
      const [into, , value] = call.arguments;
      const keys = textsIn(call);
      if (keys[0] === '_url' || keys[0] === '_query') return [];
      const from = [...taken.keys()].findLast((name) => statement.getText().includes(`${name} `));
      const converters = [...namesIn(statement)].filter((name) => /ToMldev(\$\d+)?$/.test(name));
      if (!from || !into || !value || keys.length !== 1 || converters.length > 1)
        throw new Error(`${converter} cannot be read: ${statement.getText()}`);
      return [
        {
          from: taken.get(from) ?? '',
          to: keys[0] ?? '',
          intoParent: into.getText() === 'parentObject',
          converter: converters[0] ?? null,
        },
      ];
    });
  });
}

function callsIn(node: ts.Node, name: string): ts.CallExpression[] {
  const own = ts.isCallExpression(node) && node.expression.getText() === name ? [node] : [];
  const below: ts.CallExpression[] = [];
  node.forEachChild((child) => {
    below.push(...callsIn(child, name));
  });
  return [...own, ...below];
}

function namesIn(node: ts.Node): Set<string> {
  const names = new Set(ts.isIdentifier(node) ? [node.text] : []);
  node.forEachChild((child) => {
    for (const name of namesIn(child)) names.add(name);
  });
  return names;
}

/** The texts of the list that is the second argument of a call. */
function textsIn(call: ts.CallExpression): string[] {
  const list = call.arguments[1];
  return list && ts.isArrayLiteralExpression(list)
    ? list.elements.map((one) => (ts.isStringLiteral(one) ? one.text : ''))
    : [];
}
