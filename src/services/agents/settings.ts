import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { AgentRunRequest } from '../../../generated/types.gen.ts';
import type * as Contract from '../../contract/served/own-operations.ts';

/** The default settings of an agent. */
export const agentDefaults = {
  maxSteps: 8,
  maxTokens: 60_000,
  maxSeconds: 120,
  inputSchema: null,
  examples: [],
} as const;

/** The operator's settings of agents. */
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
  /** The owners of the keys; null: anyone. A key fits if it fits all four. */
  readonly keys: readonly string[] | null;
  readonly tenants: readonly string[] | null;
  readonly plans: readonly string[] | null;
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
  /** Maximum number of its tools that models are offered; 100 if left out. */
  readonly maxTools?: number;
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
  readonly processes: number;
}

/** How a remote server's tokens are had (OAuth 2.1). */
export interface McpOAuthSettings {
  readonly grant: 'client_credentials' | 'authorization_code';
  /** Null: the client registers itself (RFC 7591). */
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** Signs what the client says about itself, in place of a secret (RFC 7523); left out: it has no key. */
  readonly clientKey?: McpClientKey;
  /** The only authorization server that is taken; null: the one that the server names. */
  readonly issuer: string | null;
  readonly scope: string | null;
  /** Networks or addresses that may be reached though they are not public. */
  readonly privateNetworks: readonly string[];
}

/** A client's private key, as an operator gives it. */
export interface McpClientKey {
  /** PEM, also with `\n` for the ends of its lines, or a JWK in JSON. */
  readonly key: string;
  /** By which the authorization server finds the public key; null: that of the JWK, if it has one. */
  readonly keyId: string | null;
  /** Of JWS; null: that of the JWK, or the first that goes with the key. */
  readonly algorithm: string | null;
}

/** Algorithms of JWS that authorization servers commonly accept, by the type or the curve of a key (RFC 7518, RFC 8037). */
const signingAlgorithms: Readonly<Record<string, readonly string[]>> = {
  rsa: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
  ed25519: ['EdDSA', 'Ed25519'],
};

/** Reads a client's key. Throws for what is no private key, one that is too short, or one that does not go with its algorithm. */
export function readClientKey({ key: text, keyId, algorithm }: McpClientKey): {
  readonly key: KeyObject;
  readonly keyId: string | null;
  readonly algorithm: string;
} {
  const jwk = text.trimStart().startsWith('{') ? (JSON.parse(text) as Record<string, string>) : null;
  const key = jwk
    ? createPrivateKey({ key: jwk, format: 'jwk' })
    : createPrivateKey(text.replaceAll('\\n', '\n'));
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const allowed = signingAlgorithms[namedCurve ?? key.asymmetricKeyType ?? ''] ?? [];
  const named = algorithm ?? jwk?.['alg'] ?? allowed[0] ?? '';
  if (!allowed.includes(named)) throw new Error(`The key is not one for ${named || 'signatures'}.`);
  // RFC 7518, section 3.3.
  if (key.asymmetricKeyType === 'rsa' && modulusLength < 2048)
    throw new Error('The key has less than 2,048 bits.');
  return { key, keyId: keyId ?? jwk?.['kid'] ?? null, algorithm: named };
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
