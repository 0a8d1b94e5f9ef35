/** Puts the operator's AI features into the documents that the server publishes. */
import type { Manifest } from '../../generated/types.gen.ts';
import { withListed, withRequests } from '../contract/own-operations.ts';
import { pathOf } from './contract.ts';
import type { FeatureDeclaration } from './declaration.ts';

/** The manifest with the operation of each feature. */
export function manifestWith<T extends Pick<Manifest, 'operations'>>(
  manifest: T,
  features: readonly FeatureDeclaration[],
  operationIds: readonly string[],
): T {
  const listed = features.map(({ id, summary, textOutput }, n) => ({
    operationId: operationIds[n] ?? id,
    path: pathOf(id),
    summary,
    streams: textOutput !== null,
  }));
  return withListed(manifest, 'useFeature', listed);
}

const tests = [
  "pm.test('answers 200, or says that it needs a model', () => {",
  '  if (pm.response.code === 200) return;',
  "  pm.expect(pm.response.json().error.code).to.equal('model_required');",
  '});',
];

/** The Postman collection with a request for each example of each feature. */
export function postmanWith(text: string, features: readonly FeatureDeclaration[]): string {
  const added = features.flatMap(({ id, summary, description, examples }) =>
    examples.map((example) => ({
      key: ['feature', id, example.id],
      path: pathOf(id),
      summary,
      example: example.summary,
      description,
      body: { input: example.input },
      tests,
    })),
  );
  return withRequests(text, pathOf(':feature_id'), added);
}
