import type { AgentRunRequest } from '../../../generated/types.gen.ts';
import type * as Contract from '../../contract/served/own-operations.ts';

/** What an agent has as long as nobody says otherwise. */
export const agentDefaults = {
  maxSteps: 8,
  maxTokens: 60_000,
  maxSeconds: 120,
  inputSchema: null,
  examples: [],
} as const;

/** What the operator decides about agents. */
export interface AgentSettings {
  /** Beside the built-in ones, whose ids they do not have. */
  readonly agents: readonly Agent[];
  /** Null: pages cannot be fetched. */
  readonly fetchUrl: FetchSettings | null;
  readonly mcpServers: readonly McpServerSettings[];
  /** Which tools keys may call at `/mcp`: the first rule that a key fits holds. Left out, and without one: all of them. */
  readonly mcpAccess?: readonly McpAccessRule[];
}

/** Which tools some keys may call at `/mcp`. Tools are named `server/tool`; `*` in a pattern stands for any text. */
export interface McpAccessRule {
  readonly id: string;
  /** Whose keys these are; null: anybody's. A key fits if it fits all four. */
  readonly keys: readonly string[] | null;
  readonly tenants: readonly string[] | null;
  readonly plans: readonly string[] | null;
  /** Tags that the key has, by name. */
  readonly tags: Readonly<Record<string, string>>;
  readonly allow: readonly string[];
  /** Of those that are allowed. */
  readonly deny: readonly string[];
}

/** Leave to fetch pages. */
export interface FetchSettings {
  /** Host names, `*.name` for all below it, `*` for any; with `:port` for another port than the default. */
  readonly allow: readonly string[];
  /** Networks or addresses that may be reached though they are not public. */
  readonly privateNetworks: readonly string[];
}

/** A remote server of tools (https://modelcontextprotocol.io). */
export interface McpServerSettings {
  readonly id: string;
  readonly url: string;
  /** Sent with each request, for example `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of its tools that may be called; null: all of them. */
  readonly tools: readonly string[] | null;
  /** Maximum time for connecting and for a call, in milliseconds. */
  readonly timeoutMs: number;
  /** How it is asked for tokens; left out: not at all. */
  readonly oauth?: McpOAuthSettings;
  /** Starts it as a process of this server; left out: it is at `url`, which is a name of the command otherwise. */
  readonly command?: McpCommand;
}

/** A program that is an MCP server, and what it may take. */
export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** All that it gets beside the names of paths, user and language. */
  readonly env: Readonly<Record<string, string>>;
  /** Null: the directory of this server. */
  readonly cwd: string | null;
  /** Of all its processes together. */
  readonly memoryBytes: number;
  /** Maximum number of its processes. */
  readonly processes: number;
}

/** How a remote server's tokens are had (OAuth 2.1). */
export interface McpOAuthSettings {
  readonly grant: 'client_credentials' | 'authorization_code';
  /** Null: the client registers itself (RFC 7591). */
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** The only authorization server that is taken; null: the one that the server names. */
  readonly issuer: string | null;
  readonly scope: string | null;
  /** Networks or addresses that may be reached though they are not public. */
  readonly privateNetworks: readonly string[];
}

/** The tools that go by a plain name, and the source that is always there. */
export const plainTools = ['calculator', 'current_time', 'fetch_url', 'build_app'] as const;
export const featureSource = 'features';

/** A model with instructions and tools. */
export interface Agent extends Contract.DeclaredAgent {
  /** As a client names it; null: the default model. */
  readonly model: string | null;
  /** `name` of a tool, or `source/name` or `source/*` for those of a source. */
  readonly tools: readonly string[];
  /** For its operation in the contract. */
  readonly examples: readonly AgentExample[];
}

interface AgentExample extends Contract.AgentExample {
  readonly input: AgentRunRequest['input'];
}
