import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { builtInAgents } from '../../src/services/agents/open-agents.ts';
import type { Engine, FeatureDeclaration, FeatureExample } from '../../src/services/features/declaration.ts';
import { readableJson } from './json.ts';

/** A declaration as it is written. */
interface Written {
  name: string;
  summary: string;
  description: string;
  engines: Engine[];
  text_output?: string;
  max_tokens?: number;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  examples: Record<string, Omit<FeatureExample, 'id'>>;
}

/** The built-in features, one file each in `openapi/features/`, by their ids. */
export function readFeatures(root: string): FeatureDeclaration[] {
  const folder = path.join(root, 'openapi/features');
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const { text_output, max_tokens, examples, ...written } = parse(
        readFileSync(path.join(folder, file), 'utf8'),
      ) as Written;
      return {
        id: path.basename(file, '.yaml'),
        ...written,
        textOutput: text_output ?? null,
        maxTokens: max_tokens ?? 0,
        examples: Object.entries(examples).map(([id, example]) => ({ id, ...example })),
      };
    });
}

/** TypeScript source of the built-in features and of the operations that they have in the contract. */
export function featuresSource(
  features: readonly FeatureDeclaration[],
  operationIds: readonly string[],
): string {
  const operations = features.map(({ id }, n) => `  ${operationIds[n]}: '${id}',`);
  return [
    "import type { FeatureDeclaration } from '../src/services/features/declaration.ts';",
    '',
    '/** Operation -> the feature that it carries out. */',
    'export const featureOperations = {',
    ...operations,
    '} as const;',
    '',
    'export type BuiltInFeature = (typeof featureOperations)[keyof typeof featureOperations];',
    '',
    `export const builtInFeatures: readonly FeatureDeclaration[] = ${readableJson(features).trimEnd()};`,
    '',
  ].join('\n');
}

/** TypeScript source of the operations that the built-in agents have in the contract. */
export function agentsSource(operationIds: readonly string[]): string {
  return [
    '/** Operation -> the agent that it runs. */',
    'export const agentOperations = {',
    ...builtInAgents.map(({ id }, n) => `  ${operationIds[n]}: '${id}',`),
    '} as const;',
    '',
  ].join('\n');
}
