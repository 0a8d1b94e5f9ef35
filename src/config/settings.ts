// Over 300 lines: one table, which is read from top to bottom.
/**
 * Every setting that the environment holds: one line each. The table of settings in `docs/reference/configuration.md` derives from it.
 */
import {
  apiKeys,
  baseUrl,
  browserAddress,
  byteSize,
  clickHouseUrl,
  databaseUrl,
  dollars,
  hostList,
  hostName,
  hostNames,
  line,
  milliseconds,
  modelName,
  oneOf,
  origin,
  path,
  processes,
  proxyUrl,
  redisUrl,
  type SettingType,
  secretPairs,
  secretText,
  share,
  tokenText,
  trustedProxies,
  vendorKey,
  wholeNumber,
  wildcardDomain,
} from './setting-types.ts';

interface Setting<T, Default extends string | null = string | null> {
  /** Environment variable. */
  readonly name: string;
  readonly type: SettingType<T>;
  /** What holds when it is not set, as it would be written in the environment; null: nothing. */
  readonly defaultText: Default;
  /** What it does, in one sentence. */
  readonly about: string;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values that a table of settings gives. */
export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T, infer Default>
    ? Default extends null
      ? T | null
      : T
    : never;
};

/** Settings that become fields of `Config` as they are. */
export const serverSettings = {
  host: setting('HOST', hostName, '127.0.0.1', 'Address to listen on.'),
  port: setting('PORT', wholeNumber(0, 65_535), '8080', 'Port to listen on; 0 takes a free one.'),
  processes: setting(
    'PROCESSES',
    processes,
    '1',
    'Number of processes that `npm start` runs on the port, such as `4`; `auto` runs one for each core.',
  ),
  publicUrl: setting(
    'PUBLIC_URL',
    origin,
    null,
    'Where clients reach the server, for all links; with https cookies are marked Secure. `http://HOST:PORT` if unset.',
  ),
  allowedHosts: setting(
    'ALLOWED_HOSTS',
    hostNames,
    '',
    'Further host names under which people may sign in to the admin area and the dashboard, separated by commas.',
  ),
  dataDir: setting('DATA_DIR', path, './data', 'Directory for all stored data.'),
  databaseUrl: setting('DATABASE_URL', databaseUrl, null, 'PostgreSQL database to use instead of SQLite.'),
  redisUrl: setting(
    'REDIS_URL',
    redisUrl,
    null,
    'Redis or Valkey server that decides on limits and spreads changes for all servers; without it PostgreSQL does both.',
  ),
  limitsWhenAway: setting(
    'LIMITS_WHEN_AWAY',
    oneOf('closed', 'open'),
    'closed',
    'What happens to requests with limits while Redis, or whatever decides on limits, is unreachable: `closed` refuses them, `open` admits them uncounted.',
  ),
  sqliteSynchronous: setting(
    'SQLITE_SYNCHRONOUS',
    oneOf('normal', 'full'),
    'normal',
    'How durable SQLite is. With both values all commits survive the end of a process; after a power cut the last ones may be lost with `normal`, and none with `full`, where each commit waits for the disk.',
  ),
  keySecret: setting(
    'KEY_SECRET',
    secretText(32),
    null,
    'Secret for the keyed hashes of API keys; a file in the data directory if unset.',
  ),
  adminPassword: setting(
    'ADMIN_PASSWORD',
    secretText(12),
    null,
    'Password of the administrator. Required to listen on addresses other than loopback.',
  ),
  passwordSignIn: setting(
    'PASSWORD_SIGN_IN',
    oneOf('on', 'off'),
    'on',
    'Whether the password and sign-in links open the admin area and dashboards; `off` leaves the issuers of `sign_in`.',
  ),
  metricsToken: setting(
    'METRICS_TOKEN',
    tokenText(16),
    null,
    'Bearer token that `/metrics` requires; if unset, only programs on this machine can read it.',
  ),
  limitsVariant: setting(
    'LIMITS_VARIANT',
    oneOf('A', 'B'),
    'A',
    'Table of limits: A counts per minute and calendar month, B per minute and calendar day.',
  ),
  queue: setting(
    'QUEUE',
    oneOf('table', 'pg-boss'),
    'table',
    'Queue for builds, batches and webhooks: `table` uses tables of the database; `pg-boss` needs PostgreSQL and wakes other servers at once.',
  ),
  analyticsClickhouseUrl: setting(
    'ANALYTICS_CLICKHOUSE_URL',
    clickHouseUrl,
    null,
    'ClickHouse server that gets each settled request, such as `https://user:password@host:8443/database?table=switchyard_requests`.',
  ),
  analyticsDir: setting(
    'ANALYTICS_DIR',
    path,
    null,
    'Directory for settled requests, as lines of JSON in one compressed file per hour.',
  ),
  ledgerRetentionDays: setting(
    'LEDGER_RETENTION_DAYS',
    wholeNumber(1, 36_500),
    null,
    'Whole days that the record of each request is kept; forever if unset. Daily sums are always kept.',
  ),
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    wholeNumber(1, 36_500),
    '400',
    'Whole days that an entry of the audit log is kept.',
  ),
  signupRetentionDays: setting(
    'SIGNUP_RETENTION_DAYS',
    wholeNumber(1, 36_500),
    '90',
    'Whole days that a sign-up is kept after it was approved or rejected.',
  ),
  idempotencyHours: setting(
    'IDEMPOTENCY_HOURS',
    wholeNumber(1, 720),
    '24',
    'Whole hours that the answer to a request with an `Idempotency-Key` is kept.',
  ),
  idempotencyMaxAnswer: setting(
    'IDEMPOTENCY_MAX_ANSWER',
    byteSize(1024 * 1024),
    '1MiB',
    'Maximum size of a stored answer, such as `4MiB`. A larger answer is not stored; a repeated request is then refused, not run again.',
  ),
  idempotencyMaxKeys: setting(
    'IDEMPOTENCY_MAX_KEYS',
    wholeNumber(1, 10_000_000),
    '100000',
    'Maximum number of stored `Idempotency-Key`s of a tenant; beyond it, a request with a new key is refused.',
  ),
  idempotencyMaxTotal: setting(
    'IDEMPOTENCY_MAX_TOTAL',
    byteSize(1024 * 1024),
    '256MiB',
    'Maximum size of all stored answers of a tenant; beyond it, answers are not stored.',
  ),
  mcpCommands: setting(
    'MCP_COMMANDS',
    oneOf('off', 'on'),
    'off',
    'Whether MCP servers of the file may be programs (`command`), which this server starts with its own rights.',
  ),
  signup: setting(
    'SIGNUP',
    oneOf('closed', 'open'),
    'closed',
    'Whether organisations can sign up; an operator approves each.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Minimum severity of the log lines that are written.',
  ),
  environment: setting(
    'NODE_ENV',
    oneOf('development', 'test', 'production'),
    'production',
    'Replies are checked against the contract except in production.',
  ),
  apiKeys: setting('API_KEYS', apiKeys, '', 'Keys that clients may use, separated by commas.'),
  trustedProxies: setting(
    'TRUST_PROXY',
    trustedProxies,
    '0',
    'Proxies whose `X-Forwarded-For` is trusted: their number, or their networks.',
  ),
  factoryPreviewDomain: setting(
    'FACTORY_PREVIEW_DOMAIN',
    wildcardDomain,
    null,
    'Domain for previews, each on a subdomain of its own; best a separate registrable domain.',
  ),
  factoryConcurrency: setting(
    'FACTORY_CONCURRENCY',
    wholeNumber(1, 64),
    '4',
    'Maximum number of builds at a time in one process.',
  ),
  factoryQueue: setting(
    'FACTORY_QUEUE',
    wholeNumber(1, 10_000),
    '20',
    'Maximum number of demo builds that wait; five times as many builds of tenants may wait.',
  ),
  factoryTenantQueue: setting(
    'FACTORY_TENANT_QUEUE',
    wholeNumber(1, 50_000),
    '20',
    'Maximum number of builds of one tenant that wait.',
  ),
  factoryDemoModelBuilds: setting(
    'FACTORY_DEMO_MODEL_BUILDS',
    wholeNumber(0, 1_000_000),
    '100',
    'Maximum number of demo builds a day (UTC) that ask the model, in all servers together; rules make the others.',
  ),
  factoryDemoRevisions: setting(
    'FACTORY_DEMO_REVISIONS',
    wholeNumber(0, 100_000),
    '30',
    'Maximum number of revisions of demo builds that one network asks for in any hour.',
  ),
  factoryBrowser: setting(
    'FACTORY_BROWSER',
    browserAddress,
    null,
    'Chromium that tries built apps, by the address of its debugging port, such as `http://browser:9222`. It must stand apart from the server: see SECURITY.md.',
  ),
  factoryDemoPlans: setting(
    'FACTORY_DEMO_PLANS',
    wholeNumber(0, 100_000),
    '30',
    'Maximum number of plans that one network asks for without a key in any 300 seconds.',
  ),
  bufferMemory: setting(
    'BUFFER_MEMORY',
    byteSize(64 * 1024 * 1024),
    null,
    'Maximum memory for all requests and answers in flight, such as `256MiB`; a quarter of the memory if unset, at most half of the heap.',
  ),
  maxUpload: setting(
    'MAX_UPLOAD',
    byteSize(1024 * 1024),
    '32MiB',
    'Maximum size of a form with files, such as `64MiB`. Large files are on the disk until the request ends.',
  ),
  maxRunning: setting(
    'MAX_RUNNING',
    wholeNumber(1, 1_000_000),
    '10000',
    "Maximum number of tenants' requests that one process answers at a time; fewer while it is overloaded.",
  ),
  maxWaiting: setting(
    'MAX_WAITING',
    wholeNumber(0, 1_000_000),
    '2000',
    "Maximum number of tenants' requests that wait for their turn in one process; the rest get 503.",
  ),
  maxWaitMs: setting(
    'MAX_WAIT_MS',
    milliseconds(1),
    '10000',
    'How long a request waits for its turn before it gets 503; half of it while requests are shed.',
  ),
  maxLoopDelayMs: setting(
    'MAX_LOOP_DELAY_MS',
    milliseconds(0),
    '50',
    'Maximum average delay of the event loop before the process answers fewer requests at a time; 0 turns the check off.',
  ),
  responsesSockets: setting(
    'RESPONSES_SOCKETS',
    wholeNumber(0, 1_000_000),
    '0',
    'Maximum number of WebSockets on `/v1/responses` that one process has open; with 0 there are none, and clients use HTTP.',
  ),
  responsesSocketsPerKey: setting(
    'RESPONSES_SOCKETS_PER_KEY',
    wholeNumber(1, 1_000_000),
    '100',
    'Maximum number of them for one key.',
  ),
  responsesSocketIdleMs: setting(
    'RESPONSES_SOCKET_IDLE_MS',
    milliseconds(1),
    '600000',
    'How long a WebSocket may be open without a request.',
  ),
  drainDelayMs: setting(
    'DRAIN_DELAY_MS',
    milliseconds(0),
    '5000',
    'How long a server still accepts connections after SIGTERM, while `/readyz` answers 503.',
  ),
  telemetryEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    baseUrl,
    null,
    'OpenTelemetry collector for traces, metrics and logs over HTTP, such as `http://127.0.0.1:4318`; if unset, only signals with their own address are sent.',
  ),
  telemetryTracesEndpoint: setting(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    baseUrl,
    null,
    'Full address for traces, such as `http://127.0.0.1:4318/v1/traces`.',
  ),
  telemetryMetricsEndpoint: setting(
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    baseUrl,
    null,
    'Full address for metrics.',
  ),
  telemetryLogsEndpoint: setting(
    'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
    baseUrl,
    null,
    'Full address for log lines.',
  ),
  telemetryHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    secretPairs,
    null,
    'Headers for the collector, such as `authorization=Bearer%20token`.',
  ),
  telemetryDisabled: setting(
    'OTEL_SDK_DISABLED',
    oneOf('false', 'true'),
    'false',
    'Turns telemetry off although a collector is set.',
  ),
  telemetryTraces: setting('OTEL_TRACES_EXPORTER', oneOf('otlp', 'none'), 'otlp', 'Whether traces are sent.'),
  telemetryMetrics: setting(
    'OTEL_METRICS_EXPORTER',
    oneOf('otlp', 'none'),
    'otlp',
    'Whether metrics are sent.',
  ),
  telemetryLogs: setting('OTEL_LOGS_EXPORTER', oneOf('otlp', 'none'), 'otlp', 'Whether log lines are sent.'),
  telemetryService: setting('OTEL_SERVICE_NAME', line, 'switchyard', 'Name of the service in what is sent.'),
  telemetrySampler: setting(
    'OTEL_TRACES_SAMPLER',
    oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    'parentbased_always_on',
    'Which traces are kept.',
  ),
  telemetryShare: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    share,
    '1',
    'Share of traces that `traceidratio` and `parentbased_traceidratio` keep, from 0 to 1.',
  ),
  telemetrySpansMs: setting(
    'OTEL_BSP_SCHEDULE_DELAY',
    milliseconds(1),
    '5000',
    'How long spans are collected before they are sent.',
  ),
  telemetryMetricsMs: setting(
    'OTEL_METRIC_EXPORT_INTERVAL',
    milliseconds(1),
    '60000',
    'How often metrics are sent.',
  ),
  telemetryNames: setting(
    'OTEL_SEMCONV_STABILITY_OPT_IN',
    line,
    null,
    'Which attribute names are sent; `gen_ai_latest_experimental` uses the newest conventions for generative AI.',
  ),
  telemetryContents: setting(
    'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
    oneOf('false', 'true'),
    'false',
    'Whether spans contain prompts and answers.',
  ),
  drainTimeoutMs: setting(
    'DRAIN_TIMEOUT_MS',
    milliseconds(0),
    '30000',
    'How long a stopping server waits for requests in progress.',
  ),
} as const satisfies SettingTable;

