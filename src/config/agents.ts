import { type Agent, agentDefaults } from '../agents/agent.ts';
import { type AgentSettings, featureSource, type McpServerSettings, plainTools } from '../agents/settings.ts';
import { deepFreeze } from '../lib/deep-freeze.ts';
import { nearest } from '../lib/nearest.ts';
import { Secret } from '../lib/secret.ts';
import { type Environment, variable } from './environment.ts';
import type { ConfigFile } from './file.ts';
import type { AgentEntry, McpServerEntry } from './file-schema.ts';
import { wrongModelName } from './model-names.ts';
import type { ModelsConfig } from './models-config.ts';

/** `McpServerSettings` whose headers do not show when they are logged. */
interface McpServerConfig extends Omit<McpServerSettings, 'headers'> {
  readonly headers: Readonly<Record<string, Secret>>;
}

/** `AgentSettings` that can be logged. */
export interface AgentsConfig extends Omit<AgentSettings, 'mcpServers'> {
  readonly mcpServers: readonly McpServerConfig[];
}

/** What the agents are made of, with secrets in clear: not to be logged. */
export function agentSettings({ agents }: { readonly agents: AgentsConfig }): AgentSettings {
  const mcpServers = agents.mcpServers.map((server) => ({
    ...server,
    headers: Object.fromEntries(
      Object.entries(server.headers).map(([name, value]) => [name, value.reveal()]),
    ),
  }));
  return deepFreeze({ ...agents, mcpServers });
}

/** What the file says about agents and their tools. */
export async function readAgents(
  file: ConfigFile,
  env: Environment,
  models: ModelsConfig,
  problems: string[],
): Promise<AgentsConfig> {
  const { agents = {}, fetch_url, mcp_servers = {} } = file.content;
  const sources = [featureSource, ...Object.keys(mcp_servers)];
  for (const [id, entry] of Object.entries(agents)) {
    for (const [index, reference] of (entry.tools ?? []).entries()) {
      const wrong = wrongTool(reference, sources);
      if (wrong) problems.push(file.problem(['agents', id, 'tools', String(index)], wrong));
    }
    const lost = entry.model === undefined ? null : wrongModelName(models, entry.model);
    if (lost) problems.push(file.problem(['agents', id, 'model'], lost));
    const broken = entry.input_schema && (await wrongSchema(entry.input_schema));
    if (broken) problems.push(file.problem(['agents', id, 'input_schema'], broken));
  }
  return {
    agents: Object.entries(agents).map(([id, entry]) => agentOf(id, entry)),
    fetchUrl: fetch_url
      ? { allow: fetch_url.allow, privateNetworks: fetch_url.private_networks ?? [] }
      : null,
    mcpServers: Object.entries(mcp_servers).map(([id, entry]) => serverOf(id, entry, file, env, problems)),
  };
}

function agentOf(id: string, entry: AgentEntry): Agent {
  return {
    id,
    name: entry.name ?? id,
    description: entry.description ?? '',
    model: entry.model ?? null,
    instructions: entry.instructions,
    tools: entry.tools ?? [],
    maxSteps: entry.max_steps ?? agentDefaults.maxSteps,
    maxTokens: entry.max_tokens ?? agentDefaults.maxTokens,
    maxSeconds: entry.max_seconds ?? agentDefaults.maxSeconds,
    inputSchema: entry.input_schema ?? null,
  };
}

function serverOf(
  id: string,
  entry: McpServerEntry,
  file: ConfigFile,
  env: Environment,
  problems: string[],
): McpServerConfig {
  const headers = Object.entries(entry.headers ?? {}).map(([name, text]): [string, Secret] => {
    const value = text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, held: string) => {
      const found = variable(env, held);
      if (found === null) {
        const wrong = `the environment variable ${held} is not set; expected the value of a header.`;
        problems.push(file.problem(['mcp_servers', id, 'headers', name], wrong));
      }
      return found ?? '';
    });
    return [name, new Secret(value)];
  });
  return {
    id,
    url: entry.url,
    headers: Object.fromEntries(headers),
    tools: entry.tools ?? null,
    timeoutMs: entry.timeout_ms ?? 15_000,
  };
}

function wrongTool(reference: string, sources: readonly string[]): string | null {
  const [source = '', name] = reference.split('/', 2);
  const known =
    name === undefined ? plainTools.includes(reference as never) : name !== '' && sources.includes(source);
  if (known) return null;
  const all = [...plainTools, ...sources.map((id) => `${id}/*`)];
  const meant = nearest(reference, all);
  return `there is no tool of this name; ${meant ? `did you mean \`${meant}\`?` : `expected one of ${all.join(', ')}.`}`;
}

async function wrongSchema(schema: object): Promise<string | null> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  try {
    new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(structuredClone(schema));
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be compiled';
    return `this is no JSON Schema that can be used: ${why}; expected one of an object.`;
  }
}
