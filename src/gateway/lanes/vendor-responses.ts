import { maxIdLength, type VendorObjects } from '../../background/vendor-objects/vendor-objects.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { Served } from '../../model/port.ts';
import type { NativeReader } from '../upstream/native.ts';
import type { WireContext } from './wire-context.ts';

/** How long OpenAI keeps a response (https://platform.openai.com/docs/guides/your-data), in milliseconds. */
const keepMs = 30 * 86_400_000;

/** Maximum number of files that a request names. */
const maxFiles = 100;

/** How a request relates to objects that vendors keep. */
export interface Keeping {
  /** The provider that keeps what the request names; undefined: it names nothing. */
  readonly pinned: string | undefined;
  /** A body of the request with the vendor's ids of the tenant's files in place of ours. */
  withVendorIds(bytes: Buffer): Buffer;
  /** Throws `ServiceError` for what the caller's tenant does not own. For vendors that keep something; others refuse it all. */
  check(): void;
  /** Writes down whose the answer is, once, as soon as its id is known: a client must not get it before. Rejects with `StoreError`. */
  record(reader: NativeReader, served: Served): Promise<void> | undefined;
}

/** Reads what a request names of what is kept. Rejects with `StoreError`. */
export async function keepingOf(
  objects: VendorObjects,
  speaks: VendorWire,
  call: Pick<WireCall, 'operation' | 'body' | 'bytes'>,
  { caller: { tenantId } }: WireContext,
): Promise<Keeping> {
  const { body } = call;
  const responses = speaks === 'openai-responses';
  const { previous_response_id: previous, conversation } = responses ? body : {};
  const found =
    typeof previous === 'string' ? await objects.find({ tenantId, kind: 'response', id: previous }) : null;
  const files = await filesOf(objects, tenantId, filesNamedIn(call));
  const providers = new Set([...(found ? [found.provider] : []), ...files.providers]);
  const [pinned] = providers;
  const problem = problemOf(previous, found !== null, conversation) ?? files.problem ?? apart([...providers]);
  let recorded = !responses || body['store'] === false || call.operation === 'compactResponse';
  return {
    pinned,
    withVendorIds: (bytes) => (files.ids.size === 0 ? bytes : withFileIds(bytes, files.ids)),
    check() {
      if (problem) throw problem;
    },
    record(reader, { provider, model }) {
      if (recorded) return undefined;
      const { id, complete } = reader.summary;
      if (id === null || id.length > maxIdLength) return undefined;
      recorded = true;
      // A response made in the background has used nothing yet.
      const counted = complete || body['stream'] === true;
      const object = { provider, model, vendorId: id, data: null, counted, keepMs };
      return objects.record({ tenantId, kind: 'response', id, ...object });
    },
  };
}

interface FoundFiles {
  readonly providers: ReadonlySet<string>;
  /** The vendor's ids by ours. */
  readonly ids: ReadonlyMap<string, string>;
  readonly problem: ServiceError | null;
}

async function filesOf(
  objects: VendorObjects,
  tenantId: string,
  named: readonly NamedFile[],
): Promise<FoundFiles> {
  const providers = new Set<string>();
  const ids = new Map<string, string>();
  for (const { id, path } of named) {
    if (ids.has(id)) continue;
    if (ids.size === maxFiles) {
      const problem = `The request names more than ${maxFiles} files.`;
      return { providers, ids, problem: new ServiceError('invalid_request', problem, { param: path }) };
    }
    const file = await objects.find({ tenantId, kind: 'file', id });
    if (file === null) {
      const details = [{ path, code: 'not_found', message: 'there is no such file' }];
      const problem = new ServiceError('invalid_request', `No such File object: ${id}`, { details });
      return { providers, ids, problem };
    }
    providers.add(file.provider);
    ids.set(id, file.vendorId);
  }
  return { providers, ids, problem: null };
}

function problemOf(previous: unknown, found: boolean, conversation: unknown): ServiceError | null {
  if (previous !== undefined && previous !== null && !found)
    return new ServiceError('invalid_request', `Previous response with id '${previous}' not found.`, {
      details: [{ path: 'previous_response_id', code: 'previous_response_not_found', message: 'not found' }],
    });
  if (conversation === undefined || conversation === null) return null;
  const { id = conversation } = conversation as { id?: unknown };
  // This server has no way to make one, so none is the tenant's.
  return new ServiceError('not_found', `Conversation with id '${String(id)}' not found.`, {
    param: 'conversation',
  });
}

function apart(providers: readonly string[]): ServiceError | null {
  if (providers.length < 2) return null;
  const message = `What the request names is kept by several providers (${providers.join(', ')}), which cannot be asked together.`;
  return new ServiceError('invalid_request', message);
}

/** Fields of Responses that ask for something to be kept. */
const keptFields = ['previous_response_id', 'conversation', 'store', 'background'] as const;

/** For the sandbox, which keeps nothing. Throws `ServiceError` for a request to Responses that wants something kept. */
export function refuseKept(body: WireCall['body']): void {
  const details = keptFields
    .filter((name) => body[name] !== undefined && body[name] !== null && body[name] !== false)
    .map((path) => ({ path, code: 'untranslatable', message: 'the sandbox stores no responses' }));
  const [first] = details;
  if (first) throw new ServiceError('invalid_request', `${first.path}: ${first.message}.`, { details });
}

/** A file that a request names. */
interface NamedFile {
  readonly id: string;
  /** Where it stands, such as `input[0].content[1].file_id`. */
  readonly path: string;
}

/** Members with content of the client's choice, where `file_id` names no file. */
const opaque: ReadonlySet<string> = new Set([
  'arguments',
  'input_schema',
  'json_schema',
  'metadata',
  'parameters',
  'schema',
]);

/** The files of vendors that a request names. Costs next to nothing for one that names none. */
export function filesNamedIn({ body, bytes }: Pick<WireCall, 'body' | 'bytes'>): readonly NamedFile[] {
  // An escape might hide the name of the field.
  if (!bytes.includes('file_id') && !bytes.includes('\\u00')) return [];
  const found: NamedFile[] = [];
  walk(body, '', found);
  return found;
}

function walk(value: unknown, path: string, found: NamedFile[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`, found);
    return;
  }
  // The arguments of a call of a tool in Anthropic's form.
  const { type } = value as { readonly type?: unknown };
  for (const [name, member] of Object.entries(value)) {
    if (opaque.has(name) || (name === 'input' && type === 'tool_use')) continue;
    const at = path === '' ? name : `${path}.${name}`;
    if (name === 'file_id' && typeof member === 'string') found.push({ id: member, path: at });
    else if (name === 'file_ids' && Array.isArray(member)) {
      for (const [index, id] of member.entries())
        if (typeof id === 'string') found.push({ id, path: `${at}[${index}]` });
    } else walk(member, at, found);
  }
}

const named = /"file_id"\s*:\s*"[^"\\]*"|"file_ids"\s*:\s*\[[^[\]{}]*\]/g;

/** The body of a request with other ids of its files, and every other byte as it was. */
export function withFileIds(bytes: Buffer, ids: ReadonlyMap<string, string>): Buffer {
  const text = bytes.toString('latin1').replaceAll(named, (field) => {
    const colon = field.indexOf(':');
    const values = field.slice(colon).replaceAll(/"([^"\\]*)"/g, (value, id: string) => {
      const other = ids.get(id);
      return other === undefined ? value : JSON.stringify(other);
    });
    return field.slice(0, colon) + values;
  });
  return Buffer.from(text, 'latin1');
}
