import type { Model, ModelList, Warning } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { shorten } from '../../lib/static-text.ts';
import type { TemperatureRange } from '../../model/port.ts';
import { sandboxId } from '../../model/usage.ts';
import { isSandboxModel, sandboxNames } from '../sandbox/models.ts';
import type { ModelSettings, ModelsSettings } from '../upstream/settings.ts';
import type { Substitution } from './builtin.ts';
import type { DiscoveredModels } from './discovery/discovered-models.ts';
import { type ModelNames, modelNames } from './model-names.ts';

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
  /**
   * The canonical name, the same for all names of a model: `provider/model` of the first target, with the provider's own
   * name. Where the sandbox replaces a model it is the requested name, without aliases. Null: no provider serves the name.
   */
  canonicalOf(name: string): string | null;
  /** The list of `GET /v1/models`. */
  list(discovered?: readonly DiscoveredModels[]): ModelList;
  /** One model of that list, or one that is only routed by a pattern. Throws `model_not_found`. */
  find(name: string): Model;
}

/** Maximum length of a list of names in an error message. */
const namesShown = 40;

/**
 * Throws `Error` with a message for the operator when the settings contradict themselves.
 * @param current what providers list at the moment
 */
export function createCatalogue(
  settings: ModelsSettings,
  current: () => readonly DiscoveredModels[] = () => [],
): Catalogue {
  const names = modelNames(settings);
  const { aliases, models, substitutions } = names;
  const sandboxOnly = settings.providers.length === 0;
  const find = sandboxOnly ? inSandbox : finderAmong(names);
  const meaningOf = (name: string): Meaning => {
    const end = aliases.get(name) ?? name;
    const substitution = substitutions.get(end) ?? null;
    return { model: substitution ? successorAmong(names, substitution) : find(end), substitution };
  };
  const defaultModel = settings.defaultModel ?? firstModel(settings, names) ?? sandboxId;
  checkNames(names, defaultModel, find);

  const canonicalOf = (name: string): string | null => {
    const { model } = meaningOf(name);
    if (!model) return null;
    return model.provider === sandboxId ? model.id : keyOf(model);
  };

  // The routes of known names are made once, and so is what they have in common.
  const routes = new Map<string, Route>();
  const canonical = new Map<string, string | null>();
  const resolve = (name: string): Route | null => {
    const { model, substitution } = meaningOf(name);
    if (!model) return null;
    const route = routeOf(model, (fallback) => meaningOf(fallback).model);
    if (sandboxOnly) return withSandboxWarning(route, name);
    return substitution ? { ...route, warnings: [substituted(substitution)] } : route;
  };
  for (const name of [...models.keys(), ...substitutions.keys(), ...aliases.keys()]) {
    const route = resolve(name);
    if (route) routes.set(name, route);
    canonical.set(name, canonicalOf(name));
  }

  const startedAt = new Date();
  const shown = (id: string) => {
    const alias = aliases.get(id);
    return listed(id, alias ?? null, meaningOf(id), startedAt);
  };

  /** The name by which clients ask for a model that a provider lists: its own, if that leads there. */
  const nameFor = (provider: string, name: string) => {
    const { model, substitution } = meaningOf(name);
    const leadsThere = model?.provider === provider && model.model === name && substitution === null;
    return leadsThere ? model.id : `${provider}/${name}`;
  };

  const namesFound = (discovered: readonly DiscoveredModels[]) =>
    discovered.flatMap(({ provider, names }) => names.map((name) => nameFor(provider, name)));

  return {
    defaultModel,
    find(name) {
      if (!resolve(name)) throw notFound(name, names, namesFound(current()));
      return shown(name);
    },
    resolve(name) {
      const route = routes.get(name) ?? resolve(name);
      if (!route) throw notFound(name, names, namesFound(current()));
      return route;
    },
    canonicalOf: (name) => canonical.get(name) ?? canonicalOf(name),
    list: (discovered = []) => {
      const known = [...models.keys(), ...sandboxNames, ...substitutions.keys(), ...aliases.keys()];
      const data = [...new Set([...known, ...namesFound(discovered)])].map(shown);
      return {
        object: 'list',
        data,
        has_more: false,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        routes: sandboxOnly
          ? [{ pattern: '*', provider: sandboxId }]
          : [
              ...[...names.providers].map((id) => ({ pattern: `${id}/*`, provider: id })),
              ...names.patterns.map(({ pattern, provider }) => ({ pattern, provider })),
            ],
        default_model: defaultModel,
      };
    },
  };
}

/** The model of a name once aliases are followed, or its successor where its vendor has withdrawn it. */
interface Meaning {
  /** Null: nothing. */
  readonly model: ModelSettings | null;
  readonly substitution: Substitution | null;
}

/** Finds the model of a name itself; null: none. */
type Find = (name: string) => ModelSettings | null;

/** Without providers the sandbox answers to every name but those that look like its own. */
function inSandbox(name: string): ModelSettings | null {
  if (isSandboxModel(name)) return plainModel(name, sandboxId, name);
  return name.startsWith(`${sandboxId}/`) ? null : plainModel(name, sandboxId, sandboxId);
}

