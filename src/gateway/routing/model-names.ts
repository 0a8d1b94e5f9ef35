import { sandboxId } from '../../model/usage.ts';
import type { ModelSettings, ModelsSettings } from '../upstream/settings.ts';
import { builtinModels, type Substitution, substitutions } from './builtin.ts';

/** A pattern of names and whose they are. */
export interface NamePattern {
  /** `*` stands for any text. */
  readonly pattern: string;
  readonly provider: string;
  matches(name: string): boolean;
}

/** The names in the settings, and the well-known ones of the configured vendors. */
export interface ModelNames {
  /** The ids of all providers, the sandbox last. */
  readonly providers: ReadonlySet<string>;
  /** By id, the operator's before the well-known ones. */
  readonly models: ReadonlyMap<string, ModelSettings>;
  /** Each alias of the operator with the name at the end of its chain. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The names that a vendor has withdrawn, but for those that the operator has given a meaning. */
  readonly substitutions: ReadonlyMap<string, Substitution>;
  readonly patterns: readonly NamePattern[];
}

/** Throws `Error` with a message for the operator when the settings contradict themselves. */
export function modelNames(settings: ModelsSettings): ModelNames {
  const providers = new Set([...settings.providers.map(({ id }) => id), sandboxId]);
  if (providers.size !== settings.providers.length + 1)
    throw new Error(`The ids of model providers must differ, and "${sandboxId}" is taken.`);
  const models = modelsIn(settings, providers);
  const patterns = settings.providers.flatMap(({ id, patterns }) =>
    patterns.map((pattern) => ({ pattern, provider: id, matches: matcherOf(pattern) })),
  );
  const aliases = aliasesIn(settings);
  const substituted = substitutions.filter(
    ({ name, provider }) => providers.has(provider) && !models.has(name) && !aliases.has(name),
  );
  return {
    providers,
    models,
    aliases,
    substitutions: new Map(substituted.map((substitution) => [substitution.name, substitution])),
    patterns,
  };
}

function modelsIn(
  settings: ModelsSettings,
  providers: ReadonlySet<string>,
): ReadonlyMap<string, ModelSettings> {
  const models = new Map(settings.models.map((model) => [model.id, model]));
  if (models.size !== settings.models.length) throw new Error('Two models have the same id.');
  for (const { id, provider } of settings.models) {
    // Without any provider the sandbox replaces all of them.
    if (settings.providers.length > 0 && !providers.has(provider))
      throw new Error(`The model "${id}" names the provider "${provider}", which is not configured.`);
  }
  for (const { id } of settings.providers) {
    for (const model of builtinModels(id)) if (!models.has(model.id)) models.set(model.id, model);
  }
  return models;
}

function aliasesIn(settings: ModelsSettings): ReadonlyMap<string, string> {
  const steps = new Map(Object.entries(settings.aliases));
  return new Map([...steps.keys()].map((alias) => [alias, endOf(alias, steps)]));
}

function endOf(alias: string, steps: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let name = alias;
  for (let next = steps.get(name); next !== undefined; next = steps.get(name)) {
    if (seen.has(name)) throw new Error(`The aliases go in a circle: ${[...seen, name].join(' → ')}.`);
    seen.add(name);
    name = next;
  }
  return name;
}

function matcherOf(pattern: string): (name: string) => boolean {
  const literals = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}/]/g, '\\$&'));
  const expression = new RegExp(`^${literals.join('.*')}$`, 's');
  return (name) => expression.test(name);
}
