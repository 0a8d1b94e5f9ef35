import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { once } from '../../lib/once.ts';
import { type StaticText, staticText } from '../../lib/static-text.ts';
import { builtFile } from '../built.ts';
import { ServiceError } from '../errors.ts';
import type { OperationId } from '../registry.ts';
import { addAgents } from './agent-operations.ts';
import { type Collection, environment, withAgents, withFeatures, withoutOpened } from './collection.ts';
import {
  type Document,
  type MediaType,
  operationsOf,
  resolve,
  type Schema,
  schemaName,
  type Tag,
} from './document.ts';
import { addFeatures } from './feature-operations.ts';
import { manifestOf } from './manifest.ts';
import { downConverted } from './openapi-30.ts';
import type { DeclaredAgent, DeclaredFeature } from './own-operations.ts';
import { withoutDocumentation } from './without-documentation.ts';

/**
 * The documents that a server publishes about itself. Each is made when it is first requested: together they are megabytes
 * that most servers never send.
 */
export interface PublicDocuments {
  openApiJson(): Promise<StaticText>;
  openApiYaml(): Promise<StaticText>;
  /** The contract in OpenAPI 3.0. */
  openApi30Json(): Promise<StaticText>;
  /** The contract in OpenAPI 3.2. */
  openApi32Json(): Promise<StaticText>;
  /** Rejects with `internal_error`, which says what to run, where the collection was not made at install. */
  postman(): Promise<StaticText>;
  postmanEnvironment(): Promise<StaticText>;
  manifest(): Promise<StaticText>;
}

/** The parts of a server beyond the contract in the repository, or in place of its parts. */
interface Served {
  /** The AI features that the operator has declared. */
  readonly features: readonly DeclaredFeature[];
  /** The agents that the operator has declared. */
  readonly agents: readonly DeclaredAgent[];
  /** Planned operations that are available on this server, of which its documents say so. */
  readonly opened: ReadonlySet<OperationId>;
}

/** The address that the contract's examples and code samples speak of. */
const exampleUrl = 'http://127.0.0.1:8080';
const generated = path.join(import.meta.dirname, '../../../generated');

/**
 * The documents of a server: everything derives from the contract, with its address and operations in it.
 * @param publicUrl address under which clients reach this server, without a slash at the end
 * @param served what this server differs in from the contract
 */
export function publicDocuments(publicUrl: string, { features, agents, opened }: Served): PublicDocuments {
  const read = async (file: string) =>
    JSON.parse((await readFile(file, 'utf8')).replaceAll(exampleUrl, publicUrl)) as unknown;
  const openApiJson = onceText(async () => {
    const contract = (await read(path.join(generated, 'openapi.json'))) as Document;
    addFeatures(contract, features);
    addAgents(contract, agents);
    setStages(contract, opened);
    return JSON.stringify(withoutDocumentation(withPlainParts(contract), `${publicUrl}/docs`));
  });
  const contract = async () => JSON.parse((await openApiJson()).text) as Document;
  return {
    openApiJson,
    openApiYaml: onceText(async () => {
      const { stringify } = await import('yaml');
      return stringify(await contract(), { lineWidth: 0, aliasDuplicateObjects: false });
    }),
    openApi30Json: onceText(async () => JSON.stringify(downConverted({ ...(await contract()) }))),
    openApi32Json: onceText(async () => {
      const whole = (await read(path.join(generated, 'openapi.json'))) as Document;
      const groups = whole['x-tagGroups'] as TagGroup[];
      return JSON.stringify(upConverted(await contract(), groups, `${publicUrl}/openapi-3.2.json`));
    }),
    postmanEnvironment: onceText(async () => JSON.stringify(environment(await contract(), publicUrl))),
    postman: onceText(async () => {
      const collection = (await read(builtFile('postman.json')).catch(explain)) as Collection;
      const whole = withAgents(withFeatures(collection, features), agents);
      return JSON.stringify(withoutOpened(whole, opened));
    }),
    manifest: onceText(async () => JSON.stringify(manifestOf(await contract(), publicUrl))),
  };
}

