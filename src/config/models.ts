import type { ModelSettings } from '../gateway/upstream/settings.ts';
import type { Environment } from './environment.ts';
import type { ConfigFile } from './file.ts';
import type { ModelEntry } from './file-content.ts';
import { checkModelNames } from './model-names.ts';
import type { ModelsConfig } from './models-config.ts';
import { readProviders } from './providers.ts';
import type { modelSettings, ValuesOf } from './settings.ts';

/** Joins environment, file and built-in defaults; the first of them that says something holds. */
export function readModels(
  values: ValuesOf<typeof modelSettings>,
  file: ConfigFile,
  env: Environment,
  problems: string[],
): ModelsConfig {
  const { connect, firstByte, idle, total, maxAttempts } = values;
  const models: ModelsConfig = {
    providers: readProviders(values, file, env, problems),
    models: Object.entries(file.content.models ?? {}).map(([id, entry]) => modelOf(id, entry)),
    // Without a prototype, so that a name such as `constructor` finds nothing.
    aliases: Object.assign(Object.create(null), file.content.aliases),
    defaultModel: values.defaultModel ?? file.content.default_model ?? null,
    timeLimits: { connect, firstByte, idle, total },
    maxAttempts,
  };
  // What a broken file would have defined cannot be told from what is not there.
  if (!file.broken) checkModelNames(models, !values.defaultModel, file, problems);
  return models;
}

function modelOf(id: string, entry: ModelEntry): ModelSettings {
  return {
    id,
    provider: entry.provider,
    model: entry.model ?? id,
    temperature: entry.temperature ?? null,
    fallbacks: entry.fallbacks ?? [],
  };
}
