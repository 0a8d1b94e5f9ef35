/**
 * Makes the operations that a feature has of its own in the contract, out of the general one: in the generator for the
 * built-in features, and at the start of the server for those of the operator.
 */

import type { Document, Schema } from './document.ts';
import type { DeclaredFeature } from './own-operations.ts';
import { addDeclared, camelCase, capitalised, copyOfGeneral, freeName, freeNames } from './own-operations.ts';

/** The general operation, from which the others are made. */
const general = '/v1/ai/{feature_id}';
/** The suffix of a name that is taken. */
const suffix = 'Feature';

export function pathOf(id: string): string {
  return `/v1/ai/${id}`;
}

/** The operations of features beside others, in the order of the features: their names in camel case where free. */
export function operationIdsOf(
  features: readonly Pick<DeclaredFeature, 'id'>[],
  others: Iterable<string>,
): string[] {
  const names = features.map(({ id }) => camelCase(id));
  return freeNames(names, others, suffix);
}

/** Adds the operation of each feature, with schemas of its own, and gives the operations' ids in the same order. */
export function addFeatures(contract: Document, features: readonly DeclaredFeature[]): string[] {
  const names = features.map(({ id }) => camelCase(id));
  return addDeclared(contract, features, names, suffix, addFeature);
}

function addFeature(contract: Document, feature: DeclaredFeature, operationId: string): void {
  const { schemas } = contract.components;
  const isTaken = (name: string) =>
    ['Input', 'Output', 'Call', 'Result'].some((end) => `${name}${end}` in schemas);
  const prefix = freeName(capitalised(operationId), isTaken, suffix);
  const named = (end: string) => ({ $ref: `#/components/schemas/${prefix}${end}` });
  const input = { description: `What \`${feature.id}\` takes.`, ...feature.input };
  const output = { description: `What \`${feature.id}\` answers.`, ...feature.output };
  schemas[`${prefix}Input`] = withNamedItems(contract, `${prefix}Input`, input);
  schemas[`${prefix}Output`] = withNamedItems(contract, `${prefix}Output`, output);
  schemas[`${prefix}Call`] = callSchema(schemas['AiCall'] as ObjectSchema, feature, named('Input'));
  schemas[`${prefix}Result`] = resultSchema(schemas['AiResult'] as Composed, feature, named('Output'));

  const operation = copyOfGeneral(contract, general, feature.id);
  if (!feature.engines.includes('model')) {
    delete operation.responses['502'];
    delete operation.responses['504'];
  }
  operation.operationId = operationId;
  operation.summary = feature.summary;
  operation.description = descriptionOf(feature);
  operation['x-engines'] = [...feature.engines];
  operation.requestBody = {
    ...operation.requestBody,
    content: { 'application/json': { schema: named('Call'), examples: callExamples(feature) } },
  };
  const { content = {} } = operation.responses['200'] ?? {};
  content['application/json'] = { schema: named('Result'), examples: resultExamples(feature) };
  if (feature.textOutput === null) delete operation['x-stream-operation'];
  contract.paths[pathOf(feature.id)] = { post: operation };
}

/** An object's schema in which the objects of its lists have names: `ModerateOutputCategoriesItem`. */
function withNamedItems({ components: { schemas } }: Document, name: string, schema: Schema): Schema {
  const entries = Object.entries(schema.properties ?? {}).map(([property, value]): [string, Schema] => {
    const items = value['items'] as Schema | undefined;
    if (!items?.properties) return [property, value];
    const own = `${name}${capitalised(camelCase(property))}Item`;
    const free = freeName(own, (one) => one in schemas, suffix);
    schemas[free] = items;
    return [property, { ...value, items: { $ref: `#/components/schemas/${free}` } }];
  });
  return entries.length > 0 ? { ...schema, properties: Object.fromEntries(entries) } : schema;
}

interface ObjectSchema extends Schema {
  properties: Record<string, Schema>;
}

interface Composed extends Schema {
  allOf: [Schema, ObjectSchema];
}

function callSchema(call: ObjectSchema, { engines, textOutput }: DeclaredFeature, input: Schema) {
  const { model, stream, ...others } = call.properties;
  // The rule about the model and the engine says nothing where there is one engine.
  const { if: _, then: __, ...rest } = call;
  const own = engines.length > 1 ? call : rest;
  const properties = {
    ...others,
    input,
    engine: {
      type: 'string',
      enum: engines,
      description: `What is to answer; by default ${engineRule(engines)}.`,
    },
    ...(engines.includes('model') && { model }),
    ...(textOutput !== null && { stream }),
  };
  return { ...own, properties };
}

/** The general result, whose second part is the feature's own. */
function resultSchema(result: Composed, { id, engines }: DeclaredFeature, output: Schema) {
  const [common, general] = result.allOf;
  const properties = {
    ...general.properties,
    feature: { type: 'string', const: id, description: 'The feature that has answered.' },
    output,
    engine: { type: 'string', enum: engines, description: 'What has answered.' },
  };
  return { allOf: [common, { ...general, properties }] };
}

function engineRule(engines: DeclaredFeature['engines']): string {
  if (engines.length === 1) return `\`${engines[0]}\``;
  return engines[0] === 'model' ? '`model` if a provider is configured, else `local`' : `\`${engines[0]}\``;
}

function descriptionOf({ id, description, engines, textOutput }: DeclaredFeature): string {
  const [only] = engines;
  const engine =
    engines.length === 1 && only === 'model'
      ? 'It needs a model: without a configured provider it answers 400 with the code `model_required`.'
      : `By default ${engineRule(engines)} answers; \`engine\` chooses another, and in the answer says which it was.`;
  const streaming =
    textOutput === null ? '' : ` \`POST ${pathOf(id)}/stream\` gives the text as Server-Sent Events.`;
  const errors = engines.includes('model')
    ? '400 for an input that does not fit, 401 and 403 for the key, 429 when a limit is reached, 502 for an answer of the model that does not fit or a provider that fails, 503 and 504 when it is overloaded or too slow.'
    : '400 for an input that does not fit, 401 and 403 for the key, 429 when a limit is reached, 503 when the server has too much to do.';
  return [
    description.trim(),
    `**Engine**: ${engine}${streaming}`,
    `**Limits**: one request of the key's plan, a body of 1 MiB, and those of the input. **Errors**: ${errors}`,
    '',
  ].join('\n\n');
}

function callExamples({ examples }: DeclaredFeature) {
  return Object.fromEntries(examples.map(({ id, summary, input }) => [id, { summary, value: { input } }]));
}

function resultExamples(feature: DeclaredFeature) {
  return Object.fromEntries(feature.examples.map((example) => [example.id, resultExample(feature, example)]));
}

function resultExample(
  { id, engines }: DeclaredFeature,
  { summary, output }: DeclaredFeature['examples'][number],
) {
  const local = engines.includes('local');
  const value = {
    id: 'ai-01K9Z3V7Q4W8X2M6N5B1C0D9EF',
    feature: id,
    output,
    engine: local ? 'local' : 'model',
    model: local ? null : 'gpt-4o',
    provider: local ? null : 'openai',
    repaired: false,
    usage: local ? null : exampleUsage,
    warnings: [],
  };
  return { summary, value };
}

const exampleUsage = {
  prompt_tokens: 210,
  completion_tokens: 28,
  total_tokens: 238,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
  source: 'provider',
};
