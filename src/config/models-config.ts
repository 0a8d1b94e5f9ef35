import type { ModelsSettings, ProviderSettings } from '../gateway/upstream/settings.ts';
import { Secret } from '../lib/redact.ts';

/** `ProviderSettings` whose key does not show when they are logged. */
export interface ProviderConfig extends Omit<ProviderSettings, 'apiKey'> {
  readonly apiKey: Secret | null;
}

/** `ModelsSettings` that can be logged. */
export interface ModelsConfig extends Omit<ModelsSettings, 'providers' | 'proxy'> {
  readonly providers: readonly ProviderConfig[];
  readonly proxy?: { readonly http: Secret | null; readonly https: Secret | null; readonly except: string };
}

/** The settings of the models, with the keys in clear: not to be logged. */
export function modelsSettings({ models }: { readonly models: ModelsConfig }): ModelsSettings {
  return deepFreeze(revealed(models));
}

type Revealed<T> = T extends Secret
  ? string
  : T extends object
    ? { readonly [Name in keyof T]: Revealed<T[Name]> }
    : T;

/** A copy of plain data with its secrets in clear. */
export function revealed<T>(value: T): Revealed<T> {
  const copy = (part: unknown): unknown => {
    if (part instanceof Secret) return part.reveal();
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(copy);
    const entries = Object.entries(part).map(([name, held]) => [name, copy(held)]);
    // A map of names may have no prototype.
    return Object.setPrototypeOf(Object.fromEntries(entries), Object.getPrototypeOf(part));
  };
  return copy(value) as Revealed<T>;
}

/** Freezes plain data and everything in it, and gives it back. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
