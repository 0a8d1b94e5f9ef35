import type { ModelsSettings, ProviderSettings } from '../gateway/upstream/settings.ts';
import type { Secret } from '../lib/redact.ts';

/** `ProviderSettings` whose key does not show when they are logged. */
export interface ProviderConfig extends Omit<ProviderSettings, 'apiKey'> {
  readonly apiKey: Secret | null;
}

/** `ModelsSettings` that can be logged. */
export interface ModelsConfig extends Omit<ModelsSettings, 'providers' | 'proxy'> {
  readonly providers: readonly ProviderConfig[];
  readonly proxy?: { readonly http: Secret | null; readonly https: Secret | null; readonly except: string };
}

/** What the models are made of, with the keys in clear: not to be logged. */
export function modelsSettings(config: { readonly models: ModelsConfig }): ModelsSettings {
  const providers = config.models.providers.map((provider) => ({
    ...provider,
    apiKey: provider.apiKey?.reveal() ?? null,
  }));
  const { proxy, ...models } = config.models;
  const revealed = proxy && {
    http: proxy.http?.reveal() ?? null,
    https: proxy.https?.reveal() ?? null,
    except: proxy.except,
  };
  return deepFreeze({ ...models, providers, ...(revealed && { proxy: revealed }) });
}

/** Freezes plain data and everything in it, and gives it back. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
