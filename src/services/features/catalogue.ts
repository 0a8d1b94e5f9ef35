import { builtInFeatures, featureOperations } from '../../../generated/features.gen.ts';
import { operations } from '../../../generated/operations.gen.ts';
import type { AiFeature } from '../../../generated/types.gen.ts';
import type { Validator } from '../../contract/built.ts';
import { built } from '../../contract/built.ts';
import { ServiceError } from '../../contract/errors.ts';
import { invalidRequest } from '../../contract/problems.ts';
import { operationIdsOf, pathOf } from '../../contract/served/feature-operations.ts';
import { compileSchema } from '../../lib/json-schema.ts';
import { nearest } from '../../lib/nearest.ts';
import { shorten } from '../../lib/static-text.ts';
import type { FeatureDeclaration, OwnFeature } from './declaration.ts';
import { parseTemplate } from './declaration.ts';
import { plainShape, shapes } from './shapes.ts';
import { builtInTemplate, type Fields, jsonTask, type Task, textTask } from './task.ts';

/** A feature that can be carried out. */
export interface Feature {
  readonly declaration: FeatureDeclaration;
  /** Its operation in the served contract. */
  readonly operationId: string;
  /** The model that answers unless a call names one; null: the default model. */
  readonly model: string | null;
  /** 0 to 2. */
  readonly temperature: number;
  /** Fills in the defaults of the input. Throws `invalid_request` with paths under `input.`. */
  checkInput(input: Fields): Promise<void>;
  /** The task for a model. Throws `ServiceError` for an input that is wrong in a way that its schema cannot say. */
  task(input: Fields): Promise<Task>;
}

/** Every feature that there is, found by its id in constant time. */
export type Catalogue = Awaited<ReturnType<typeof createCatalogue>>;

/** Words that are written want some freedom, data does not. */
const temperatures = { text: 0.4, data: 0 } as const;

/** @param own the operator's, whose ids differ from the built-in ones and whose schemas have been checked. */
export async function createCatalogue(own: readonly OwnFeature[]) {
  const builtInOperations = Object.keys(featureOperations);
  const ownOperations = operationIdsOf(own, Object.keys(operations));
  const ownFeatures = await Promise.all(
    own.map((declaration, n) => ownFeature(declaration, ownOperations[n] ?? '')),
  );
  const builtIns = builtInFeatures.map((declaration, n) => builtIn(declaration, builtInOperations[n] ?? ''));
  const all: readonly Feature[] = [...builtIns, ...ownFeatures];
  const byId = new Map(all.map((feature) => [feature.declaration.id, feature]));
  return {
    all,
    /** The operator's declarations. */
    declared: own as readonly FeatureDeclaration[],
    /** Throws `not_found`, which lists what there is. */
    find(id: string): Feature {
      const feature = byId.get(id);
      if (feature) return feature;
      const meant = nearest(id.slice(0, 64), byId.keys());
      const known = meant
        ? `Did you mean ${meant}?`
        : `Known are ${[...byId.keys()].slice(0, 100).join(', ')}.`;
      const message = `There is no AI feature ${JSON.stringify(shorten(id, 64))}. ${known} GET /v1/ai lists them all.`;
      throw new ServiceError('not_found', shorten(message, 4000), { param: 'feature_id' });
    },
  };
}

/** Its validators are compiled ahead; they are loaded with the first call of any built-in feature. */
function builtIn(declaration: FeatureDeclaration, operationId: string): Feature {
  const { id, textOutput } = declaration;
  const checks = async () => {
    return (await built('feature-checks'))[id] as { readonly input: Validator; readonly output: Validator };
  };
  return {
    declaration,
    operationId,
    model: null,
    temperature: textOutput === null ? temperatures.data : temperatures.text,
    checkInput: async (input) => requireFit((await checks()).input, input),
    async task(input) {
      const { output } = await checks();
      const template = await builtInTemplate(declaration);
      if (textOutput !== null) return textTask(textOutput, template, input, output);
      const declared = plainShape(declaration, output);
      const shape = (await shapes[id]?.(input, declared)) ?? declared;
      return jsonTask(id, template, input, shape);
    },
  };
}

async function ownFeature(declaration: OwnFeature, operationId: string): Promise<Feature> {
  const { id, textOutput, prompt, model, temperature } = declaration;
  const [input, output] = await Promise.all([
    compileSchema(declaration.input),
    compileSchema(declaration.output),
  ]);
  const template = parseTemplate(prompt, declaration.input);
  const shape = plainShape(declaration, output);
  return {
    declaration,
    operationId,
    model,
    temperature: temperature ?? (textOutput === null ? temperatures.data : temperatures.text),
    checkInput: async (given) => requireFit(input, given),
    task: (given) =>
      textOutput === null
        ? jsonTask(id, template, given, shape)
        : textTask(textOutput, template, given, output),
  };
}

function requireFit(validate: Validator, input: Fields): void {
  if (!validate(input)) throw invalidRequest(validate.errors ?? [], 'input');
}

/** A feature as `GET /v1/ai` shows it. */
export function listedFeature(
  { declaration, operationId }: Feature,
  engine: AiFeature['engine'],
  configure: string | null,
  publicUrl: string,
): AiFeature {
  const { id, name, description, engines, textOutput, input, output, examples } = declaration;
  return {
    id,
    object: 'ai_feature',
    name,
    description,
    operation_id: operationId,
    url: `${publicUrl}${pathOf(id)}`,
    engines: [...engines],
    engine,
    availability: engine === null ? 'model_required' : 'available',
    configure,
    streams: textOutput !== null,
    input_schema: input,
    output_schema: output,
    examples: examples.map((example) => ({
      summary: example.summary,
      input: example.input,
      output: example.output,
    })),
  };
}
