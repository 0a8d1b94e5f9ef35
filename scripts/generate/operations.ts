import { createHash } from 'node:crypto';
import {
  type Document,
  eventSchemaOf,
  mediaTypesOf,
  type Operation,
  type OperationAt,
  operationsOf,
  type Parameter,
  repliesOf,
  resolve,
  type Schema,
  schemaName,
} from '../../src/contract/served/document.ts';
import { isBinary, mayHave } from './document.ts';

/**
 * TypeScript source of the two faces of every operation: `Operations`, which the handlers are typed by, and
 * `operations`, the table that the server routes by.
 */
export function operationsSource(document: Document): string {
  const all = operationsOf(document);
  return [
    "import type * as T from './types.gen.ts';",
    '',
    preamble,
    'export interface Operations {',
    ...all.map((at) => typeOf(document, at)),
    '}',
    '',
    `export const contractVersion = '${document.info.version}';`,
    '',
    '/** SHA-256 of the contract, by which what was made of it at install is known to be of this one. */',
    `export const contractDigest = '${digestOf(document)}';`,
    '',
    '/** The ways to authenticate; the server needs a function for each. */',
    `export const securitySchemes = ${JSON.stringify(schemesOf(document))} as const;`,
    '',
    'export type SecurityScheme = keyof typeof securitySchemes;',
    '',
    'export const operations = {',
    ...all.map((at) => `  ${at.id}: ${JSON.stringify(infoOf(document, at))},`),
    '} as const satisfies Record<keyof Operations, OperationInfo>;',
    '',
  ].join('\n');
}

/** @returns base64url */
function digestOf(document: Document): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('base64url');
}

function schemesOf(document: Document) {
  const schemes = document.components['securitySchemes'] as Record<string, { description?: string }>;
  return Object.fromEntries(
    Object.entries(schemes).map(([name, { description: _, ...scheme }]) => [name, scheme]),
  );
}

const preamble = `/** What the server needs to know of an operation to route, guard and answer it. */
export interface OperationInfo {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template, for example \`/v1/agents/{agent_id}/run\`. */
  readonly path: string;
  /** Path templates that lead to it too and stand under no \`paths\` of the contract. */
  readonly secondNames: readonly string[];
  readonly lifecycle: 'available' | 'planned';
  /** Whose interface it is one of: requests, replies and errors have that one's form. Null: our own. */
  readonly wire: 'openai' | 'anthropic' | 'gemini' | 'mcp' | null;
  /** Alternatives, any of which will do: scheme -> scopes that the caller must hold. Empty: public. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly body: BodyInfo | null;
  /** Whether it works with cookies, so that pages of other origins are kept away from it. */
  readonly cookies: boolean;
  /** Whether its work can be named by an Idempotency-Key. */
  readonly idempotent: boolean;
  /** Whether it can be tried without being carried out: \`always\` where that is all it does. */
  readonly dryRun: 'never' | 'asked' | 'always';
  /** Names of the query parameters. */
  readonly query: readonly string[];
  /** Those of them that are whole numbers. */
  readonly integers: readonly string[];
  /**
   * What a client may ask for: the media types of the replies with a status below 300, best first, those of its stream, and
   * always JSON, which errors are in. Generated clients name the type of any reply, and some name JSON alone where there is one.
   */
  readonly mediaTypes: readonly string[];
  /** What answers in its place when the body asks for a stream. */
  readonly stream: StreamOperation | null;
  /** Whether it streams and its stream has an event \`error\`, which ends one that breaks off. */
  readonly errorEvent: boolean;
  /** Since when it is deprecated, in seconds since 1970; left out where it is not. */
  readonly deprecatedSince?: number;
}

export interface StreamOperation {
  readonly operation: keyof Operations;
  /** The parameters in its path that the path of the other one has filled in. */
  readonly path: Readonly<Record<string, string>>;
}

export interface BodyInfo {
  readonly required: boolean;
  readonly mediaTypes: readonly string[];
  /** Maximum size of the body in bytes, after decompression. */
  readonly maxBytes: number;
  /** For a body of exclusive variants: the properties of which exactly one must be present. Otherwise empty. */
  readonly variants: readonly string[];
}
`;

