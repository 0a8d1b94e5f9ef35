import { agentSettings } from '../config/agents.ts';
import type { Config } from '../config/config.ts';
import { modelsSettings } from '../config/models-config.ts';
import { Reloads } from '../config/reloads.ts';
import type { SwappableGateway } from '../gateway/routing/swappable-gateway.ts';
import { ConfigError } from '../lib/config-error.ts';
import type { ConfigControl } from '../lib/loaded-config.ts';
import type { PriceBook } from '../model/usage.ts';
import type { Logger } from '../observe/log.ts';
import type { AgentService } from '../services/agents/service.ts';
import { createCatalogue } from '../services/features/catalogue.ts';
import type { FeatureService } from '../services/features/service.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from '../tenants/accounts/open-accounts.ts';
import { keepPrices } from '../tenants/metering/price-book.ts';

interface ReloadedParts {
  readonly config: Config;
  readonly read: () => Promise<Config>;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly models: SwappableGateway;
  readonly features: FeatureService;
  readonly agents: AgentService;
  /** Has requests priced by another book from now on. */
  readonly setPrices: (book: PriceBook) => void;
  readonly log: Logger;
  /** Called with who asked for the reload. */
  readonly onReloaded: (actor: string) => void;
}

/** Exchanges providers, models, prices, plans, features and agents of the running server for those in the files now. */
export function openReloads(parts: ReloadedParts): ConfigControl {
  const { config, store, accounts, models, features, agents, log } = parts;
  const reloads = new Reloads({
    config,
    file: config.file,
    read: parts.read,
    pseudonym: (text) => accounts.pseudonym(`config\0${text}`),
    now: () => store.clock.now(),
    async apply(next, changes, actor) {
      // All that can fail comes first.
      const changed = new Set(changes.map(({ section }) => section));
      const swapModels = models.prepare(modelsSettings(next));
      const catalogue = changed.has('features') ? await createCatalogue(next.features) : null;
      // Otherwise their connections stay open.
      const ofAgents = ['agents', 'mcp_servers', 'mcp_access', 'fetch_url'].some((section) =>
        changed.has(section),
      );
      const swapAgents = ofAgents ? agents.prepare(agentSettings(next)) : null;
      await keepPrices(store, next.prices);
      const act = { actor, action: 'config.reload', target: 'config', tenantId: null, before: null };
      await accounts.changes.perform(async () => ({ result: null, act: { ...act, after: { changes } } }));
      swapModels();
      if (catalogue) features.exchange(catalogue);
      swapAgents?.();
      parts.setPrices(next.prices);
      accounts.changePlans(next.plans);
    },
  });
  return {
    current: () => reloads.current(),
    async reload(actor) {
      try {
        const changes = await reloads.reload(actor);
        parts.onReloaded(actor);
        const { needsRestart } = reloads.current();
        log.info({ actor, changes, needsRestart }, 'reloaded the configuration');
        return changes;
      } catch (thrown) {
        const problems = thrown instanceof ConfigError ? { problems: thrown.problems } : { err: thrown };
        log.error({ actor, ...problems }, 'did not reload the configuration; the old one stays');
        throw thrown;
      }
    },
  };
}
