import { agentOperations } from '../../generated/agents.gen.ts';
import { builtInFeatures } from '../../generated/features.gen.ts';
import { camelCased } from '../lib/names.ts';
import { nearest } from '../lib/nearest.ts';
import { Secret } from '../lib/redact.ts';
import {
  type Agent,
  type AgentSettings,
  agentDefaults,
  featureSource,
  type McpClientKey,
  type McpCommand,
  type McpOAuthSettings,
  type McpServerSettings,
  plainTools,
  readClientKey,
} from '../services/agents/settings.ts';
import { type Environment, variable } from './environment.ts';
import { wrongModelName } from './model-names.ts';
import type { ModelsConfig } from './models-config.ts';
import { deepFreeze, revealed } from './models-config.ts';
import { checkedSchema } from './object-schema.ts';
import type { AgentEntry, ConfigFile, McpOAuthEntry, McpServerEntry, Path } from './parse-file.ts';

const builtIn: readonly string[] = Object.values(agentOperations);

/** `McpServerSettings` whose headers do not show when they are logged. */
interface McpServerConfig extends Omit<McpServerSettings, 'headers' | 'oauth' | 'command'> {
  readonly command?: Omit<McpCommand, 'env'> & { readonly env: Readonly<Record<string, Secret>> };
  readonly headers: Readonly<Record<string, Secret>>;
  readonly oauth?: Omit<McpOAuthSettings, 'clientSecret' | 'clientKey'> & {
    readonly clientSecret: Secret | null;
    readonly clientKey?: Omit<McpClientKey, 'key'> & { readonly key: Secret };
  };
}

/** `AgentSettings` that can be logged. */
export interface AgentsConfig extends Omit<AgentSettings, 'mcpServers'> {
  readonly mcpServers: readonly McpServerConfig[];
}

/** The settings of the agents, with secrets in clear: not to be logged. */
export function agentSettings({ agents }: { readonly agents: AgentsConfig }): AgentSettings {
  return deepFreeze({ ...agents, mcpServers: revealed(agents.mcpServers) });
}

/** The file's sections on agents and their tools. */
export async function readAgents(
  file: ConfigFile,
  env: Environment,
  models: ModelsConfig,
  commandsAllowed: boolean,
): Promise<AgentsConfig> {
  const { agents = {}, fetch_url, mcp_servers = {}, mcp_access = {} } = file.content;
  const sources = [featureSource, ...Object.keys(mcp_servers)];
  const features = [...builtInFeatures.map(({ id }) => id), ...Object.keys(file.content.features ?? {})];
  const own: Agent[] = [];
  for (const [id, entry] of Object.entries(agents)) {
    const report = (path: Path, text: string, part?: 'key') =>
      file.report(['agents', id, ...path], text, part);
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
        : await checkedSchema(entry.input_schema, (path, text) => report(['input_schema', ...path], text));
    own.push({ ...agentOf(id, entry), inputSchema });
  }
  return {
    agents: own,
    fetchUrl: fetch_url
      ? { allow: fetch_url.allow, privateNetworks: fetch_url.private_networks ?? [] }
      : null,
    mcpServers: Object.entries(mcp_servers).map(([id, entry]) =>
      serverOf(id, entry, file, env, commandsAllowed),
    ),
    mcpAccess: Object.entries(mcp_access).map(([id, entry]) => ({ id, ...anybody, ...entry })),
  };
}

function agentOf(id: string, entry: AgentEntry): Omit<Agent, 'inputSchema'> {
  const defaults = { name: id, description: '', model: null, tools: [], ...agentDefaults };
  const { input_schema: _, ...given } = entry;
  return { id, ...defaults, ...camelCased(given), examples: [] };
}