/** Settings that `Config.models` is made of. */
export const modelSettings = {
  openaiKey: setting('OPENAI_API_KEY', vendorKey, null, 'Key for OpenAI.'),
  openaiUrl: setting('OPENAI_BASE_URL', baseUrl, null, 'Address to use instead of the OpenAI API.'),
  anthropicKey: setting('ANTHROPIC_API_KEY', vendorKey, null, 'Key for Anthropic.'),
  anthropicUrl: setting('ANTHROPIC_BASE_URL', baseUrl, null, 'Address to use instead of the Anthropic API.'),
  geminiKey: setting('GEMINI_API_KEY', vendorKey, null, 'Key for Gemini.'),
  geminiUrl: setting('GEMINI_BASE_URL', baseUrl, null, 'Address to use instead of the Gemini API.'),
  defaultModel: setting('DEFAULT_MODEL', modelName, null, 'Model that answers requests that name none.'),
  httpsProxy: setting(
    'HTTPS_PROXY',
    proxyUrl,
    null,
    'Proxy for requests to vendors and other services at `https:` addresses.',
  ),
  httpProxy: setting('HTTP_PROXY', proxyUrl, null, 'The same for `http:` addresses.'),
  noProxy: setting(
    'NO_PROXY',
    hostList,
    '',
    'Hosts that are reached directly, separated by commas, such as `.example.com`. This machine always is.',
  ),
  connect: setting(
    'CONNECT_TIMEOUT_MS',
    milliseconds(1),
    '5000',
    'Maximum wait for a connection to a vendor.',
  ),
  firstByte: setting(
    'FIRST_BYTE_TIMEOUT_MS',
    milliseconds(1),
    '60000',
    "Maximum wait for the first byte of a vendor's stream, and of a whole answer while a fallback is left; 300000 on the interfaces of OpenAI, Anthropic and Gemini if unset.",
  ),
  idle: setting(
    'IDLE_TIMEOUT_MS',
    milliseconds(1),
    '30000',
    "Maximum silence within a vendor's answer; 300000 on the interfaces of OpenAI, Anthropic and Gemini if unset.",
  ),
  total: setting(
    'TOTAL_TIMEOUT_MS',
    milliseconds(1),
    '300000',
    'Maximum time for a request with all attempts; 3600000 on the interfaces of OpenAI, Anthropic and Gemini if unset.',
  ),
  maxAttempts: setting(
    'MAX_ATTEMPTS',
    wholeNumber(1, 20),
    '4',
    'Maximum number of attempts of one request, over retries and fallbacks together.',
  ),
} as const satisfies SettingTable;

