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
  /** Whose interface it is one of; its errors have that one's form. */
  'x-wire'?: 'openai' | 'anthropic' | 'gemini' | 'mcp';
  /** Whether parameters in the query that are not described are ignored, as a foreign interface does, and not refused. */
  'x-open-query'?: boolean;
  /** Other paths that it answers at. */
  'x-also-known-as'?: string[];
  'x-dry-run'?: 'asked' | 'always';
  'x-limits'?: { body_bytes?: number; builds?: number; window_s?: number };
  /** Of an AI feature: what it can run on. */
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

/** Whether an object may have a property; one whose bounds nothing fits only says that it is not there. */
export function mayHave({ properties = {} }: Schema, name: string): boolean {
  const property = properties[name];
  if (property === undefined) return false;
  const isEmpty = (min: string, max: string) =>
    Number(property[min] ?? 0) > Number(property[max] ?? Infinity);
  return !isEmpty('minLength', 'maxLength') && !isEmpty('minimum', 'maximum');
}

/** The schema of the events of a stream, where the media type is one. */
export function eventSchemaOf(media: MediaType | undefined): Schema | undefined {
  return media?.schema['x-event-schema'];
}

/** The JSON in the events of a stream as it is on the wire. */
export function eventsIn(text: string): unknown[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
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
  for (const part of reference.replace(/^#\//, '').split('/')) {
    target = (target as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (target === undefined) throw new Error(`${reference} names nothing in the contract`);
  return resolve(document, target as T);
}

/** The path of an operation with the examples of its parameters filled in. */
export function examplePath(document: Document, { path, operation }: OperationAt): string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  return path.replaceAll(/\{(\w+)\}/g, (whole, name) =>
    String(parameters.find((parameter) => parameter.name === name)?.example ?? whole),
  );
}

/** Whether anyone may call the operation, though one who shows who they are may get more. */
export function needsNoKey({ security }: Operation): boolean {
  return security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0);
}

/** Whether an operation takes the administrator's password as its key. */
export function isForAdmin({ security }: Operation): boolean {
  return security.some((requirement) => 'adminBearer' in requirement);
}

/** Whether an operation takes its key as `X-API-Key` and not as a bearer token. */
export function takesApiKeyHeader({ security }: Operation): boolean {
  const takes = (scheme: string) => security.some((requirement) => scheme in requirement);
  return takes('apiKeyAuth') && !takes('bearerAuth');
}

/** Whether an operation is one of a foreign interface. */
export function isForeign({ 'x-wire': wire }: Operation): boolean {
  return wire !== undefined;
}

/** Whether an operation asks for something by its id that a vendor may keep. */
export function asksForKept({ path, operation }: OperationAt): boolean {
  return isForeign(operation) && operation['x-wire'] !== 'mcp' && /\{\w+_id\}/.test(path);
}

/** The body of an operation, in the one media type that it takes. */
export function bodyOf({ requestBody }: Operation): MediaType | undefined {
  return Object.values(requestBody?.content ?? {})[0];
}

/** A field of a form. */
export interface FormField {
  readonly name: string;
  /** Of a file its name. */
  readonly value: string;
  readonly isFile: boolean;
}

/** The fields of the example of a form; null where the operation takes none. */
export function formFields(
  document: Document,
  { requestBody }: Operation,
  example: unknown,
): FormField[] | null {
  const media = requestBody?.content['multipart/form-data'];
  if (!media) return null;
  const { properties = {} } = resolve(document, media.schema);
  return Object.entries(example as object).map(([name, value]) => {
    const { format } = resolve<Schema>(document, properties[name] ?? {});
    return { name, value: String(value), isFile: format === 'binary' };
  });
}

/** Whether an operation ignores what the query holds beside its parameters. */
export function hasOpenQuery(operation: Operation): boolean {
  return isForeign(operation) || operation['x-open-query'] === true;
}

/** Whether a media type is neither text nor JSON nor YAML. */
export function isBinary(mediaType: string): boolean {
  return !/^text\/|[/+](?:json|yaml)$/.test(mediaType);
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

/** The examples of a media type with their references followed, as [name, summary, value]. */
export function examplesOf(document: Document, media: MediaType): [string, string, unknown][] {
  return Object.entries(media.examples ?? {}).map(([name, example]) => {
    const { summary, value } = resolve(document, example);
    return [name, summary ?? name, value];
  });
}
