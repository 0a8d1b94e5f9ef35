import type { KeyObject } from 'node:crypto';
import { ConfigError } from '../../lib/config-error.ts';
import type { Signals } from '../../lib/signals.ts';
import type { ModelGateway } from '../../model/port.ts';
import type { Store } from '../../store/store.ts';
import type { Metering } from '../../tenants/metering/open-metering.ts';
import type { FeatureService } from '../features/service.ts';
import { builtInAgents } from './built-in.ts';
import { RunStore } from './run-store.ts';
import { Runs, type RunsPace } from './runs.ts';
import { type AgentService, createAgentService, type Equipment } from './service.ts';
import { type AgentSettings, featureSource } from './settings.ts';
import { Toolbox } from './toolbox.ts';
import { buildApp, type StartBuild } from './tools/build-app.ts';
import { calculator } from './tools/calculator.ts';
import { currentTime } from './tools/current-time.ts';
import { featureSource as featureTools } from './tools/features.ts';
import { fetchUrl } from './tools/fetch-url.ts';
import { mcpSource, type ToolsChange } from './tools/mcp.ts';
import { keptInStore } from './tools/mcp-kept.ts';
import { McpAuthorization } from './tools/mcp-oauth.ts';

export interface AgentOptions {
  readonly store: Store;
  readonly metering: Pick<Metering, 'admissions' | 'instanceId'>;
  readonly models: ModelGateway;
  /** Those that agents can call. */
  readonly features: FeatureService;
  readonly startBuild: StartBuild;
  readonly settings: AgentSettings;
  /** Is told of faults that no client is told of. */
  readonly onFault: (error: unknown, what: string) => void;
  /** What other processes are told by; left out: they look by themselves. */
  readonly signals?: Signals;
  /** Derives the key that authorizations of MCP servers are kept with; left out: they end with the process. */
  readonly keyFor?: (purpose: string) => KeyObject;
  /** What differs for tests. */
  readonly pace?: RunsPace;
}

/** Opens the agents, and closes the runs that a crash left open. Throws `ConfigError` for a tool that does not exist. */
export async function openAgents(options: AgentOptions): Promise<AgentService> {
  const { store, models, settings, onFault } = options;
  const { instanceId, admissions } = options.metering;
  const watchers = new Set<(change: ToolsChange) => void>();
  const tell = (change: ToolsChange) => {
    for (const watcher of watchers) watcher(change);
  };
  const equipment = equip(options, tell, settings);
  const runs = new Runs(new RunStore(store, instanceId), onFault, options.pace, options.signals);
  await runs.sweep();
  return createAgentService({
    equipment,
    equip: (next) => equip(options, tell, next),
    watchers,
    models,
    admissions,
    runs,
    onFault,
  });
}

/** The agents and their tools, of which none connects to anything yet. Throws `ConfigError` for a tool that does not exist. */
function equip(
  { store, features, startBuild, onFault, keyFor }: AgentOptions,
  onChange: (change: ToolsChange) => void,
  { agents: own, fetchUrl: fetching, mcpServers, mcpAccess = [] }: AgentSettings,
): Equipment {
  const tools = [calculator, currentTime(() => store.clock.now()), fetchUrl(fetching), buildApp(startBuild)];
  // What a client gets by its own credentials each process gets for itself.
  const kept = {
    authorization_code: keyFor && keptInStore(store, keyFor('authorizations of MCP servers')),
    client_credentials: undefined,
  };
  const servers = mcpServers.map((server) =>
    mcpSource(server, (error, id) => onFault(error, `the MCP server ${id}`), {
      authorization: server.oauth ? new McpAuthorization(server, kept[server.oauth.grant]) : null,
      onChange,
    }),
  );
  const toolbox = new Toolbox(tools, [featureTools(featureSource, features)], servers);
  const all = [...builtInAgents, ...own];
  const problems = all.flatMap((agent) =>
    agent.tools.flatMap((reference) => {
      const problem = toolbox.problem(reference);
      return problem ? [`The agent "${agent.id}" has the unknown tool "${reference}"; ${problem}`] : [];
    }),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return { all: new Map(all.map((agent) => [agent.id, agent])), own, toolbox, access: mcpAccess };
}
