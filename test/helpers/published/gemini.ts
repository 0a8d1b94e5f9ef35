/**
 * The fields of a request to the Gemini API. The types of Google's SDK are of its own form and of two products; which of their
 * fields go to the Gemini API, and where in the body, only its converters tell, so those are read: functions that take a field
 * by `getValueByPath`, convert it perhaps, and set it by `setValueByPath`, or throw for what only the other product has.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { FieldNode } from '../../../src/gateway/wires/fields/field-tree.ts';
import type { Comparison } from './compare.ts';
import { declared, shapesOf } from './declarations.ts';

const file = path.join(import.meta.dirname, '../../../node_modules/@google/genai/dist/node/index.mjs');
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
