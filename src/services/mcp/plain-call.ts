import type { WireCall } from '../../contract/wire-operations.ts';
import { isObject } from '../../lib/json.ts';
import { membersOf, withMembers } from '../../lib/json-splice.ts';
import type { PassedResult } from '../agents/tools/mcp-passing.ts';

const prefix = 'io.modelcontextprotocol/';
/** The newest revision of the protocol. */
export const newest = '2026-07-28';
const older: ReadonlySet<unknown> = new Set([
  undefined,
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]);

/** A call of a tool that wants no more than its result. */
export interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  /** JSON of an object. */
  readonly args: Buffer;
  /** Whether its client speaks 2026-07-28. */
  readonly modern: boolean;
}

/**
 * Reads a call that is whole and right beyond doubt, and wants to hear of no progress. Null for whatever else there is: the SDK answers
 * that, or says what is wrong with it.
 */
export function plainCall({ body, bytes, headers }: WireCall): PlainCall | null {
  const { id, method, params } = body;
  if (method !== 'tools/call' || (typeof id !== 'string' && typeof id !== 'number') || !isObject(params))
    return null;
  const { name, arguments: values = {}, _meta: meta = {}, ...more } = params;
  if (typeof name !== 'string' || !isObject(values) || !isObject(meta) || Object.keys(more).length > 0)
    return null;
  const modern = `${prefix}protocolVersion` in meta;
  if ('progressToken' in meta || !(modern ? isModern(headers, meta, name) : isOlder(headers, meta)))
    return null;
  const inside = memberOf(bytes, 'params');
  return { id, name, modern, args: (inside && memberOf(inside, 'arguments')) ?? Buffer.from('{}') };
}

function isModern(headers: WireCall['headers'], meta: Readonly<Record<string, unknown>>, name: string) {
  const { name: client, version } = (meta[`${prefix}clientInfo`] ?? {}) as Record<string, unknown>;
  return (
    headers['mcp-protocol-version'] === newest &&
    meta[`${prefix}protocolVersion`] === newest &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name &&
    typeof client === 'string' &&
    typeof version === 'string' &&
    isObject(meta[`${prefix}clientCapabilities`])
  );
}

function isOlder(headers: WireCall['headers'], meta: Readonly<Record<string, unknown>>) {
  return (
    older.has(headers['mcp-protocol-version']) &&
    headers['mcp-method'] === undefined &&
    !Object.keys(meta).some((key) => key.startsWith(prefix))
  );
}

/** The last of a name counts, as in `JSON.parse`. */
function memberOf(json: Buffer, wanted: string): Buffer | undefined {
  return membersOf(json).findLast(({ name }) => name === wanted)?.value;
}

/** The error as the client gets it. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer to a call: a result as its server wrote it, in the form of the client's revision. */
export function answerTo({ id, modern }: PlainCall, { json, result }: PassedResult, server: object): Buffer {
  const given = modern ? withMembers(json, modernMembers(result, server)) : withoutKind(json, result);
  const begin = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  return Buffer.concat([Buffer.from(begin), given, Buffer.from('}')]);
}

function modernMembers(result: PassedResult['result'], server: object): Record<string, string> {
  const about = { [`${prefix}serverInfo`]: server };
  return {
    ...(!('resultType' in result) && { resultType: '"complete"' }),
    ...(!('_meta' in result) && { _meta: JSON.stringify(about) }),
  };
}

/** Clients of older revisions know of no kinds of results. */
function withoutKind(json: Buffer, result: PassedResult['result']): Buffer {
  if (!('resultType' in result)) return json;
  const kept = membersOf(json).flatMap(({ name, whole }) =>
    name === 'resultType' ? [] : [whole.toString()],
  );
  return Buffer.from(`{${kept.join(',')}}`);
}

export function failureTo({ id }: PlainCall, error: RpcFailure): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }));
}
