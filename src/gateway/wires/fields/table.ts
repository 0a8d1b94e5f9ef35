import { isDeepStrictEqual } from 'node:util';
import type { ErrorDetail, Warning } from '../../../../generated/types.gen.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { shorten } from '../../../lib/static-text.ts';
import type { VendorWire } from '../../../model/parts.ts';
import { invalid } from '../check.ts';
import {
  type ClientWire,
  type FieldRow,
  type FieldTable,
  readFieldTable,
  typeOf,
  typesOf,
  wireNames,
} from './field-rows.ts';
import { type FieldNode, fieldTree, join, pathInRequest } from './field-tree.ts';

/** At most so many warnings come of one request, and so many refused fields are named. */
export const maxWarnings = 32;
export const maxRefused = 16;
/** Characters of a name that is in no table, as a warning shows it. */
const maxNameLength = 64;

const tables = new Map<ClientWire, { readonly table: FieldTable; readonly tree: FieldNode }>();

/** The table of a wire's fields. It is read from its file once, when it is first asked for. */
export function fieldTable(wire: ClientWire): FieldTable {
  return loaded(wire).table;
}

function loaded(wire: ClientWire) {
  let found = tables.get(wire);
  if (!found) {
    const table = readFieldTable(wire);
    found = { table, tree: fieldTree(table) };
    tables.set(wire, found);
  }
  return found;
}

/**
 * Judges the fields of a request that comes on one wire and is to be translated to another, by the table of its wire. The
 * body is walked once along the table, and no deeper than that goes.
 * @param target null: the sandbox, which is asked in our own terms. They have what is mapped to any wire; all else is left out,
 *   as there is no vendor whose answer could lack it
 * @returns a warning for each field that is left out, and for each that no table knows; one for each path without indices
 * @throws `ServiceError('invalid_request')` that names, with their indices, the fields without which the answer would not be
 *   what the client asked for, or the first that is left out and has a type that its vendor does not take
 */
export function judgeFields(
  wire: ClientWire,
  target: VendorWire | null,
  body: Readonly<Record<string, unknown>>,
): readonly Warning[] {
  const { table, tree } = loaded(wire);
  const judge = new Judge(target, table);
  judge.object(tree, body);
  return judge.verdict();
}

/** The value that is left out, if the field may have others. */
function valueNamed({ path }: FieldRow, value: unknown): string {
  return pathInRequest(path) === path ? 'It' : `The value ${JSON.stringify(value)}`;
}

class Judge {
  readonly #target: VendorWire | null;
  readonly #leftOut: string;
  /** Whether types are checked. The JSON of protocol buffers, which Gemini takes, has more than one for most fields. */
  readonly #typed: boolean;
  /** Where the walk is: names of fields, and indices. */
  readonly #place: (string | number)[] = [];
  readonly #warnings: Warning[] = [];
  readonly #warned = new Set<FieldRow>();
  readonly #unknown = new Map<FieldNode, Set<string>>();
  readonly #refused: ErrorDetail[] = [];

  constructor(target: VendorWire | null, { alsoSnakeCase }: FieldTable) {
    this.#target = target;
    this.#typed = !alsoSnakeCase;
    this.#leftOut =
      target === null
        ? 'is left out, as the sandbox has nothing of the kind.'
        : `is left out, as the request is translated to ${wireNames[target]}.`;
  }

  verdict(): readonly Warning[] {
    const [first] = this.#refused;
    if (!first) return this.#warnings;
    throw new ServiceError('invalid_request', `${first.path}: ${first.message}`, {
      details: this.#refused,
    });
  }

