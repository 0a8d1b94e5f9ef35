/** The Postman collection (format 2.1) and environment of a server, which has requests of its own. */
import { createHash } from 'node:crypto';
import { bodyOf, examplesOf, runPathOf, summaryOf } from './agent-operations.ts';
import type { Document } from './document.ts';
import { pathOf } from './feature-operations.ts';
import type { DeclaredAgent, DeclaredFeature } from './own-operations.ts';

/** A Postman collection, as far as it is looked at here. */
export interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly Folder[];
}

interface Folder {
  readonly item: readonly {
    readonly request: { readonly url: { readonly path: readonly string[] }; readonly body?: object };
    readonly event?: unknown;
  }[];
}

/** A request that is added to the collection. */
interface AddedRequest {
  /** Its key; the same key gives the same id. */
  readonly key: readonly string[];
  readonly path: string;
  /** That of the operation. */
  readonly summary: string;
  /** The example that this request shows. */
  readonly example: string;
  readonly description: string;
  readonly body: object;
  /** Lines of its test, in place of those of the general operation. */
  readonly tests?: readonly string[];
}

/** The collection with a request for each example of each feature. */
export function withFeatures(collection: Collection, features: readonly DeclaredFeature[]): Collection {
  const added = features.flatMap(({ id, summary, description, examples }) =>
    examples.map((example) => ({
      key: ['feature', id, example.id],
      path: pathOf(id),
      summary,
      example: example.summary,
      description,
      body: { input: example.input },
      tests: testsOfFeature,
    })),
  );
  return withRequests(collection, pathOf(':feature_id'), added);
}

const testsOfFeature = [
  "pm.test('answers 200, or says that it needs a model', () => {",
  '  if (pm.response.code === 200) return;',
  "  pm.expect(pm.response.json().error.code).to.equal('model_required');",
  '});',
];

/** The collection with a request for each example of each agent, or one to be filled in where it has none. */
export function withAgents(collection: Collection, agents: readonly DeclaredAgent[]): Collection {
  const added = agents.flatMap((agent) => {
    const examples = examplesOf(agent);
    const shown = examples.length > 0 ? examples : [{ id: 'input', summary: 'Your input', input: {} }];
    return shown.map((example) => ({
      key: ['agent', agent.id, example.id],
      path: runPathOf(agent.id),
      summary: summaryOf(agent),
      example: example.summary,
      description: agent.description,
      body: bodyOf(agent, example),
    }));
  });
  return withRequests(collection, runPathOf(':agent_id'), added);
}

/** The collection, whose tests expect of the operations in its variable `planned` that they refuse. */
export function withoutOpened(collection: Collection, opened: ReadonlySet<string>): Collection {
  const left = (ids: string) => ids.split(' ').filter((id) => !opened.has(id));
  const variable = collection.variable.map((one) =>
    one.key === 'planned' ? { ...one, value: left(one.value).join(' ') } : one,
  );
  return { ...collection, variable };
}

/** A Postman environment with the addresses and keys that the collection asks for; the keys are for the user to fill in. */
export function environment({ info }: Pick<Document, 'info'>, publicUrl: string) {
  const secret = (key: string) => ({ key, value: '', type: 'secret', enabled: true });
  return {
    id: uuid('environment'),
    name: info.title,
    values: [
      { key: 'baseUrl', value: publicUrl, type: 'default', enabled: true },
      secret('apiKey'),
      secret('adminPassword'),
    ],
    _postman_variable_scope: 'environment',
  };
}

/** A UUID that depends on nothing but its parts (RFC 9562 version 8). */
export function uuid(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** The collection with more requests, beside those of the general operation. @param general its path there */
function withRequests(collection: Collection, general: string, added: readonly AddedRequest[]): Collection {
  const path = general.slice(1);
  const item = collection.item.map((folder) => {
    const template = folder.item.find(({ request }) => request.url.path.join('/') === path);
    if (!template) return folder;
    return { ...folder, item: [...folder.item, ...added.map((one) => requestOf(one, template))] };
  });
  return { ...collection, item };
}

function requestOf(added: AddedRequest, { request, event }: Folder['item'][number]) {
  const { key, path, summary, example, description, body, tests } = added;
  return {
    id: uuid(...key),
    name: `${summary}: ${example}`,
    request: {
      ...request,
      name: summary,
      description: { content: description, type: 'text/plain' },
      url: { ...request.url, raw: `{{baseUrl}}${path}`, path: path.slice(1).split('/'), variable: [] },
      body: { ...request.body, raw: JSON.stringify(body, null, 2) },
    },
    response: [],
    event: tests ? [{ listen: 'test', script: { type: 'text/javascript', exec: tests } }] : event,
  };
}