/** The documents of a server whose features and agents may be exchanged: made again when they have been. */
export function currentDocuments(publicUrl: string, served: () => Served): () => PublicDocuments {
  let of = served();
  let documents = publicDocuments(publicUrl, of);
  return () => {
    const now = served();
    if (now.features !== of.features || now.agents !== of.agents) {
      of = now;
      documents = publicDocuments(publicUrl, of);
    }
    return documents;
  };
}

function explain(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  const message =
    'The Postman collection was not made when this server was installed. Its operator can make it: run "npm install", with ' +
    'the development packages, where the server is installed.';
  throw new ServiceError('internal_error', message, { retryable: false, cause: error });
}

/** Says in the contract of every operation in which stage it is on this server. */
function setStages(contract: Document, opened: ReadonlySet<string>): void {
  for (const { id, operation } of operationsOf(contract)) {
    if (opened.has(id)) operation['x-lifecycle'].stage = 'available';
  }
}

/** Makes a text when it is first asked for. */
function onceText(make: () => Promise<string>): () => Promise<StaticText> {
  return once(async () => staticText(await make()));
}

/**
 * The contract for programs that are made from it: there a part of a message is one object with the fields of all its variants. Of a
 * union that is in a list that is in a union OpenAPI Generator's typescript-fetch makes a client that does not compile.
 */
export function withPlainParts(contract: Document): Document {
  const document = structuredClone(contract);
  const { schemas } = document.components;
  const { description, oneOf: variants = [] } = schemas['ChatPart'] ?? {};
  const all = variants.map((variant) => resolve(document, variant).properties ?? {});
  const types = all.map(({ type }) => type?.['const']);
  if (types.length === 0 || types.includes(undefined))
    throw new Error('The parts of a message have no types.');
  const type = { type: 'string', enum: types, description: 'Its type, which says which other field it has.' };
  const properties = { ...Object.assign({}, ...all), type };
  schemas['ChatPart'] = {
    type: 'object',
    description,
    required: ['type'],
    additionalProperties: false,
    properties,
  };
  for (const variant of variants) delete schemas[schemaName(variant)];
  return document;
}

/** Tags that the documentation page lists together, under a heading. */
export interface TagGroup {
  readonly name: string;
  readonly tags: readonly string[];
}

/**
 * Writes the served contract in OpenAPI 3.2, which has words for two things that 3.1 leaves to extensions: the schema of
 * each event of a stream, and groups of tags.
 * @param document is changed
 * @param self the address of the result
 */
export function upConverted(document: Document, groups: readonly TagGroup[], self: string): object {
  for (const content of contentsIn([document.paths, document.components.responses])) {
    const media = content['text/event-stream'];
    if (media) content['text/event-stream'] = asItems(media);
  }
  return { ...document, openapi: '3.2.0', $self: self, tags: withParents(document.tags, groups) };
}

/** Every `content` of a reply, wherever it stands. */
function contentsIn(value: unknown): Record<string, object>[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'content' ? [member as Record<string, object>] : contentsIn(member),
  );
}

/** A stream by the fields of its events (https://spec.openapis.org/oas/v3.2.0#special-considerations-for-server-sent-events). */
function asItems({ schema, ...media }: MediaType | { schema?: Schema }): object {
  const text = { type: 'string' };
  const event = schema?.['x-event-schema'];
  const data = event ? { ...text, contentMediaType: 'application/json', contentSchema: event } : text;
  const properties = { event: text, id: text, data };
  return { ...media, itemSchema: { type: 'object', required: ['data'], properties } };
}

/** The tags below one for each group that has any. */
function withParents(tags: readonly Tag[], groups: readonly TagGroup[]): object[] {
  const groupOf = (name: string) => groups.find((group) => group.tags.includes(name))?.name;
  const parents = groups.filter((group) => tags.some(({ name }) => group.tags.includes(name)));
  return [
    ...parents.map(({ name }) => ({ name, kind: 'nav' })),
    ...tags.map((tag) => ({ ...tag, kind: 'nav', parent: groupOf(tag.name) })),
  ];
}
