import type { ConfigFile } from './file.ts';
import { wrongModelName } from './model-names.ts';
import type { ModelsConfig } from './models-config.ts';
import { builderSettings, type ValuesOf } from './settings.ts';

/** Who builds apps, and what a model may take for one. */
export interface BuilderConfig {
  /** Null: rules and templates alone. */
  readonly model: string | null;
  readonly limits: Omit<ValuesOf<typeof builderSettings>, 'model'>;
}

/** Reports a model that leads nowhere, unless a broken file may have defined it. */
export function builderOf(
  { model, ...limits }: ValuesOf<typeof builderSettings>,
  models: ModelsConfig,
  file: ConfigFile,
  problems: string[],
): BuilderConfig {
  const wrong = model && !file.broken ? wrongModelName(models, model) : null;
  if (wrong) problems.push(`${builderSettings.model.name}: ${wrong}`);
  return { model, limits };
}
