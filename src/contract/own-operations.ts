/**
 * Operations that are made from declarations (of AI features, of agents) out of a general one: in the generator for what
 * is built in, and at the start of the server for what its operator has declared.
 */
import { createHash } from 'node:crypto';
import type { Manifest } from '../../generated/types.gen.ts';

export interface Media {
  schema: object;
  examples?: Record<string, unknown>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: unknown;
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
  [extension: `x-${string}`]: unknown;
}

/** A contract, as far as it is looked at here. */
export interface Contract {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown>; examples?: Record<string, unknown> };
}

/** A copy of the general operation for one whose path names `id` in place of its parameter, and so finds it. */
export function copyOfGeneral({ paths }: Contract, path: string, id: string): Operation {
  const general = paths[path]?.['post'] as Operation | undefined;
  if (!general) throw new Error(`the contract has no operation POST ${path}`);
  const operation = structuredClone(general);
  delete operation.parameters;
  delete operation['x-codeSamples'];
  delete operation.responses['404'];
  const names = operation['x-also-known-as'] as readonly string[] | undefined;
  if (names) operation['x-also-known-as'] = names.map((name) => name.replace(/\{\w+\}/, id));
  return operation;
}

export function operationIdsIn({ paths }: Contract): Set<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return new Set(operations.map((operation) => (operation as Partial<Operation>).operationId ?? ''));
}

/** The names in their order, each with the suffix as often as it takes to be free. */
export function freeNames(names: readonly string[], others: Iterable<string>, suffix: string): string[] {
  const taken = new Set(others);
  return names.map((name) => {
    const free = freeName(name, (one) => taken.has(one), suffix);
    taken.add(free);
    return free;
  });
}

/** The name, or one like it that nothing else has. */
export function freeName(name: string, isTaken: (name: string) => boolean, suffix: string): string {
  let free = name;
  while (isTaken(free)) free += suffix;
  return free;
}

/** `detect-language` -> `detectLanguage` */
export function camelCase(id: string): string {
  return id.replaceAll(/[-_]+([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
}

export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** What the manifest says of an operation of a server's own. */
export interface ListedOperation {
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
  /** Whether the general operation's stream is its own too. */
  readonly streams: boolean;
}

/** The manifest with more operations, which are in all else like the general one. */
export function withListed<T extends Pick<Manifest, 'operations'>>(
  manifest: T,
  general: string,
  listed: readonly ListedOperation[],
): T {
  const template = manifest.operations.find(({ operation_id }) => operation_id === general);
  if (!template) throw new Error(`the manifest has no operation ${general}`);
  const operations = listed.map(({ operationId, path, summary, streams }) => ({
    ...template,
    operation_id: operationId,
    path,
    summary,
    stream_operation: streams ? template.stream_operation : null,
  }));
  return { ...manifest, operations: [...manifest.operations, ...operations] };
}

/** A request that is added to the Postman collection. */
export interface AddedRequest {
  /** What it stands for; the same gives the same id. */
  readonly key: readonly string[];
  readonly path: string;
  /** That of the operation. */
  readonly summary: string;
  /** What this request shows of it. */
  readonly example: string;
  readonly description: string;
  readonly body: object;
  /** Lines of its test, in place of those of the general operation. */
  readonly tests?: readonly string[];
}

/** A request of a Postman collection (format 2.1), as far as it is looked at here. */
interface PostmanItem {
  readonly request: {
    readonly url: { readonly path: readonly string[] };
    readonly body?: object;
  };
  readonly event?: unknown;
}

interface PostmanCollection {
  readonly item: readonly { readonly item: readonly PostmanItem[] }[];
}

/** The Postman collection with more requests, beside those of the general operation. @param general its path there */
export function withRequests(text: string, general: string, added: readonly AddedRequest[]): string {
  const collection = JSON.parse(text) as PostmanCollection;
  const path = general.slice(1);
  const item = collection.item.map((folder) => {
    const template = folder.item.find(({ request }) => request.url.path.join('/') === path);
    if (!template) return folder;
    return { ...folder, item: [...folder.item, ...added.map((one) => requestOf(one, template))] };
  });
  return JSON.stringify({ ...collection, item });
}

function requestOf(added: AddedRequest, { request, event }: PostmanItem) {
  const { key, path, summary, example, description, body, tests } = added;
  return {
    id: uuid(...key),
    name: `${summary}: ${example}`,
    request: {
      ...request,
      name: summary,
      description: { content: description, type: 'text/plain' },
      url: { ...request.url, path: path.slice(1).split('/'), variable: [] },
      body: { ...request.body, raw: JSON.stringify(body, null, 2) },
    },
    response: [],
    event: tests ? [{ listen: 'test', script: { type: 'text/javascript', exec: tests } }] : event,
  };
}

/** A UUID that depends on nothing but its parts (RFC 9562 version 8). */
function uuid(...parts: string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
