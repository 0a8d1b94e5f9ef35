import { agentOperations } from '../../generated/agents.gen.ts';
import { builtInFeatures } from '../../generated/features.gen.ts';
import { deepFreeze } from '../lib/deep-freeze.ts';
import { type JsonSchema, pathOf, SchemaError } from '../lib/json-schema.ts';
import { nearest } from '../lib/nearest.ts';
import { Secret } from '../lib/redact.ts';
import {
  type Agent,
  type AgentSettings,
  agentDefaults,
  featureSource,
  type McpAccessRule,
  type McpOAuthSettings,
  type McpServerSettings,
  plainTools,
} from '../services/agents/settings.ts';
import { type Environment, variable } from './environment.ts';
import type { AgentEntry, McpAccessEntry, McpOAuthEntry, McpServerEntry } from './file-content.ts';
import { wrongModelName } from './model-names.ts';
import type { ModelsConfig } from './models-config.ts';
import { readObjectSchema } from './object-schema.ts';
import type { ConfigFile, Path } from './parse-file.ts';

const builtIn: readonly string[] = Object.values(agentOperations);

/** `McpServerSettings` whose headers do not show when they are logged. */
interface McpServerConfig extends Omit<McpServerSettings, 'headers' | 'oauth'> {
  readonly headers: Readonly<Record<string, Secret>>;
  readonly oauth?: Omit<McpOAuthSettings, 'clientSecret'> & { readonly clientSecret: Secret | null };
}

/** `AgentSettings` that can be logged. */
export interface AgentsConfig extends Omit<AgentSettings, 'mcpServers'> {
  readonly mcpServers: readonly McpServerConfig[];
}

/** What the agents are made of, with secrets in clear: not to be logged. */
export function agentSettings({ agents }: { readonly agents: AgentsConfig }): AgentSettings {
  const mcpServers = agents.mcpServers.map(({ oauth, ...server }) => ({
    ...server,
    headers: Object.fromEntries(
      Object.entries(server.headers).map(([name, value]) => [name, value.reveal()]),
    ),
    ...(oauth && { oauth: { ...oauth, clientSecret: oauth.clientSecret?.reveal() ?? null } }),
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
  const { agents = {}, fetch_url, mcp_servers = {}, mcp_access = {} } = file.content;
  const sources = [featureSource, ...Object.keys(mcp_servers)];
  const features = [...builtInFeatures.map(({ id }) => id), ...Object.keys(file.content.features ?? {})];
  const own: Agent[] = [];
  for (const [id, entry] of Object.entries(agents)) {
    const report = (path: Path, text: string, part?: 'key') =>
      void problems.push(file.problem(['agents', id, ...path], text, part));
    if (builtIn.includes(id)) report([], 'an agent of this name is built in; expected another id.', 'key');
    for (const [index, reference] of (entry.tools ?? []).entries()) {
      const wrong = wrongTool(reference, sources, features);
      if (wrong) report(['tools', String(index)], wrong);
    }
    const lost = entry.model === undefined ? null : wrongModelName(models, entry.model);
    if (lost) report(['model'], lost);
    const inputSchema =
      entry.input_schema === undefined
        ? null
        : await inputSchemaOf(entry.input_schema, (path, text) => report(['input_schema', ...path], text));
    own.push({ ...agentOf(id, entry), inputSchema });
  }
  return {
    agents: own,
    fetchUrl: fetch_url
      ? { allow: fetch_url.allow, privateNetworks: fetch_url.private_networks ?? [] }
      : null,
    mcpServers: Object.entries(mcp_servers).map(([id, entry]) => serverOf(id, entry, file, env, problems)),
    mcpAccess: Object.entries(mcp_access).map(([id, entry]) => ruleOf(id, entry)),
  };
}

function agentOf(id: string, entry: AgentEntry): Omit<Agent, 'inputSchema'> {
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
    examples: [],
  };
}

function serverOf(
  id: string,
  entry: McpServerEntry,
  file: ConfigFile,
  env: Environment,
  problems: string[],
): McpServerConfig {
  const at = (path: Path) => ['mcp_servers', id, ...path];
  const filled = (text: string, path: Path, what: string): Secret => {
    const value = text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, held: string) => {
      const found = variable(env, held);
      if (found === null)
        problems.push(
          file.problem(at(path), `the environment variable ${held} is not set; expected ${what}.`),
        );
      return found ?? '';
    });
    return new Secret(value);
  };
  const { url, tools = null, timeout_ms: timeoutMs = 15_000, oauth } = entry;
  const headers = Object.entries(entry.headers ?? {}).map(([name, text]): [string, Secret] => [
    name,
    filled(text, ['headers', name], 'the value of a header'),
  ]);
  const wrong = oauth && wrongOAuth(oauth);
  if (wrong) problems.push(file.problem(at(['oauth']), wrong));
  const secret = oauth?.client_secret;
  return {
    id,
    url,
    headers: Object.fromEntries(headers),
    tools,
    timeoutMs,
    ...(oauth && {
      oauth: {
        grant: oauth.grant ?? (secret === undefined ? 'authorization_code' : 'client_credentials'),
        clientId: oauth.client_id ?? null,
        clientSecret:
          secret === undefined
            ? null
            : filled(secret, ['oauth', 'client_secret'], 'the secret of the client'),
        issuer: oauth.issuer ?? null,
        scope: oauth.scope ?? null,
        privateNetworks: oauth.private_networks ?? [],
      },
    }),
  };
}

