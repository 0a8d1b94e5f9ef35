import { builtInFeatures } from '../../generated/features.gen.ts';
import { stepsOf } from '../lib/json.ts';
import { type JsonSchema, SchemaError } from '../lib/json-schema.ts';
import type { FeatureExample, OwnFeature } from '../services/features/declaration.ts';
import { parseTemplate, TemplateError } from '../services/features/declaration.ts';
import { wrongModelName } from './model-names.ts';
import type { ModelsConfig } from './models-config.ts';
import { readObjectSchema } from './object-schema.ts';
import type { ConfigFile, FeatureEntry, Path } from './parse-file.ts';

const defaultMaxTokens = 2048;

/** The AI features that the file declares, their schemas, examples and prompts checked. */
export async function readFeatures(file: ConfigFile, models: ModelsConfig): Promise<OwnFeature[]> {
  const entries = Object.entries(file.content.features ?? {});
  const features: OwnFeature[] = [];
  for (const [id, entry] of entries) {
    const report = (path: Path, text: string, part?: 'key') =>
      file.report(['features', id, ...path], text, part);
    if (builtInFeatures.some((feature) => feature.id === id)) {
      report([], 'a feature of this name is built in; expected another id.', 'key');
    }
    const wrong = entry.model === undefined ? null : wrongModelName(models, entry.model);
    if (wrong !== null) report(['model'], wrong);
    features.push(await featureOf(id, entry, report));
  }
  return features;
}

type Report = (path: Path, text: string) => void;

async function featureOf(id: string, entry: FeatureEntry, report: Report): Promise<OwnFeature> {
  const input = await schemaOf('input', entry, report);
  const output = await schemaOf('output', entry, report);
  checkTextOutput(entry, output, report);
  try {
    parseTemplate(entry.prompt, input);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    report(['prompt'], `${error.message}.`);
  }
  const name = entry.name ?? id;
  return {
    id,
    name,
    summary: entry.summary ?? name,
    description: entry.description ?? name,
    engines: ['model'],
    input,
    output,
    textOutput: entry.text_output ?? null,
    maxTokens: entry.max_tokens ?? defaultMaxTokens,
    examples: entry.examples.map(
      ({ summary, ...example }, n): FeatureExample => ({
        id: `example${n + 1}`,
        summary: summary ?? `Example ${n + 1}`,
        ...example,
      }),
    ),
    prompt: entry.prompt,
    model: entry.model ?? null,
    temperature: entry.temperature ?? null,
  };
}

/** A schema with its references followed, and the examples held against it. */
async function schemaOf(part: 'input' | 'output', entry: FeatureEntry, report: Report): Promise<JsonSchema> {
  try {
    const { schema, validate } = await readObjectSchema(entry[part]);
    for (const [n, example] of entry.examples.entries()) {
      // A copy, as the check fills defaults in.
      if (validate(structuredClone(example[part]))) continue;
      const [problem] = validate.errors ?? [];
      const at = stepsOf(problem?.instancePath ?? '');
      report(['examples', String(n), part, ...at], `${problem?.message}, by the schema of the ${part}.`);
    }
    return schema;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    report([part, ...error.path], `no valid JSON Schema: ${error.message}.`);
    return { type: 'object' };
  }
}

function checkTextOutput({ text_output: field }: FeatureEntry, output: JsonSchema, report: Report): void {
  if (field === undefined) return;
  const properties = (output['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const names = Object.keys(properties);
  if (names.length === 1 && names[0] === field && properties[field]?.['type'] === 'string') return;
  report(['text_output'], `expected the only field of the output, with the type \`string\`.`);
}
