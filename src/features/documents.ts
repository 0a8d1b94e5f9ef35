/** Puts the operator's AI features into the documents that the server publishes. */
import { createHash } from 'node:crypto';
import type { Manifest } from '../../generated/types.gen.ts';
import { addFeatures, pathOf } from './contract.ts';
import type { FeatureDeclaration } from './declaration.ts';

/** The contract with an operation of its own for each feature. */
export function openApiWith(text: string, features: readonly FeatureDeclaration[]): string {
  const document = JSON.parse(text) as object;
  addFeatures(document, features);
  return JSON.stringify(document, null, 2);
}

/** The operation from which those of the features are made. */
const general = 'useFeature';

export function manifestWith<T extends Pick<Manifest, 'operations' | 'events'>>(
  manifest: T,
  features: readonly FeatureDeclaration[],
  operationIds: readonly string[],
): T {
  const template = manifest.operations.find(({ operation_id }) => operation_id === general);
  const event = manifest.events[general];
  if (!template || !event) throw new Error(`the manifest has no operation ${general}`);
  const operations = features.map(({ id, summary, textOutput }, n) => ({
    ...template,
    operation_id: operationIds[n] ?? id,
    path: pathOf(id),
    summary,
    streams: textOutput !== null,
  }));
  const events = operations
    .filter(({ streams }) => streams)
    .map(({ operation_id }) => [operation_id, event] as const);
  return {
    ...manifest,
    operations: [...manifest.operations, ...operations],
    events: { ...manifest.events, ...Object.fromEntries(events) },
  };
}

/** A request of a Postman collection (format 2.1), as far as it is looked at here. */
interface PostmanItem {
  readonly request: {
    readonly url: { readonly path: readonly string[] };
    readonly body?: object;
  };
}

interface PostmanCollection {
  readonly item: readonly { readonly item: readonly PostmanItem[] }[];
}

/** The Postman collection with a request for each example of each feature, beside the general one. */
export function postmanWith(text: string, features: readonly FeatureDeclaration[]): string {
  const collection = JSON.parse(text) as PostmanCollection;
  const path = pathOf(':feature_id').slice(1);
  const isGeneral = ({ request }: PostmanItem) => request.url.path.join('/') === path;
  const item = collection.item.map((folder) => {
    const template = folder.item.find(isGeneral);
    if (!template) return folder;
    return {
      ...folder,
      item: [...folder.item, ...features.flatMap((feature) => requestsOf(feature, template))],
    };
  });
  return JSON.stringify({ ...collection, item }, null, 2);
}

const tests = [
  "pm.test('answers 200, or says that it needs a model', () => {",
  '  if (pm.response.code === 200) return;',
  "  pm.expect(pm.response.json().error.code).to.equal('model_required');",
  '});',
];

function requestsOf(feature: FeatureDeclaration, { request }: PostmanItem) {
  return feature.examples.map(({ id, summary, input }) => {
    const { url } = request;
    return {
      id: uuid(feature.id, id),
      name: `${feature.summary}: ${summary}`,
      request: {
        ...request,
        name: feature.summary,
        description: { content: feature.description, type: 'text/plain' },
        url: { ...url, path: pathOf(feature.id).slice(1).split('/'), variable: [] },
        body: { ...request.body, raw: JSON.stringify({ input }, null, 2) },
      },
      response: [],
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: tests } }],
    };
  });
}

/** A UUID that depends on nothing but its parts (RFC 9562 version 8). */
function uuid(...parts: string[]): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['feature', ...parts]))
    .digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
