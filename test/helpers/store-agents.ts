import { createModelGateway } from '../../src/gateway/routing/gateway.ts';
import { type AgentOptions, openAgents } from '../../src/services/agents/open-agents.ts';
import type { RunKey } from '../../src/services/agents/run-store.ts';
import type { AgentService } from '../../src/services/agents/service.ts';
import { createCatalogue } from '../../src/services/features/catalogue.ts';
import { LocalThread } from '../../src/services/features/local/thread.ts';
import { FeatureService } from '../../src/services/features/service.ts';
import type { Caller } from '../../src/tenants/accounts/caller.ts';
import { agentOf } from './agents.ts';
import type { TestAccounts } from './store-accounts.ts';
import { settingsOf } from './vendor-gateway.ts';

/** Agents on these accounts, with the sandbox: `slow` speaks for about ten seconds. */
export async function openTestAgents(
  accounts: TestAccounts,
  onFault: AgentOptions['onFault'] = (error, what) => {
    throw new Error(`agents: ${what}`, { cause: error });
  },
  more: Partial<Pick<AgentOptions, 'pace' | 'signals'>> = {},
): Promise<AgentService> {
  const { store, admissions } = accounts;
  const models = createModelGateway(settingsOf([]));
  const catalogue = await createCatalogue([]);
  return openAgents({
    store,
    metering: accounts,
    models,
    features: new FeatureService({ catalogue, models, admissions, local: new LocalThread(), publicUrl: '' }),
    startBuild: () => Promise.reject(new Error('there is no factory')),
    settings: {
      agents: [agentOf({ id: 'slow', model: 'sandbox/slow', tools: [] }), agentOf({ id: 'quick' })],
      fetchUrl: null,
      mcpServers: [],
    },
    pace: { sweepMs: 50, pollMs: 20 },
    onFault,
    ...more,
  });
}

let started = 0;

/** Begins a run in the background, in the name of the tenant `acme`. */
export async function startRun(agents: AgentService, agentId: string): Promise<RunKey> {
  started += 1;
  const caller: Caller = {
    tenantId: 'acme',
    keyId: 'testkey00000',
    scopes: new Set(['agents']),
    plan: 'enterprise',
    limits: {
      requestsPerMinute: null,
      requestsPerDay: null,
      requestsPerMonth: null,
      tokensPerMinute: null,
      concurrentRequests: null,
    },
  };
  const { key } = await agents.start(
    agentId,
    { input: 'What is 1 + 1?', background: true },
    {
      caller,
      requestId: `req_${process.pid}_${started}`,
      operation: 'runAgent',
      tellLimits: () => undefined,
      signal: new AbortController().signal,
    },
  );
  return key;
}