function serverOf(
  id: string,
  entry: McpServerEntry,
  file: ConfigFile,
  env: Environment,
  commandsAllowed: boolean,
): McpServerConfig {
  const at = (path: Path) => ['mcp_servers', id, ...path];
  const filled = (text: string, path: Path, what: string): Secret => {
    const value = text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, held: string) => {
      const found = variable(env, held);
      if (found === null)
        file.report(at(path), `the environment variable ${held} is not set; expected ${what}.`);
      return found ?? '';
    });
    return new Secret(value);
  };
  const { command, url = `command:${command}`, tools = null, timeout_ms: timeoutMs = 15_000, oauth } = entry;
  const allFilled = (texts: Readonly<Record<string, string>>, member: string, what: string) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, filled(text, [member, name], what)]),
    );
  const headers = allFilled(entry.headers ?? {}, 'headers', 'the value of a header');
  const wrong = oauth && wrongOAuth(oauth);
  if (wrong) file.report(at(['oauth']), wrong);
  const wrongWay = wrongServer(entry, commandsAllowed);
  if (wrongWay) file.report(at([]), wrongWay);
  const { client_secret: secret, private_key: privateKey } = oauth ?? {};
  const key = privateKey === undefined ? null : filled(privateKey, ['oauth', 'private_key'], 'a private key');
  const clientKey = key && { key, keyId: oauth?.key_id ?? null, algorithm: oauth?.algorithm ?? null };
  if (clientKey && key.reveal() !== '' && !isKey({ ...clientKey, key: key.reveal() }))
    file.report(
      at(['oauth', 'private_key']),
      'this is no private key that signs with the `algorithm`; expected one in PEM or as a JWK: RSA of at least 2,048 bits, P-256, P-384, P-521 or Ed25519.',
    );
  return {
    id,
    url,
    headers,
    ...(command !== undefined && {
      command: {
        command,
        args: entry.args ?? [],
        env: allFilled(entry.env ?? {}, 'env', 'the value of a variable'),
        cwd: entry.cwd ?? null,
        memoryBytes: (entry.memory_mb ?? 1024) * 2 ** 20,
        processes: entry.processes ?? 32,
      },
    }),
    tools,
    ...(entry.max_tools !== undefined && { maxTools: entry.max_tools }),
    timeoutMs,
    ...(oauth && {
      oauth: {
        grant: oauth.grant ?? (secret === undefined && !key ? 'authorization_code' : 'client_credentials'),
        clientId: oauth.client_id ?? null,
        clientSecret:
          secret === undefined
            ? null
            : filled(secret, ['oauth', 'client_secret'], 'the secret of the client'),
        ...(clientKey && { clientKey }),
        issuer: oauth.issuer ?? null,
        scope: oauth.scope ?? null,
        privateNetworks: oauth.private_networks ?? [],
      },
    }),
  };
}

/** A server is at an address or a program, and each has members of its own. */
function wrongServer(entry: McpServerEntry, commandsAllowed: boolean): string | null {
  const { url, command } = entry;
  if ((url === undefined) === (command === undefined)) return 'expected one of `url` and `command`.';
  const others = (
    command === undefined ? ['args', 'env', 'cwd', 'memory_mb', 'processes'] : ['headers', 'oauth']
  ).filter((name) => name in entry);
  if (others.length > 0)
    return `\`${others[0]}\` does not go with \`${command === undefined ? 'url' : 'command'}\`.`;
  if (command !== undefined && !commandsAllowed)
    return 'programs are not allowed as servers; expected MCP_COMMANDS to be `on`, or a `url`.';
  return null;
}

/** A secret goes to the one authorization server that it was made for, and so does what a key signs. */
function wrongOAuth({ grant, client_id: id, issuer, ...oauth }: McpOAuthEntry): string | null {
  const [named, ...more] = (['client_secret', 'private_key'] as const).filter((name) => name in oauth);
  if (grant === 'client_credentials' && named === undefined)
    return 'the grant `client_credentials` needs a `client_secret` or a `private_key`.';
  if (more.length > 0) return 'expected one of `client_secret` and `private_key`.';
  if (named !== undefined && (id === undefined || issuer === undefined))
    return `a \`${named}\` needs its \`client_id\` and the \`issuer\` that it was made for.`;
  const alone = named === 'private_key' ? undefined : ['key_id', 'algorithm'].find((name) => name in oauth);
  return alone === undefined ? null : `\`${alone}\` goes with a \`private_key\` only.`;
}

function isKey(key: McpClientKey): boolean {
  try {
    return readClientKey(key).algorithm !== '';
  } catch {
    return false;
  }
}

const anybody = { keys: null, tenants: null, plans: null, tags: {}, allow: ['*'], deny: [] };

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
