/** The sections of the YAML file, once it is checked against its schema. */

import type { DialectSettings } from '../gateway/dialects/rules.ts';
import type { ProviderSettings } from '../gateway/upstream/settings.ts';
import type { Rule } from '../tenants/accounts/oidc/settings.ts';
import type { wires } from './built-in.ts';

export interface ProviderEntry {
  readonly wire?: keyof typeof wires;
  readonly speaks?: ProviderSettings['speaks'];
  readonly azure_api_version?: string;
  readonly base_url?: string;
  /** The key itself or `${NAME}`, which stands for an environment variable. */
  readonly api_key?: string;
  readonly patterns?: readonly string[];
  readonly max_tokens_field?: ProviderSettings['maxTokensField'];
  readonly connections?: number;
  readonly discover?: boolean;
  readonly responses_socket?: boolean;
  readonly dialect?: string | ({ readonly like?: string } & DialectSettings['rules']);
}

export interface ModelEntry {
  readonly provider: string;
  readonly model?: string;
  readonly temperature?: { readonly max: number } | 'unsupported';
  readonly fallbacks?: readonly string[];
}

/** Limits of a plan; null: unlimited. What is left out stays as the documented tables have it. */
export interface PlanEntry {
  readonly keys?: boolean;
  readonly build_weight?: number;
  readonly request_weight?: number;
  readonly requests_per_minute?: number | null;
  readonly requests_per_day?: number | null;
  readonly requests_per_month?: number | null;
  readonly tokens_per_minute?: number | null;
  readonly concurrent_requests?: number | null;
}

/** For a million tokens. */
export interface RatesEntry {
  readonly prompt: number;
  readonly completion: number;
  readonly cached_prompt?: number;
  readonly cache_write_5m?: number;
  readonly cache_write_1h?: number;
  readonly audio_prompt?: number;
  readonly image_prompt?: number;
  readonly reasoning?: number;
  readonly audio_completion?: number;
  readonly image_completion?: number;
}

/** Holds where the whole prompt has more tokens than this. */
interface TierEntry extends RatesEntry {
  readonly above_prompt_tokens: number;
}

export interface PricedEntry extends RatesEntry {
  readonly tiers?: readonly TierEntry[];
}

export interface PriceEntry extends PricedEntry {
  /** ISO 4217; US dollars if left out. */
  readonly currency?: string;
  readonly changes?: readonly (PricedEntry & {
    /** A day, which begins in UTC, or a time in UTC. */
    readonly from: string;
  })[];
}

export interface ExchangeRateEntry {
  /** US dollars for one of the currency. */
  readonly usd: number;
  /** The day of the rate, for people. */
  readonly on: string;
}

/** An agent of the operator's. */
export interface AgentEntry {
  readonly name?: string;
  readonly description?: string;
  readonly model?: string;
  readonly instructions: string;
  readonly tools?: readonly string[];
  readonly max_steps?: number;
  readonly max_tokens?: number;
  readonly max_seconds?: number;
  readonly input_schema?: Readonly<Record<string, unknown>>;
}

interface FetchEntry {
  readonly allow: readonly string[];
  readonly private_networks?: readonly string[];
}

export interface McpServerEntry {
  /** One of `url` and `command`. */
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  /** Values may hold `${NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly memory_mb?: number;
  readonly processes?: number;
  /** Values may hold `${NAME}`, which stands for an environment variable. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauth?: McpOAuthEntry;
  readonly tools?: readonly string[];
  readonly timeout_ms?: number;
}

/** How the tokens of an MCP server are had. */
export interface McpOAuthEntry {
  readonly grant?: 'client_credentials' | 'authorization_code';
  readonly client_id?: string;
  /** May hold `${NAME}`. */
  readonly client_secret?: string;
  /** May hold `${NAME}`. */
  readonly private_key?: string;
  readonly key_id?: string;
  readonly algorithm?: string;
  readonly issuer?: string;
  readonly scope?: string;
  readonly private_networks?: readonly string[];
}

/** Which tools some keys may call at `/mcp`. */
export interface McpAccessEntry {
  readonly keys?: readonly string[];
  readonly tenants?: readonly string[];
  readonly plans?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** An AI feature of the operator. */
export interface FeatureEntry {
  readonly name?: string;
  readonly summary?: string;
  readonly description?: string;
  /** JSON Schemas. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
  readonly text_output?: string;
  readonly prompt: string;
  readonly model?: string;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly examples: readonly FeatureExampleEntry[];
}

interface FeatureExampleEntry {
  readonly summary?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
}

/** The file's content. To add a section, add it here and to the sections of the schema. */
export interface FileContent {
  readonly providers?: Readonly<Record<string, ProviderEntry>>;
  readonly models?: Readonly<Record<string, ModelEntry>>;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly default_model?: string;
  readonly plans?: Readonly<Partial<Record<'free' | 'pro' | 'enterprise', PlanEntry>>>;
  readonly prices?: Readonly<Record<string, PriceEntry>>;
  /** By the currency's code. */
  readonly exchange_rates?: Readonly<Record<string, ExchangeRateEntry>>;
  readonly agents?: Readonly<Record<string, AgentEntry>>;
  readonly fetch_url?: FetchEntry;
  readonly mcp_servers?: Readonly<Record<string, McpServerEntry>>;
  readonly mcp_access?: Readonly<Record<string, McpAccessEntry>>;
  readonly features?: Readonly<Record<string, FeatureEntry>>;
  readonly sign_in?: SignInEntry;
}

/** An issuer by which people sign in. */
export interface OidcEntry {
  readonly id: string;
  readonly name?: string;
  readonly issuer: string;
  readonly client_id: string;
  /** The secret itself or `${NAME}`, which stands for an environment variable. */
  readonly client_secret?: string;
  readonly scopes?: readonly string[];
  readonly rules: readonly {
    readonly claim: string;
    readonly value?: string;
    readonly role: Rule['role'];
    readonly tenant?: string;
  }[];
}

/** An issuer of tokens. */
export interface JwtEntry {
  readonly id: string;
  readonly issuer: string;
  readonly audience: string;
  readonly jwks_url?: string;
  readonly tenant?: string;
  readonly tenant_claim?: string;
  readonly scopes_claim?: string;
  readonly scopes?: readonly string[];
}

/** The section `sign_in` of the file. */
interface SignInEntry {
  readonly oidc?: readonly OidcEntry[];
  readonly jwt?: readonly JwtEntry[];
}
