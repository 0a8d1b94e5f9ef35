import { builtInFeatures } from '../../generated/features.gen.ts';
import type { JsonSchema } from '../lib/json-schema.ts';
import type { FeatureExample, OwnFeature } from '../services/features/declaration.ts';
import { parseTemplate, TemplateError } from '../services/features/declaration.ts';
import { wrongModelName } from './model-names.ts';
import type { ModelsConfig } from './models-config.ts';
import { checkedSchema } from './object-schema.ts';
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
  const schemaOf = (part: 'input' | 'output') =>
    checkedSchema(entry[part], report, { part, examples: entry.examples.map((example) => example[part]) });
  const [input, output] = [await schemaOf('input'), await schemaOf('output')];
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

function checkTextOutput({ text_output: field }: FeatureEntry, output: JsonSchema, report: Report): void {
  if (field === undefined) return;
  const properties = (output['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const names = Object.keys(properties);
  if (names.length === 1 && names[0] === field && properties[field]?.['type'] === 'string') return;
  report(['text_output'], `expected the only field of the output, with the type \`string\`.`);
}
