import type { ProviderSettings } from '../../upstream/settings.ts';
import { type ListModels, listModels } from './list-models.ts';

/** The names that a provider lists, as its vendor has them. */
export interface DiscoveredModels {
  readonly provider: string;
  readonly names: readonly string[];
}

/** How long a list holds, how long a failure does, and how long a vendor may take, in milliseconds. */
const freshMs = 600_000;
const failedMs = 60_000;
const timeoutMs = 5_000;

const usableName = /^[\x21-\x7e]{1,256}$/;

interface Known {
  names: readonly string[];
  /** By the monotonic clock; not asked again before that. */
  freshUntil: number;
  asking: Promise<void> | null;
  askedOnce: boolean;
}

/** The models of the providers whose discovery the operator allows. A provider that fails keeps the list that it gave last. */
export class Discovery {
  readonly #known = new Map<ProviderSettings, Known>();
  readonly #list: ListModels;
  readonly #now: () => number;

  constructor(
    providers: readonly ProviderSettings[],
    list: ListModels = listModels,
    now: () => number = () => performance.now(),
  ) {
    this.#list = list;
    this.#now = now;
    for (const provider of providers)
      if (provider.discover)
        this.#known.set(provider, { names: [], freshUntil: 0, asking: null, askedOnce: false });
  }

  get current(): readonly DiscoveredModels[] {
    return [...this.#known].map(([{ id }, { names }]) => ({ provider: id, names }));
  }

  /** Asks for what is too old. Waits only for providers that have never been asked, about five seconds at most. Never rejects. */
  async refresh(): Promise<void> {
    const first: Promise<void>[] = [];
    for (const [provider, known] of this.#known) {
      if ((known.asking === null && this.#now() >= known.freshUntil) || !known.askedOnce) {
        known.asking ??= this.#ask(provider, known);
        if (!known.askedOnce) first.push(known.asking);
      }
    }
    await Promise.all(first);
  }

  async #ask(provider: ProviderSettings, known: Known): Promise<void> {
    try {
      const names = await this.#list(provider, timeoutMs);
      known.names = [...new Set(names)].filter((name) => usableName.test(name));
      known.freshUntil = this.#now() + freshMs;
    } catch {
      known.freshUntil = this.#now() + failedMs;
    } finally {
      known.askedOnce = true;
      known.asking = null;
    }
  }
}
