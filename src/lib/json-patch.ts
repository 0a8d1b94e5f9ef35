import { isDeepStrictEqual } from 'node:util';
import { deepestJson, isDeeperThan, isObject, stepsOf } from './json.ts';

/** An operation of a JSON Patch (RFC 6902). Members of another kind of operation are ignored. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Why an operation cannot be applied. */
export class JsonPatchError extends Error {
  /** Of the operation, from 0. */
  readonly index: number;
  /** The member of the operation that is wrong. */
  readonly member: 'path' | 'from' | 'value';
  readonly code: 'required' | 'not_found' | 'not_possible' | 'size' | 'test_failed';

  constructor(
    index: number,
    member: JsonPatchError['member'],
    code: JsonPatchError['code'],
    message: string,
  ) {
    super(message);
    this.index = index;
    this.member = member;
    this.code = code;
  }
}

/**
 * A value after a JSON Patch; the value itself is not changed. Only what a value has itself is ever found, so that no path leads to
 * what all objects share. Throws `JsonPatchError` for the first operation that cannot be applied.
 * @param maxLength of the JSON text after each operation, in UTF-16 code units: copies of copies would double it each time
 */
export function jsonPatched(
  target: unknown,
  operations: readonly JsonPatchOperation[],
  maxLength: number,
): unknown {
  return jsonPatchStates(target, operations, maxLength).at(-1);
}

/** A value, and what it is after each operation of a JSON Patch; otherwise as `jsonPatched`. */
export function jsonPatchStates(
  target: unknown,
  operations: readonly JsonPatchOperation[],
  maxLength: number,
): readonly unknown[] {
  const states = [target];
  for (const [index, operation] of operations.entries())
    states.push(applied(states[index], operation, index, maxLength));
  return states;
}

/**
 * The index of the operation that last changed what is at a place of the result; -1 if none did. Follows an item of a list back past
 * the operations that shifted it.
 * @param states those of `jsonPatchStates`
 * @param place such as `entity.fields[1].type`
 */
export function lastChangeAt(
  states: readonly unknown[],
  operations: readonly JsonPatchOperation[],
  place: string,
): number {
  let names: readonly string[] | null = levelsOf([place]);
  return operations.findLastIndex(({ op, path, from = '' }, index) => {
    const edit = op === 'remove' || op === 'replace' ? op : 'add';
    if (op !== 'test') names = names && placeBefore(names, path, edit, states[index + 1]);
    if (op === 'move') names = names && placeBefore(names, from, 'remove', states[index]);
    return names === null;
  });
}

/**
 * Where that which is at a place was before an edit; null if the edit changed it.
 * @param whole after the edit, or before it if it removes
 */
function placeBefore(
  place: readonly string[],
  pointer: string,
  edit: 'add' | 'remove' | 'replace',
  whole: unknown,
): readonly string[] | null {
  const names = stepsOf(pointer);
  const edited = levelsOf(names);
  const [above, last] = [names.slice(0, -1), names.at(-1)];
  const level = levelsOf(above).length;
  const list = above.reduce(member, whole);
  const isIn = place.length > level && edited.slice(0, level).every((name, at) => name === place[at]);
  if (isIn && last !== undefined && Array.isArray(list) && edit !== 'replace') {
    const at = last === '-' ? list.length - 1 : Number(last);
    const index = Number(place[level]);
    if (edit === 'add' && index === at) return null;
    return index < at ? place : place.with(level, String(edit === 'add' ? index - 1 : index + 1));
  }
  const [short, long] = place.length < edited.length ? [place, edited] : [edited, place];
  return short.every((name, at) => name === long[at]) ? null : place;
}

/** The names and indexes of a place, also where a name itself has what separates them. */
const levelsOf = (parts: readonly string[]) =>
  parts.flatMap((part) => part.split(/[.[\]]+/)).filter((level) => level !== '');

function applied(target: unknown, operation: JsonPatchOperation, index: number, maxLength: number): unknown {
  const { op, path, from, value } = operation;
  const refusal = (...why: [JsonPatchError['member'], JsonPatchError['code'], string]) =>
    new JsonPatchError(index, ...why);
  const missing = (member: 'path' | 'from') =>
    refusal(member, 'not_found', `is ${JSON.stringify(operation[member])}, and there is no such place`);
  const named = (pointer: string) => (pointer === '' ? '"" (the whole spec)' : JSON.stringify(pointer));
  const impossible = (why: string) => refusal('path', 'not_possible', `is ${named(path)}, ${why}`);
  const needsValue = op === 'add' || op === 'replace' || op === 'test';
  if (needsValue && value === undefined) throw refusal('value', 'required', `is required for ${op}`);
  if (op === 'test') {
    if (isDeepStrictEqual(valueAt(target, path), value)) return target;
    throw refusal('path', 'test_failed', `is ${named(path)}, which does not have the tested value`);
  }
  if (op === 'remove' && path === '') throw impossible('which cannot be removed');
  let base = target;
  let next = value;
  if (op === 'move' || op === 'copy') {
    if (from === undefined) throw refusal('from', 'required', `is required for ${op}`);
    next = valueAt(target, from);
    if (next === undefined) throw missing('from');
    if (op === 'move' && path.startsWith(`${from}/`))
      throw impossible(`which is inside ${named(from)}: a value cannot be moved into itself`);
    if (op === 'move' && from !== path) base = edited(target, stepsOf(from), 'remove', undefined);
  }
  const edit = op === 'remove' || op === 'replace' ? op : 'add';
  const result = edited(base, stepsOf(path), edit, next);
  if (result === undefined) throw missing('path');
  if (isDeeperThan(result, deepestJson) || JSON.stringify(result).length > maxLength)
    throw refusal('path', 'size', `is ${named(path)}, where the operation makes the whole too large`);
  return result;
}

/** The value at a JSON Pointer (RFC 6901); undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce(member, value);
}

const isIndex = /^(?:0|[1-9]\d*)$/;

function member(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return isIndex.test(name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A value with an edit at a place; undefined where there is no such place. */
function edited(
  below: unknown,
  [name, ...rest]: readonly string[],
  edit: 'add' | 'remove' | 'replace',
  value: unknown,
): unknown {
  if (name === undefined) return edit === 'remove' ? undefined : value;
  const old = member(below, name);
  const isLast = rest.length === 0;
  if (old === undefined && !(isLast && edit === 'add')) return undefined;
  const next = isLast ? value : edited(old, rest, edit, value);
  if (next === undefined && !(isLast && edit === 'remove')) return undefined;
  if (Array.isArray(below)) {
    const at = isIndex.test(name) ? Number(name) : below.length;
    if (old === undefined && name !== '-' && name !== String(below.length)) return undefined;
    if (next === undefined) return below.toSpliced(at, 1);
    return below.toSpliced(at, isLast && edit === 'add' ? 0 : 1, next);
  }
  if (!isObject(below)) return undefined;
  const members = new Map(Object.entries(below));
  if (next === undefined) members.delete(name);
  else members.set(name, next);
  // Defined rather than assigned, so that no name means anything.
  return Object.fromEntries(members);
}
