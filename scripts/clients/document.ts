import {
  type Document,
  httpMethods,
  mediaTypesOf,
  type Operation,
  operationsOf,
  type Response,
  resolve,
} from '../generate/document.ts';

/**
 * The contract as the generators of client libraries read it. They can read it as it is served, which `.ci/generators` shows;
 * what is changed here makes the libraries' own interface smaller than a generator would, and no generator has an option for it:
 *
 * - Operations that only stream are left out: each library that streams has a reader of its own, which gives events and no text.
 * - A reply has one media type, JSON where there is one, and text or bytes otherwise.
 * - Titles of schemas are left out: some generators take them for class names.
 * - Names of enum constants are left out: they are for generators that put all into one package, ours set the enum's before.
 * - Bounds and defaults are left out: the server's are what counts, and a library that sent a default would ask for it.
 *
 * @param tags Only the operations with these tags; all when null.
 */
export function clientDocument(contract: Document, tags: readonly string[] | null = null): Document {
  const document = structuredClone(contract);
  for (const { method, path, operation } of operationsOf(document)) {
    delete operation['x-codeSamples'];
    const streamsOnly = mediaTypesOf(document, operation).join() === 'text/event-stream';
    const wanted = tags === null || operation.tags.some((tag) => tags.includes(tag));
    if (streamsOnly || !wanted) delete document.paths[path]?.[method];
    else useOneMediaType(document, operation);
  }
  for (const [path, item] of Object.entries(document.paths)) {
    if (!httpMethods.some((method) => method in item)) delete document.paths[path];
  }
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags));
  document.tags = document.tags.filter(({ name }) => used.has(name));
  for (const schema of Object.values(document.components.schemas)) {
    delete schema['title'];
    delete schema['x-enum-varnames'];
  }
  leaveToServer(document.components);
  leaveToServer(document.paths);
  for (const name of Object.keys(document)) {
    if (name.startsWith('x-')) delete document[name as `x-${string}`];
  }
  // The chapters of the documentation are no text for the head of a source file.
  document.info.description = document.info.summary ?? '';
  if (tags !== null) keepReachedSchemas(document);
  return document;
}

/** The same without error replies, for libraries that raise them before an operation sees them. */
export function withoutErrors(document: Document): Document {
  for (const { operation } of operationsOf(document)) {
    for (const status of Object.keys(operation.responses)) {
      if (Number(status) >= 300) delete operation.responses[status];
    }
  }
  return document;
}

/** The tags of the chat interface, which all six libraries speak. */
export function chatInterfaceTags(contract: Document): string[] {
  const groups = contract['x-tagGroups'] as { name: string; tags: string[] }[];
  const group = groups.find(({ name }) => name === 'Chat interface');
  if (!group) throw new Error('the contract has no tag group "Chat interface"');
  return group.tags;
}

function useOneMediaType(document: Document, operation: Operation): void {
  for (const [status, given] of Object.entries(operation.responses)) {
    const response = structuredClone(resolve<Response>(document, given));
    if (!response.content) continue;
    const [type, media] =
      Object.entries(response.content).find(([type]) => type === 'application/json') ??
      Object.entries(response.content).find(([type]) => type !== 'text/event-stream') ??
      [];
    if (!type || !media) throw new Error(`${operation.operationId} answers ${status} with events only`);
    response.content =
      type === 'application/json'
        ? { [type]: media }
        : type.startsWith('text/')
          ? { 'text/plain': { schema: { type: 'string' } } }
          : { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
    operation.responses[status] = response;
  }
}

const bounds = [
  'default',
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'pattern'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];

/** Takes the bounds and defaults out of every schema inside a value. */
function leaveToServer(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const isSchema = 'type' in value && (typeof value.type === 'string' || Array.isArray(value.type));
  for (const [name, member] of Object.entries(value)) {
    if (isSchema && bounds.includes(name)) delete (value as Record<string, unknown>)[name];
    else if (name !== 'example' && name !== 'examples') leaveToServer(member);
  }
}

/** Takes away the schemas that no operation that is left speaks of. */
function keepReachedSchemas(document: Document): void {
  const reached = new Set<string>();
  const visit = (value: unknown) => {
    for (const [reference] of JSON.stringify(value).matchAll(/#\/components\/\w+\/[\w.-]+/g)) {
      if (reached.has(reference)) continue;
      reached.add(reference);
      visit(resolve(document, { $ref: reference }));
    }
  };
  visit(document.paths);
  for (const [section, members] of Object.entries(document.components)) {
    if (section === 'securitySchemes') continue;
    for (const name of Object.keys(members)) {
      if (!reached.has(`#/components/${section}/${name}`)) delete (members as Record<string, unknown>)[name];
    }
  }
  const named = new Set(
    operationsOf(document).flatMap(({ operation }) => operation.security.flatMap((by) => Object.keys(by))),
  );
  const schemes = document.components['securitySchemes'] ?? {};
  for (const name of Object.keys(schemes)) if (!named.has(name)) delete schemes[name];
}
