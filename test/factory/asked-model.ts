import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPlanner } from '../../src/factory/model/planner.ts';
import { plan } from '../../src/factory/plan/complete-spec.ts';
import type { AppSpec } from '../../src/factory/spec.ts';
import { createModelGateway } from '../../src/gateway/routing/gateway.ts';
import { startFileVendor } from './file-vendor.ts';
import type { PromptEntry, Reading } from './score/prompt-set.ts';
import type { Row } from './score/report.ts';

/** However long whoever answers takes. */
const dayMs = 24 * 60 * 60_000;

export type ReadPrompt = Reading & { readonly spec: AppSpec; readonly degraded: boolean };

/** What came of prompts with a model behind the factory whose answers are files in a folder; all of them are asked at once. */
export async function readByFiles(
  entries: readonly PromptEntry[],
  folder: string,
  model: string,
): Promise<ReadPrompt[]> {
  const vendor = await startFileVendor(folder);
  try {
    const models = createModelGateway({
      providers: [
        {
          id: 'files',
          speaks: ['openai-chat'],
          azureApiVersion: null,
          baseUrl: vendor.baseUrl,
          apiKey: null,
          patterns: [],
          maxTokensField: 'max_completion_tokens',
          connections: entries.length,
        },
      ],
      models: [],
      aliases: {},
      defaultModel: null,
      timeLimits: { connect: 30_000, firstByte: dayMs, idle: dayMs, total: dayMs },
      maxAttempts: 1,
    });
    const planner = createPlanner({
      models,
      model: `files/${model}`,
      limits: { outputTokens: 1_000_000, costUsd: 1_000, timeMs: dayMs },
      priceOf: () => null,
    });
    return await Promise.all(
      entries.map(async ({ prompt }) => {
        const { reading, degradedFrom } = await planner({
          prompt,
          options: {},
          signal: new AbortController().signal,
          byRules: async (asked, options) => plan(asked, options),
          onUsage: () => {},
        });
        const { spec, notTakenUp, unserved } = reading;
        const told = unserved && `${unserved.head}: ${unserved.message}`;
        return { spec, notTakenUp, unserved: told, degraded: degradedFrom !== null };
      }),
    );
  } finally {
    await vendor.close();
  }
}

/** Keeps the counts of a run with its date and model, never the prompts. Gives the file's path. */
export function keepResult(folder: string, set: string, model: string, rows: readonly Row[]): string {
  const date = new Date().toISOString().slice(0, 10);
  const count = (holds: (row: Row) => boolean) => rows.filter(holds).length;
  const verdicts = Object.fromEntries(
    (['right', 'usable', 'wrong'] as const).map((name) => [
      name,
      count(({ score }) => score.verdict === name),
    ]),
  );
  const result = {
    date,
    model,
    set,
    prompts: rows.length,
    ...verdicts,
    honest: count(({ score }) => score.honest),
  };
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${date}-${set}-${model.replace(/[^a-z0-9.-]+/gi, '-')}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  return file;
}
