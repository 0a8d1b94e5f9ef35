import type { ModelList, Warning } from '../../generated/types.gen.ts';
import { ServiceError } from '../contract/errors.ts';
import { shorten } from '../lib/shorten.ts';
import { builtinAliasesOf, builtinModels } from './builtin.ts';
import type { TemperatureRange } from './port.ts';
import { isSandboxModel, sandboxId, sandboxNames } from './sandbox/models.ts';
import type { ModelSettings, ModelsSettings } from './settings.ts';

/** A model at a provider. */
export interface Target {
  readonly provider: string;
  /** The provider's own name of it. */
  readonly model: string;
  readonly temperatureRange: TemperatureRange | null;
}

/** Where a name leads: the model itself and those that are tried after it, never the same twice. */
export interface Route {
  readonly targets: readonly [Target, ...Target[]];
  readonly warnings: readonly Warning[];
}

export interface Catalogue {
  readonly defaultModel: string;
  /** Throws `model_not_found`, which lists what there is. The time it takes does not depend on how many there are. */
  resolve(name: string): Route;
  list(): ModelList;
}

/** Longest list of names in an error message. */
const namesShown = 40;

/** Throws `Error` with a message for the operator when the settings contradict themselves. */
export function createCatalogue(settings: ModelsSettings): Catalogue {
  const providers = new Set([...settings.providers.map(({ id }) => id), sandboxId]);
  if (providers.size !== settings.providers.length + 1)
    throw new Error(`The ids of model providers must differ, and "${sandboxId}" is taken.`);
  const sandboxOnly = settings.providers.length === 0;
  const models = knownModels(settings);
  const aliases = knownAliases(settings, models);
  const patterns = settings.providers.flatMap(({ id, patterns }) =>
    patterns.map((pattern) => ({ pattern, provider: id, matches: patternMatcher(pattern) })),
  );
  const defaultModel =
    settings.defaultModel ??
    [...models.values()].find(({ provider }) => provider === settings.providers[0]?.id)?.id ??
    'sandbox';

  const byVendorName = new Map(
    [...models.values()].map((model) => [`${model.provider}/${model.model}`, model]),
  );

  /** What a name means when it is no alias; null: nothing. */
  function find(name: string): ModelSettings | null {
    if (isSandboxModel(name)) return plainModel(name, sandboxId, name);
    if (sandboxOnly) return name.startsWith(`${sandboxId}/`) ? null : plainModel(name, sandboxId, 'sandbox');
    const known = models.get(name) ?? byVendorName.get(name);
    if (known) return known;
    const slash = name.indexOf('/');
    const prefix = name.slice(0, Math.max(0, slash));
    if (prefix === sandboxId) return null;
    if (slash < name.length - 1 && providers.has(prefix))
      return plainModel(name, prefix, name.slice(slash + 1));
    const provider = patterns.find(({ matches }) => matches(name))?.provider;
    return provider === undefined ? null : plainModel(name, provider, name);
  }

  function route(model: ModelSettings): Route {
    const [first, ...others] = [model, ...model.fallbacks.map((name) => find(aliases.get(name) ?? name))];
    const targets = new Map<string, Target>();
    for (const other of others) {
      if (other && keyOf(other) !== keyOf(first)) targets.set(keyOf(other), targetOf(other));
    }
    return { targets: [targetOf(first), ...targets.values()], warnings: [] };
  }

  // Known names are resolved once; what has a fallback that leads nowhere shows now, not at the first failure.
  const routes = new Map<string, Route>();
  for (const model of models.values()) {
    const lost = model.fallbacks.find((name) => !find(aliases.get(name) ?? name));
    if (lost !== undefined)
      throw new Error(`The model "${model.id}" falls back to "${lost}", which is unknown.`);
    if (!sandboxOnly) routes.set(model.id, route(model));
  }
  for (const [alias, name] of aliases) {
    const model = find(name);
    if (!model) throw new Error(`The alias "${alias}" stands for "${name}", which is unknown.`);
    if (!sandboxOnly || isSandboxModel(model.model)) routes.set(alias, route(model));
  }
  if (!aliases.has(defaultModel) && !find(defaultModel))
    throw new Error(`The default model "${defaultModel}" is unknown.`);

  function notFound(name: string): ServiceError {
    const known = name.startsWith(`${sandboxId}/`)
      ? sandboxNames
      : [...models.keys(), ...aliases.keys(), ...sandboxNames];
    const more =
      known.length > namesShown ? ` and ${known.length - namesShown} more (see GET /v1/models)` : '';
    const routed =
      patterns.length > 0
        ? ` Names like ${patterns.map(({ pattern }) => pattern).join(', ')} are routed too.`
        : '';
    const message = `There is no model ${JSON.stringify(shorten(name, 100))}. Known are ${known.slice(0, namesShown).join(', ')}${more}.${routed}`;
    return new ServiceError('model_not_found', shorten(message, 4000), { param: 'model' });
  }

  return {
    defaultModel,
    resolve(name) {
      const known = routes.get(name);
      if (known) return sandboxOnly ? withSandboxWarning(known, name) : known;
      const model = find(name);
      if (!model) throw notFound(name);
      return sandboxOnly ? withSandboxWarning(route(model), name) : route(model);
    },
    list() {
      const known = [...models.values(), ...sandboxNames.map((name) => plainModel(name, sandboxId, name))];
      const provider = (id: string) => (sandboxOnly ? sandboxId : id);
      return {
        object: 'list',
        data: [
          ...known.map(({ id, provider: by, fallbacks }) => ({
            id,
            object: 'model' as const,
            provider: provider(by),
            alias_of: null,
            fallbacks: [...fallbacks],
          })),
          ...[...aliases].map(([id, name]) => {
            const model = find(name);
            return {
              id,
              object: 'model' as const,
              provider: model?.provider ?? sandboxId,
              alias_of: name,
              fallbacks: [...(model?.fallbacks ?? [])],
            };
          }),
        ],
        routes: sandboxOnly
          ? [{ pattern: '*', provider: sandboxId }]
          : [
              ...[...providers].map((id) => ({ pattern: `${id}/*`, provider: id })),
              ...patterns.map(({ pattern, provider }) => ({ pattern, provider })),
            ],
        default_model: defaultModel,
      };
    },
  };
}

