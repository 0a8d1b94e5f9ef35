import { stepsOf } from '../../lib/json.ts';

/** The parts of an OpenAPI 3.1 document that are read here and by the generators. It is our own, linted contract. */
export interface Document {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary?: string;
    description?: string;
    contact?: { name?: string; url?: string };
  };
  servers: { url: string; description?: string }[];
  tags: Tag[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    examples: Record<string, Example>;
    [section: string]: Record<string, unknown>;
  };
  externalDocs?: { description: string; url: string };
  [extension: `x-${string}`]: unknown;
}

export interface Tag {
  name: string;
  description: string;
  'x-displayName'?: string;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  deprecated?: boolean;
  /** The day since when it is, such as `2026-11-20`; its replies say so. */
  'x-deprecated-since'?: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response>;
  'x-lifecycle': { stage: 'available' | 'planned' };
  /** The operation that does the same and streams its answer. */
  'x-stream-operation'?: string;
  /** The interface that it belongs to; its errors have that one's form. */
  'x-wire'?: 'openai' | 'anthropic' | 'gemini' | 'mcp';
  /** Whether parameters in the query that are not described are ignored, as a foreign interface does, and not refused. */
  'x-open-query'?: boolean;
  /** Other paths that it answers at. */
  'x-also-known-as'?: string[];
  'x-dry-run'?: 'asked' | 'always';
  'x-limits'?: { body_bytes?: number; builds?: number; window_s?: number };
  /** The engines of an AI feature. */
  'x-engines'?: ('model' | 'local')[];
  'x-codeSamples'?: CodeSample[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

export interface MediaType {
  schema: Schema;
  examples?: Record<string, Example>;
}

export interface Example {
  summary?: string;
  value: unknown;
}

/** The schema of the events of a stream, where the media type is one. */
export function eventSchemaOf(media: MediaType | undefined): Schema | undefined {
  return media?.schema['x-event-schema'];
}

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** A JSON Schema object; only the keywords that the generators look at are named. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  oneOf?: Schema[];
  /** Of a string that is a stream of events: the schema of the JSON in one of them. */
  'x-event-schema'?: Schema;
  [keyword: string]: unknown;
}

const httpMethods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface OperationAt {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

/** Every operation with its place, in the order of the contract. */
export function operationsOf(document: Document): OperationAt[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ id: operation.operationId, method, path, operation }] : [];
    }),
  );
}

/** Follows a local `$ref`, if there is one, to what it names. */
export function resolve<T extends object>(document: Document, value: T): T {
  const reference = (value as { $ref?: string }).$ref;
  if (reference === undefined) return value;
  let target: unknown = document;
  for (const step of stepsOf(reference)) target = (target as Record<string, unknown>)[step];
  if (target === undefined) throw new Error(`${reference} names nothing in the contract`);
  return resolve(document, target as T);
}

/** Whether an operation is one of a foreign interface. */
export function isForeign({ 'x-wire': wire }: Operation): boolean {
  return wire !== undefined;
}

/** The name of a schema given by reference, for example `ChatRequest`. */
export function schemaName(schema: Schema): string {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) throw new Error(`every body must name its schema, found ${JSON.stringify(schema)}`);
  return name;
}

/** Replies of an operation with their references followed, as [status, reply] in ascending order. */
export function repliesOf(document: Document, operation: Operation): [number, Response][] {
  return Object.entries(operation.responses).map(([status, response]) => [
    Number(status),
    resolve(document, response),
  ]);
}

/** Media types of the replies with a status below 300, best first. */
export function mediaTypesOf(document: Document, operation: Operation): string[] {
  const success = repliesOf(document, operation).filter(([status]) => status < 300);
  return [...new Set(success.flatMap(([, reply]) => Object.keys(reply.content ?? {})))];
}
