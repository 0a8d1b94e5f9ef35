// Over 300 lines: one schema, of one file.
/**
 * The JSON Schema that the YAML file is checked against. Each description completes "expected …" in an error message, so
 * every schema that can fail has one.
 */
import { ruleSchemas } from '../gateway/dialects/rules.ts';
import { anyText, count, fields, flag, formatted, list, mapOf, oneOf, pattern } from './object-schema.ts';
import { baseUrl } from './setting-types.ts';
import { signInSchema } from './sign-in-schema.ts';

const modelName = pattern('^[\\x21-\\x7e]{1,256}$', 'the name of a model');

const temperature = {
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: fields('a map with `max`', ['max'], {
    max: { type: 'number', minimum: 0, maximum: 2, description: 'a number from 0 to 2' },
  }),
  else: { const: 'unsupported', description: '`unsupported` or a map with `max`' },
} as const;

const dialectName = pattern('^[a-z][a-z-]*$', 'the name of a dialect, such as `vllm`, or a map of its rules');

const provider = fields('a map that describes a provider', [], {
  wire: oneOf('openai', 'anthropic', 'gemini'),
  speaks: {
    ...list(
      'a list of `openai-chat`, `openai-responses`, `anthropic` and `gemini`, the first for `/v1/chat`',
      oneOf('openai-chat', 'openai-responses', 'anthropic', 'gemini'),
    ),
    minItems: 1,
    uniqueItems: true,
  },
  azure_api_version: pattern(
    '^[A-Za-z0-9.-]{1,40}$',
    'a version of the interface of Azure OpenAI, such as `2025-04-01-preview`',
  ),
  base_url: formatted('base-url', baseUrl.expected),
  api_key: pattern(
    '^(\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}|(?!.*\\$\\{)[\\x21-\\x7e]+)$',
    `the name of an environment variable as \${NAME}, or a key of printable ASCII characters`,
  ),
  patterns: list(
    'a list of name patterns such as `gpt-*`',
    pattern('^[\\x21-\\x7e]{1,256}$', 'a name pattern such as `gpt-*`'),
  ),
  max_tokens_field: oneOf('max_tokens', 'max_completion_tokens'),
  connections: count(10_000),
  discover: flag,
  responses_socket: flag,
  dialect: {
    if: { type: 'object' },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: fields('a map of rules of a dialect', [], {
      like: dialectName,
      ...Object.fromEntries(
        Object.entries(ruleSchemas).map(([name, { value }]) => [
          name,
          {
            anyOf: [{ type: 'null' }, value],
            description: `a value of the rule \`${name}\`, as docs/reference/dialects.md has it, or null`,
          },
        ]),
      ),
    }),
    else: dialectName,
  },
});

const model = fields('a map that describes a model', ['provider'], {
  provider: anyText('the id of a provider'),
  model: modelName,
  temperature,
  fallbacks: list('a list of model names', modelName),
});

const limit = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'a whole number, or null for no limit',
} as const;

const weight = count(64);

const plan = fields('a map with the limits of a plan', [], {
  keys: flag,
  build_weight: weight,
  request_weight: weight,
  requests_per_minute: limit,
  requests_per_day: limit,
  requests_per_month: limit,
  tokens_per_minute: limit,
  concurrent_requests: limit,
});

const amount = {
  type: 'number',
  minimum: 0,
  maximum: 1_000_000,
  description: 'an amount for a million tokens, from 0 to 1000000',
} as const;

const currency = pattern('^[A-Z]{3}$', 'a currency of ISO 4217, such as `EUR`');

export const rates = {
  prompt: amount,
  completion: amount,
  cached_prompt: amount,
  cache_write_5m: amount,
  cache_write_1h: amount,
  audio_prompt: amount,
  image_prompt: amount,
  reasoning: amount,
  audio_completion: amount,
  image_completion: amount,
} as const;

const tiers = list(
  'a list of maps with `above_prompt_tokens`, `prompt` and `completion`',
  fields(
    'a map with `above_prompt_tokens`, `prompt` and `completion`',
    ['above_prompt_tokens', 'prompt', 'completion'],
    {
      above_prompt_tokens: { type: 'integer', minimum: 1, description: 'a whole number of tokens from 1 on' },
      ...rates,
    },
  ),
);

const price = fields('a map with `prompt` and `completion`', ['prompt', 'completion'], {
  ...rates,
  tiers,
  currency,
  changes: list(
    'a list of maps with `from`, `prompt` and `completion`',
    fields('a map with `from`, `prompt` and `completion`', ['from', 'prompt', 'completion'], {
      from: formatted('moment', 'a day such as 2026-12-01, or a time in UTC such as 2026-12-01T06:00:00Z'),
      ...rates,
      tiers,
    }),
  ),
});

const text = { type: 'string', minLength: 1, description: 'a text' } as const;
const agent = fields('a map that describes an agent', ['instructions'], {
  name: text,
  description: text,
  model: modelName,
  instructions: text,
  tools: list(
    'a list of tools such as `calculator` or `docs/*`',
    anyText('the name of a tool, or `server/*`'),
  ),
  max_steps: count(100),
  max_tokens: count(10_000_000),
  max_seconds: count(3000),
  input_schema: { type: 'object', description: 'a JSON Schema' },
});

const privateNetworks = list(
  'a list of networks',
  formatted('network', 'an address, or a network such as `10.1.0.0/16`'),
);