  #value(node: FieldNode, value: unknown): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) this.#list(node, value);
    else if (typeof value === 'object') this.object(node, value as Readonly<Record<string, unknown>>);
    else {
      const row = node.values.get(String(value)) ?? node.row;
      if (row) this.#judge(row, value);
    }
  }

  #list(node: FieldNode, list: readonly unknown[]): void {
    if (list.length === 0 || (node.row && !this.#judge(node.row, list)) || !node.items) return;
    for (const [index, item] of list.entries()) {
      this.#place.push(index);
      this.#value(node.items, item);
      this.#place.pop();
    }
  }

  object(kind: FieldNode, value: Readonly<Record<string, unknown>>): void {
    const node = this.#variant(kind, value);
    if (!node || (node.row && !this.#judge(node.row, value, node.kind))) return;
    if (node.fields.size === 0) return;
    for (const name of Object.keys(value)) {
      const field = node.fields.get(name);
      if (!field) {
        // Answers of SDKs have such members, and come back in a conversation.
        if (!saysNothing(value[name])) this.#warnOfUnknown(node, name);
        continue;
      }
      this.#place.push(name);
      this.#value(field, value[name]);
      this.#place.pop();
    }
  }

  /** The node of an object of this kind; null for an unknown kind, which is refused. */
  #variant(node: FieldNode, value: Readonly<Record<string, unknown>>): FieldNode | null {
    for (const [by, variants] of node.variants) {
      const kind = value[by];
      const found = typeof kind === 'string' ? variants.get(kind) : undefined;
      if (found) return found;
      // Only a type tells all objects apart; a role may have nothing of its own.
      if (by === 'type' && typeof kind === 'string') {
        this.#judgeUnknownKind(node, kind);
        return null;
      }
    }
    return node;
  }

  #judgeUnknownKind(node: FieldNode, kind: string): void {
    const what = `"${shorten(kind, maxNameLength)}" is not known here`;
    if (this.#target === null) {
      this.#warn('unknown_field_dropped', join(node.path, 'type'), `${what}.`);
      return;
    }
    this.#place.push('type');
    this.#refuse(this.#target, `${what} and cannot be translated`);
    this.#place.pop();
  }

  /** @returns whether to look at what is in the value */
  #judge(row: FieldRow, value: unknown, kind = ''): boolean {
    const target = this.#target;
    // Our own terms hold everything that any wire can express.
    const disposition =
      target === null ? Object.values(row.to).find((to) => to === 'mapped') : row.to[target];
    if (disposition === 'mapped') return true;
    // With such a value the field says nothing that would not hold without it.
    if (row.harmless?.some((one) => isDeepStrictEqual(one, value))) return false;
    if (this.#typed) this.#checkType(row, value);
    if (target !== null && disposition === 'refused')
      this.#refuse(target, `${kind || 'this'} cannot be translated`, row.note);
    else this.#warnOf(row, kind === '' ? valueNamed(row, value) : `What is of ${kind}`);
    return false;
  }

  /** Nothing that comes later reads a field that is left out. */
  #checkType(row: FieldRow, value: unknown): void {
    const types = typesOf(row);
    const type = typeOf(value);
    const taken =
      type === 'a whole number' ? types.some((one) => one.endsWith('number')) : types.includes(type);
    if (types.length > 0 && !taken) throw invalid(this.#path(), `must be ${types.join(' or ')}`);
  }

  #warnOf(row: FieldRow, what: string): void {
    if (this.#warned.has(row)) return;
    this.#warned.add(row);
    const leftOut = `${what} ${this.#leftOut}`;
    const message = row.note ? `${leftOut} ${row.note}` : leftOut;
    this.#warn('field_dropped', row.path, message);
  }

  #warnOfUnknown(node: FieldNode, name: string): void {
    if (this.#warnings.length >= maxWarnings) return;
    const names = this.#unknown.get(node) ?? new Set();
    this.#unknown.set(node, names);
    if (names.has(name)) return;
    names.add(name);
    const message =
      this.#target === null
        ? 'It is left out: no table of fields has it.'
        : 'It is left out: the request is translated, and no table of fields has it.';
    this.#warn('unknown_field_dropped', join(node.path, shorten(name, maxNameLength)), message);
  }

  #warn(code: Warning['code'], path: string, message: string): void {
    const param = pathInRequest(path);
    // Fields that kinds of objects have in common may be in several rows.
    const known = this.#warnings.some((warning) => warning.param === param && warning.message === message);
    if (!known && this.#warnings.length < maxWarnings) this.#warnings.push({ code, message, param });
  }

  #refuse(target: VendorWire, why: string, note?: string): void {
    if (this.#refused.length >= maxRefused) return;
    const name = wireNames[target];
    const message = `${why} to ${name}, over which the model is reached.${note ? ` ${note}` : ''}`;
    this.#refused.push({ path: this.#path(), code: 'untranslatable', message });
  }

  #path(): string {
    return this.#place.reduce<string>(
      (path, step) => (typeof step === 'number' ? `${path}[${step}]` : join(path, step)),
      '',
    );
  }
}

/** Whether a value says nothing, whatever field it is of. */
function saysNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