/** A secret goes to the one authorization server that it was made for. */
function wrongOAuth({ grant, client_id: id, client_secret: secret, issuer }: McpOAuthEntry): string | null {
  if (grant === 'client_credentials' && secret === undefined)
    return 'the grant `client_credentials` needs a `client_secret`.';
  if (secret !== undefined && (id === undefined || issuer === undefined))
    return 'a `client_secret` needs its `client_id` and the `issuer` that it was made for.';
  return null;
}

function ruleOf(id: string, entry: McpAccessEntry): McpAccessRule {
  const { keys = null, tenants = null, plans = null, tags = {}, allow = ['*'], deny = [] } = entry;
  return { id, keys, tenants, plans, tags, allow, deny };
}

function wrongTool(
  reference: string,
  sources: readonly string[],
  features: readonly string[],
): string | null {
  const [source = '', name] = reference.split('/', 2);
  const known =
    name === undefined ? plainTools.includes(reference as never) : name !== '' && sources.includes(source);
  const noFeature = source === featureSource && name !== '*' && !features.includes(name ?? '');
  if (known && !noFeature) return null;
  const ofFeatures = features.map((id) => `${featureSource}/${id}`);
  const all = known ? ofFeatures : [...plainTools, ...sources.map((id) => `${id}/*`)];
  const meant = nearest(reference, all);
  return `there is no tool of this name; ${meant ? `did you mean \`${meant}\`?` : `expected one of ${all.join(', ')}.`}`;
}

/** A schema of an input with its references followed, and its examples held against it. */
async function inputSchemaOf(
  written: JsonSchema,
  report: (path: Path, text: string) => void,
): Promise<JsonSchema> {
  try {
    const { schema, validate } = await readObjectSchema(written);
    const { examples = [] } = schema as { examples?: readonly unknown[] };
    for (const [n, example] of examples.entries()) {
      // A copy, as the check fills defaults in.
      if (validate(structuredClone(example))) continue;
      const [problem] = validate.errors ?? [];
      const at = pathOf(problem?.instancePath ?? '');
      report(['examples', String(n), ...at], `${problem?.message}, by the schema itself.`);
    }
    return schema;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    report(error.path, `no valid JSON Schema: ${error.message}.`);
    return { type: 'object' };
  }
}