/** The operator's models, then the well-known ones of the configured vendors. */
function knownModels(settings: ModelsSettings): ReadonlyMap<string, ModelSettings> {
  const known = new Map(settings.models.map((model) => [model.id, model]));
  if (known.size !== settings.models.length) throw new Error('Two models have the same id.');
  const providers = new Set([...settings.providers.map(({ id }) => id), sandboxId]);
  for (const { id, provider } of settings.models) {
    if (settings.providers.length > 0 && !providers.has(provider))
      throw new Error(`The model "${id}" names the provider "${provider}", which is not configured.`);
  }
  for (const { id } of settings.providers) {
    for (const model of builtinModels(id)) if (!known.has(model.id)) known.set(model.id, model);
  }
  return known;
}

/** Each alias with the name at the end of its chain. */
function knownAliases(
  settings: ModelsSettings,
  models: ReadonlyMap<string, ModelSettings>,
): ReadonlyMap<string, string> {
  const steps = new Map(Object.entries(settings.aliases));
  for (const { id } of settings.providers) {
    for (const [alias, name] of builtinAliasesOf(id)) {
      if (!steps.has(alias) && !models.has(alias)) steps.set(alias, name);
    }
  }
  const ends = new Map<string, string>();
  for (const alias of steps.keys()) {
    const seen = new Set<string>();
    let name = alias;
    for (let next = steps.get(name); next !== undefined; next = steps.get(name)) {
      if (seen.has(name)) throw new Error(`The aliases go in a circle: ${[...seen, name].join(' → ')}.`);
      seen.add(name);
      name = next;
    }
    ends.set(alias, name);
  }
  return ends;
}

function plainModel(id: string, provider: string, model: string): ModelSettings {
  return { id, provider, model, temperature: null, fallbacks: [] };
}

function targetOf({ provider, model, temperature }: ModelSettings): Target {
  return { provider, model, temperatureRange: temperature };
}

function keyOf({ provider, model }: ModelSettings): string {
  return `${provider}/${model}`;
}

/** `*` stands for any text. */
function patternMatcher(pattern: string): (name: string) => boolean {
  const literals = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}/]/g, '\\$&'));
  const expression = new RegExp(`^${literals.join('.*')}$`, 's');
  return (name) => expression.test(name);
}

function withSandboxWarning(route: Route, name: string): Route {
  if (name === sandboxId || name.startsWith(`${sandboxId}/`)) return route;
  const message = `No model provider is configured, so the sandbox answered in place of ${shorten(name, 100)}.`;
  return { ...route, warnings: [{ code: 'sandbox_answered', message, param: 'model' }] };
}