/** Settings that `Config.builder` is made of. */
export const builderSettings = {
  model: setting(
    'FACTORY_MODEL',
    modelName,
    null,
    'Model that plans and writes builds; rules and templates do it if unset.',
  ),
  outputTokens: setting(
    'FACTORY_MAX_TOKENS',
    wholeNumber(1000, 10_000_000),
    '32000',
    'Maximum number of tokens that the model may write for one build.',
  ),
  costUsd: setting(
    'FACTORY_MAX_COST',
    dollars(0.0001, 1000),
    '0.50',
    "Maximum US dollars that one build's model calls may cost, as far as prices are known.",
  ),
  timeMs: setting(
    'FACTORY_MODEL_TIMEOUT_MS',
    milliseconds(1),
    '180000',
    'Maximum time that one build waits for its model, over all calls.',
  ),
} as const satisfies SettingTable;

/** Settings of how the configuration itself is read. */
export const sourceSettings = {
  file: setting(
    'SWITCHYARD_CONFIG',
    path,
    null,
    'YAML file with providers, models, aliases, prices, features, agents and sign-in.',
  ),
} as const satisfies SettingTable;

/** Every setting, in the order of documentation. */
export const allSettings: readonly Setting<unknown>[] = [
  ...Object.values(serverSettings),
  ...Object.values(modelSettings),
  ...Object.values(builderSettings),
  ...Object.values(sourceSettings),
];

function setting<T, Default extends string | null>(
  name: string,
  type: SettingType<T>,
  defaultText: Default,
  about: string,
): Setting<T, Default> {
  return { name, type, defaultText, about };
}
