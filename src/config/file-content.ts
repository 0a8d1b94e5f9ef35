/** The sections of the YAML file, once it is checked against its schema. */

import type { DialectSettings } from '../gateway/dialects/rules.ts';
import type { ProviderSettings } from '../gateway/upstream/settings.ts';
import type { fileSchema } from './file-schema.ts';
import type { FromSchema } from './object-schema.ts';

type Written = FromSchema<typeof fileSchema>;
type EntryOf<Section extends keyof Written> = NonNullable<Written[Section]>[keyof NonNullable<
  Written[Section]
>];
type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

export type ProviderEntry = Omit<EntryOf<'providers'>, 'dialect' | 'speaks'> & {
  readonly speaks?: ProviderSettings['speaks'];
  readonly dialect?: string | ({ readonly like?: string } & DialectSettings['rules']);
};
export type ModelEntry = EntryOf<'models'>;
/** Limits of a plan; null: unlimited. What is left out stays as the documented tables have it. */
export type PlanEntry = NonNullable<EntryOf<'plans'>>;
export type PriceEntry = EntryOf<'prices'>;
export type PricedEntry = Omit<PriceEntry, 'currency' | 'changes'>;
/** For a million tokens. */
export type RatesEntry = Omit<PricedEntry, 'tiers'>;
export type ExchangeRateEntry = EntryOf<'exchange_rates'>;
export type AgentEntry = EntryOf<'agents'>;
export type McpServerEntry = EntryOf<'mcp_servers'>;
export type McpOAuthEntry = NonNullable<McpServerEntry['oauth']>;
export type McpAccessEntry = EntryOf<'mcp_access'>;
export type FeatureEntry = EntryOf<'features'>;
export type OidcEntry = ItemOf<NonNullable<Written['sign_in']>['oidc']>;
export type JwtEntry = ItemOf<NonNullable<Written['sign_in']>['jwt']>;

/** The file's content. To add a section, add it to the sections of the schema. */
export type FileContent = Omit<Written, 'providers'> & {
  readonly providers?: Readonly<Record<string, ProviderEntry>>;
};