const fetchUrl = fields('a map with `allow`', ['allow'], {
  allow: list(
    'a list of host names',
    pattern(
      '^(\\*|(\\*\\.)?[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:]+\\])(:\\d{1,5})?$',
      'a host name, `*.name`, or `*`, with `:port` where it is not the default one',
    ),
  ),
  private_networks: privateNetworks,
});

const mcpOAuth = fields('a map that says how tokens are had', [], {
  grant: oneOf('client_credentials', 'authorization_code'),
  client_id: text,
  client_secret: text,
  private_key: text,
  key_id: text,
  algorithm: text,
  issuer: formatted('base-url', baseUrl.expected),
  scope: text,
  private_networks: privateNetworks,
});

const mcpServer = fields('a map with `url` or `command`', [], {
  command: text,
  args: list('a list of arguments', anyText('an argument')),
  env: mapOf('a map from names of environment variables to their values', anyText('the value of a variable')),
  cwd: text,
  memory_mb: count(1_048_576),
  processes: count(1000),
  url: formatted('base-url', baseUrl.expected),
  headers: mapOf(
    'a map from header names to their values',
    pattern('^[\\x20-\\x7e]+$', 'the value of a header'),
  ),
  oauth: mcpOAuth,
  tools: list('a list of names of its tools', text),
  max_tools: count(10_000),
  timeout_ms: count(600_000),
});

const toolPattern = pattern('^[^/\\s]+/\\S+$|^\\*$', 'a pattern such as `docs/search` or `docs/*`, or `*`');
const mcpAccess = fields('a map with `allow` or `deny`', [], {
  keys: list('a list of ids of keys', text),
  tenants: list('a list of ids of tenants', text),
  plans: list('a list of plans', {
    type: 'string',
    enum: ['free', 'pro', 'enterprise'],
    description: 'one of free, pro, enterprise',
  }),
  tags: mapOf('a map from names of tags to their values', text),
  allow: list('a list of patterns', toolPattern),
  deny: list('a list of patterns', toolPattern),
});

const ownId = pattern(
  '^[a-z0-9][a-z0-9_-]{0,63}$',
  'an id of at most 64 lower-case letters, digits, `-` and `_`',
);
const anyMap = { type: 'object', description: 'a map' } as const;
const jsonSchema = { type: 'object', description: 'a JSON Schema' } as const;
const line = (what: string, maxLength: number) =>
  ({
    type: 'string',
    pattern: '^\\S.*$',
    maxLength,
    description: `${what} of at most ${maxLength} characters on one line`,
  }) as const;

const featureExample = fields('a map with `input` and `output`', ['input', 'output'], {
  summary: line('a summary', 120),
  input: anyMap,
  output: anyMap,
});

const feature = fields('a map that describes an AI feature', ['input', 'output', 'prompt', 'examples'], {
  name: line('a name', 80),
  summary: line('a summary', 80),
  description: { type: 'string', minLength: 1, maxLength: 10_000, description: 'a text' },
  input: jsonSchema,
  output: jsonSchema,
  text_output: anyText('the name of a field of the output'),
  prompt: {
    type: 'string',
    minLength: 1,
    maxLength: 100_000,
    description: 'a text with `{{input.field}}` where the input goes',
  },
  model: modelName,
  temperature: { type: 'number', minimum: 0, maximum: 2, description: 'a number from 0 to 2' },
  max_tokens: count(1_000_000),
  examples: {
    type: 'array',
    minItems: 1,
    maxItems: 20,
    items: featureExample,
    description: 'a list of 1 to 20 examples',
  },
});

const sections = {
  plans: fields('a map with plans', [], { free: plan, pro: plan, enterprise: plan }),
  prices: mapOf('a map from provider/model to prices', price, {
    type: 'string',
    pattern: '^[^/]+/.+$',
    description: 'provider/model',
  }),
  exchange_rates: mapOf(
    'a map from currencies to what they are worth',
    fields('a map with `usd` and `on`', ['usd', 'on'], {
      usd: {
        type: 'number',
        exclusiveMinimum: 0,
        description: 'US dollars for one of the currency, above 0',
      },
      on: formatted('day', 'the day of the rate, such as 2026-11-01'),
    }),
    currency,
  ),
  providers: mapOf(
    'a map from provider ids to providers',
    provider,
    pattern(
      '^[a-z0-9][a-z0-9_-]{0,63}$',
      'a provider id of at most 64 lower-case letters, digits, `-` and `_`',
    ),
  ),
  models: mapOf('a map from model names to models', model, modelName),
  aliases: mapOf('a map from names to the names that they stand for', modelName, modelName),
  default_model: modelName,
  features: mapOf('a map from feature ids to AI features', feature, {
    type: 'string',
    pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
    maxLength: 60,
    description: 'a feature id of at most 60 lower-case letters and digits, with `-` between words',
  }),
  agents: mapOf('a map from ids to agents', agent, ownId),
  fetch_url: fetchUrl,
  mcp_servers: mapOf('a map from ids to servers', mcpServer, { ...ownId, not: { const: 'features' } }),
  mcp_access: mapOf('a map from ids to rules, of which the first that fits holds', mcpAccess, ownId),
  sign_in: signInSchema,
} as const;

export const fileSchema = fields(`a map with the sections ${Object.keys(sections).join(', ')}`, [], sections);