function typeOf(document: Document, { id, operation }: OperationAt): string {
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  const replies = repliesOf(document, operation);
  const statuses = replies
    .filter(([, reply]) => reply.content?.['application/json'])
    .map(([status]) => status);
  const success = replies.filter(([status]) => status < 300);
  const empty = success.filter(([, reply]) => !reply.content).map(([status]) => status);
  const events = success.flatMap(([, reply]) => {
    const schema = eventSchemaOf(reply.content?.['text/event-stream']);
    return schema ? [`T.${schemaName(schema)}`] : [];
  });
  const types = mediaTypesOf(document, operation).filter((type) => type !== 'text/event-stream');
  const union = (names: string[]) => names.map((type) => `'${type}'`).join(' | ') || 'never';
  return [
    `  ${id}: {`,
    `    data: T.${name}Data;`,
    `    json: Pick<T.${name}Responses & T.${name}Errors, ${statuses.join(' | ')}>;`,
    `    events: ${events.join(' | ') || 'never'};`,
    `    empty: ${empty.join(' | ') || 'never'};`,
    `    texts: ${union(types.filter((type) => !isBinary(type)))};`,
    `    binaries: ${union(types.filter(isBinary))};`,
    '  };',
  ].join('\n');
}

function infoOf(document: Document, { method, path, operation }: OperationAt) {
  const stream = streamOf(document, path, operation);
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const since = operation['x-deprecated-since'];
  return {
    method: method.toUpperCase(),
    path,
    secondNames: operation['x-also-known-as'] ?? [],
    lifecycle: operation['x-lifecycle'].stage,
    wire: operation['x-wire'] ?? null,
    security: operation.security,
    body: bodyOf(document, operation),
    cookies: usesCookies(document, operation),
    idempotent: parameters.some(({ name }) => name === 'idempotency-key'),
    dryRun: operation['x-dry-run'] ?? 'never',
    query: query.map(({ name }) => name),
    integers: query.filter(({ schema }) => schema.type === 'integer').map(({ name }) => name),
    mediaTypes: [
      ...new Set([
        ...mediaTypesOf(document, operation),
        ...(stream ? mediaTypesOf(document, stream.at.operation) : []),
        'application/json',
      ]),
    ],
    stream: stream && { operation: stream.at.id, path: stream.path },
    errorEvent: hasErrorEvent(document, operation),
    ...(since !== undefined && { deprecatedSince: Date.parse(since) / 1000 }),
  };
}

function hasErrorEvent(document: Document, operation: Operation): boolean {
  return repliesOf(document, operation).some(([, reply]) => {
    const schema = eventSchemaOf(reply.content?.['text/event-stream']);
    const union = schema && resolve<Schema>(document, schema);
    const { mapping = {} } = (union?.['discriminator'] ?? {}) as { mapping?: object };
    return Object.hasOwn(mapping, 'error');
  });
}

/** The operation that streams what this one answers, and which of its parameters this one's path has filled in. */
export function streamOf(document: Document, path: string, operation: Operation) {
  const id = operation['x-stream-operation'];
  if (id === undefined) return null;
  const at = operationsOf(document).find((other) => other.id === id);
  if (!at) throw new Error(`${operation.operationId} streams by ${id}, which the contract lacks`);
  const given = path.split('/');
  const filledIn = at.path.split('/').flatMap((part, n) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = given[n];
    return name && value && value !== part ? [[name, value]] : [];
  });
  return { at, path: Object.fromEntries(filledIn) as Record<string, string> };
}

/** Whether a cookie identifies the caller, or a reply sets one. */
function usesCookies(document: Document, operation: Operation): boolean {
  const schemes = document.components['securitySchemes'] as Record<string, { in?: string }>;
  const named = operation.security.flatMap((requirement) => Object.keys(requirement));
  const replies = repliesOf(document, operation).map(([, { headers = {} }]) => headers);
  return named.some((name) => schemes[name]?.in === 'cookie') || replies.some((all) => 'set-cookie' in all);
}

function bodyOf(document: Document, operation: Operation) {
  if (!operation.requestBody) return null;
  const { content, required = false } = operation.requestBody;
  const schemas = Object.values(content).map((media) => resolve(document, media.schema));
  const maxBytes = operation['x-limits']?.body_bytes;
  if (maxBytes === undefined)
    throw new Error(`${operation.operationId} takes a body but has no x-limits.body_bytes`);
  return { required, mediaTypes: Object.keys(content), maxBytes, variants: variantsOf(document, schemas[0]) };
}

/**
 * The properties that tell the branches of a `oneOf` apart: for each branch the one it requires and no other
 * branch has. Knowing the variant first lets an error speak of that variant alone.
 */
export function variantsOf(document: Document, schema: Schema | undefined): string[] {
  const branches = (schema?.oneOf ?? []).map((branch) => resolve(document, branch));
  return branches.map((branch) => {
    const others = branches.filter((other) => other !== branch);
    const own = branch.required?.find((name) => others.every((other) => !mayHave(other, name)));
    if (own === undefined) throw new Error(`a variant has no property of its own: ${JSON.stringify(branch)}`);
    return own;
  });
}