/**
 * Known names first, then `provider/model`, then the first pattern that fits. `provider/model` has what the settings say of that model,
 * but for the fallbacks: who names the provider wants no other.
 */
function finderAmong({ providers, models, patterns }: ModelNames): Find {
  const byVendorName = new Map([...models.values()].map((model) => [keyOf(model), pinned(model)]));
  return (name) => {
    const known = models.get(name) ?? byVendorName.get(name);
    if (known) return known;
    const slash = name.indexOf('/');
    const prefix = name.slice(0, Math.max(0, slash));
    if (prefix === sandboxId || name === sandboxId) return inSandbox(name);
    if (providers.has(prefix) && slash < name.length - 1)
      return plainModel(name, prefix, name.slice(slash + 1));
    const pattern = patterns.find(({ matches }) => matches(name));
    return pattern ? plainModel(name, pattern.provider, name) : null;
  };
}

/** With its fallbacks, as the client has named no provider. */
function successorAmong({ models }: ModelNames, { provider, sentAs }: Substitution): ModelSettings {
  const name = `${provider}/${sentAs}`;
  return (
    [...models.values()].findLast((model) => keyOf(model) === name) ?? plainModel(name, provider, sentAs)
  );
}

function firstModel(settings: ModelsSettings, { models }: ModelNames): string | undefined {
  const first = settings.providers[0]?.id;
  return [...models.values()].find(({ provider }) => provider === first)?.id;
}

/** Names that lead nowhere fail at the start and not when they are needed. */
function checkNames({ models, aliases }: ModelNames, defaultModel: string, find: Find): void {
  for (const { id, fallbacks } of models.values()) {
    const lost = fallbacks.find((name) => !find(aliases.get(name) ?? name));
    if (lost !== undefined) throw new Error(`The model "${id}" falls back to "${lost}", which is unknown.`);
  }
  for (const [alias, name] of aliases) {
    if (!find(name)) throw new Error(`The alias "${alias}" stands for "${name}", which is unknown.`);
  }
  if (!find(aliases.get(defaultModel) ?? defaultModel))
    throw new Error(`The default model "${defaultModel}" is unknown.`);
}

function routeOf(model: ModelSettings, find: Find): Route {
  if (model.fallbacks.length === 0) return { targets: [targetOf(model)], warnings: [] };
  const others = new Map<string, Target>();
  for (const name of model.fallbacks) {
    const other = find(name);
    if (other && keyOf(other) !== keyOf(model)) others.set(keyOf(other), targetOf(other));
  }
  return { targets: [targetOf(model), ...others.values()], warnings: [] };
}

function notFound(
  name: string,
  { models, aliases, patterns }: ModelNames,
  found: readonly string[],
): ServiceError {
  const known = name.startsWith(`${sandboxId}/`)
    ? sandboxNames
    : [...new Set([...models.keys(), ...aliases.keys(), ...found, ...sandboxNames])];
  const shown = known.slice(0, namesShown).join(', ');
  const more = known.length > namesShown ? ` and ${known.length - namesShown} more (see GET /v1/models)` : '';
  const routed = patterns.map(({ pattern }) => pattern).join(', ');
  const also = routed ? ` Names like ${routed} are routed too.` : '';
  const message = `There is no model ${JSON.stringify(shorten(name, 100))}. Known are ${shown}${more}.${also}`;
  return new ServiceError('model_not_found', shorten(message, 4000), { param: 'model' });
}

function substituted({ name, provider, sentAs, since }: Substitution): Warning {
  const message = `${provider} withdrew ${name} on ${since}; ${sentAs} answered, which it names as the successor.`;
  return { code: 'model_substituted', message, param: 'model' };
}

function withSandboxWarning(route: Route, name: string): Route {
  if (name === sandboxId || name.startsWith(`${sandboxId}/`)) return route;
  const message = `No model provider is configured, so the sandbox answered in place of ${shorten(name, 100)}.`;
  return { ...route, warnings: [{ code: 'sandbox_answered', message, param: 'model' }] };
}

function listed(id: string, aliasOf: string | null, { model, substitution }: Meaning, since: Date): Model {
  const { provider, model: sentAs, fallbacks } = model ?? plainModel(id, sandboxId, sandboxId);
  const { since: withdrawn, source } = substitution ?? {};
  return {
    id,
    object: 'model',
    created: Math.floor(since.getTime() / 1000),
    owned_by: provider,
    type: 'model',
    display_name: id,
    created_at: since.toISOString(),
    lifecycle: 'active',
    provider,
    alias_of: aliasOf,
    sent_as: sentAs,
    fallbacks: [...fallbacks],
    ...(withdrawn && source && { substitution: { reason: 'retired', since: withdrawn, source } }),
  };
}

function plainModel(id: string, provider: string, model: string): ModelSettings {
  return { id, provider, model, temperature: null, fallbacks: [] };
}

function pinned(model: ModelSettings): ModelSettings {
  return { ...model, fallbacks: [] };
}

function targetOf({ provider, model, temperature }: ModelSettings): Target {
  return { provider, model, temperatureRange: temperature };
}

function keyOf({ provider, model }: ModelSettings): string {
  return `${provider}/${model}`;
}
