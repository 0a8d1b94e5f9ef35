/**
 * Every setting that the environment holds: one line each. `docs/reference/configuration.md` says what each does, in the same order.
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
  /** The default when it is not set, as it would be written in the environment; null: none. */
  readonly defaultText: Default;
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
  host: setting('HOST', hostName, '127.0.0.1'),
  port: setting('PORT', wholeNumber(0, 65_535), '8080'),
  processes: setting('PROCESSES', processes, '1'),
  publicUrl: setting('PUBLIC_URL', origin, null),
  allowedHosts: setting('ALLOWED_HOSTS', hostNames, ''),
  dataDir: setting('DATA_DIR', path, './data'),
  databaseUrl: setting('DATABASE_URL', databaseUrl, null),
  redisUrl: setting('REDIS_URL', redisUrl, null),
  limitsWhenAway: setting('LIMITS_WHEN_AWAY', oneOf('closed', 'open'), 'closed'),
  sqliteSynchronous: setting('SQLITE_SYNCHRONOUS', oneOf('normal', 'full'), 'normal'),
  keySecret: setting('KEY_SECRET', secretText(32), null),
  adminPassword: setting('ADMIN_PASSWORD', secretText(12), null),
  passwordSignIn: setting('PASSWORD_SIGN_IN', oneOf('on', 'off'), 'on'),
  metricsToken: setting('METRICS_TOKEN', tokenText(16), null),
  limitsVariant: setting('LIMITS_VARIANT', oneOf('A', 'B'), 'A'),
  queue: setting('QUEUE', oneOf('table', 'pg-boss'), 'table'),
  analyticsClickhouseUrl: setting('ANALYTICS_CLICKHOUSE_URL', clickHouseUrl, null),
  analyticsDir: setting('ANALYTICS_DIR', path, null),
  ledgerRetentionDays: setting('LEDGER_RETENTION_DAYS', wholeNumber(1, 36_500), null),
  auditRetentionDays: setting('AUDIT_RETENTION_DAYS', wholeNumber(1, 36_500), '400'),
  signupRetentionDays: setting('SIGNUP_RETENTION_DAYS', wholeNumber(1, 36_500), '90'),
  idempotencyHours: setting('IDEMPOTENCY_HOURS', wholeNumber(1, 720), '24'),
  idempotencyMaxAnswer: setting('IDEMPOTENCY_MAX_ANSWER', byteSize(1024 * 1024), '1MiB'),
  idempotencyMaxKeys: setting('IDEMPOTENCY_MAX_KEYS', wholeNumber(1, 10_000_000), '100000'),
  idempotencyMaxTotal: setting('IDEMPOTENCY_MAX_TOTAL', byteSize(1024 * 1024), '256MiB'),
  mcpCommands: setting('MCP_COMMANDS', oneOf('off', 'on'), 'off'),
  signup: setting('SIGNUP', oneOf('closed', 'open'), 'closed'),
  logLevel: setting('LOG_LEVEL', oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'),
  environment: setting('NODE_ENV', oneOf('development', 'test', 'production'), 'production'),
  apiKeys: setting('API_KEYS', apiKeys, ''),
  trustedProxies: setting('TRUST_PROXY', trustedProxies, '0'),
  factoryPreviewDomain: setting('FACTORY_PREVIEW_DOMAIN', wildcardDomain, null),
  factoryConcurrency: setting('FACTORY_CONCURRENCY', wholeNumber(1, 64), '4'),
  factoryQueue: setting('FACTORY_QUEUE', wholeNumber(1, 10_000), '20'),
  factoryTenantQueue: setting('FACTORY_TENANT_QUEUE', wholeNumber(1, 50_000), '20'),
  factoryDemoModelBuilds: setting('FACTORY_DEMO_MODEL_BUILDS', wholeNumber(0, 1_000_000), '100'),
  factoryDemoRevisions: setting('FACTORY_DEMO_REVISIONS', wholeNumber(0, 100_000), '30'),
  factoryBrowser: setting('FACTORY_BROWSER', browserAddress, null),
  factoryDemoPlans: setting('FACTORY_DEMO_PLANS', wholeNumber(0, 100_000), '30'),
  bufferMemory: setting('BUFFER_MEMORY', byteSize(64 * 1024 * 1024), null),
  maxUpload: setting('MAX_UPLOAD', byteSize(1024 * 1024), '32MiB'),
  maxRunning: setting('MAX_RUNNING', wholeNumber(1, 1_000_000), '10000'),
  maxWaiting: setting('MAX_WAITING', wholeNumber(0, 1_000_000), '2000'),
  maxWaitMs: setting('MAX_WAIT_MS', milliseconds(1), '10000'),
  maxLoopDelayMs: setting('MAX_LOOP_DELAY_MS', milliseconds(0), '50'),
  responsesSockets: setting('RESPONSES_SOCKETS', wholeNumber(0, 1_000_000), '0'),
  responsesSocketsPerKey: setting('RESPONSES_SOCKETS_PER_KEY', wholeNumber(1, 1_000_000), '100'),
  responsesSocketIdleMs: setting('RESPONSES_SOCKET_IDLE_MS', milliseconds(1), '600000'),
  drainDelayMs: setting('DRAIN_DELAY_MS', milliseconds(0), '5000'),
  telemetryEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', baseUrl, null),
  telemetryTracesEndpoint: setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', baseUrl, null),
  telemetryMetricsEndpoint: setting('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', baseUrl, null),
  telemetryLogsEndpoint: setting('OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', baseUrl, null),
  telemetryHeaders: setting('OTEL_EXPORTER_OTLP_HEADERS', secretPairs, null),
  telemetryDisabled: setting('OTEL_SDK_DISABLED', oneOf('false', 'true'), 'false'),
  telemetryTraces: setting('OTEL_TRACES_EXPORTER', oneOf('otlp', 'none'), 'otlp'),
  telemetryMetrics: setting('OTEL_METRICS_EXPORTER', oneOf('otlp', 'none'), 'otlp'),
  telemetryLogs: setting('OTEL_LOGS_EXPORTER', oneOf('otlp', 'none'), 'otlp'),
  telemetryService: setting('OTEL_SERVICE_NAME', line, 'switchyard'),
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
  ),
  telemetryShare: setting('OTEL_TRACES_SAMPLER_ARG', share, '1'),
  telemetrySpansMs: setting('OTEL_BSP_SCHEDULE_DELAY', milliseconds(1), '5000'),
  telemetryMetricsMs: setting('OTEL_METRIC_EXPORT_INTERVAL', milliseconds(1), '60000'),
  telemetryNames: setting('OTEL_SEMCONV_STABILITY_OPT_IN', line, null),
  telemetryContents: setting(
    'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
    oneOf('false', 'true'),
    'false',
  ),
  drainTimeoutMs: setting('DRAIN_TIMEOUT_MS', milliseconds(0), '30000'),
} as const satisfies SettingTable;

/** Settings that `Config.models` is made of. */
export const modelSettings = {
  openaiKey: setting('OPENAI_API_KEY', vendorKey, null),
  openaiUrl: setting('OPENAI_BASE_URL', baseUrl, null),
  anthropicKey: setting('ANTHROPIC_API_KEY', vendorKey, null),
  anthropicUrl: setting('ANTHROPIC_BASE_URL', baseUrl, null),
  geminiKey: setting('GEMINI_API_KEY', vendorKey, null),
  geminiUrl: setting('GEMINI_BASE_URL', baseUrl, null),
  defaultModel: setting('DEFAULT_MODEL', modelName, null),
  httpsProxy: setting('HTTPS_PROXY', proxyUrl, null),
  httpProxy: setting('HTTP_PROXY', proxyUrl, null),
  noProxy: setting('NO_PROXY', hostList, ''),
  connect: setting('CONNECT_TIMEOUT_MS', milliseconds(1), '5000'),
  firstByte: setting('FIRST_BYTE_TIMEOUT_MS', milliseconds(1), '60000'),
  idle: setting('IDLE_TIMEOUT_MS', milliseconds(1), '30000'),
  total: setting('TOTAL_TIMEOUT_MS', milliseconds(1), '300000'),
  maxAttempts: setting('MAX_ATTEMPTS', wholeNumber(1, 20), '4'),
} as const satisfies SettingTable;

/** Settings that `Config.builder` is made of. */
export const builderSettings = {
  model: setting('FACTORY_MODEL', modelName, null),
  outputTokens: setting('FACTORY_MAX_TOKENS', wholeNumber(1000, 10_000_000), '32000'),
  costUsd: setting('FACTORY_MAX_COST', dollars(0.0001, 1000), '0.50'),
  timeMs: setting('FACTORY_MODEL_TIMEOUT_MS', milliseconds(1), '180000'),
} as const satisfies SettingTable;

/** Settings of how the configuration itself is read. */
export const sourceSettings = {
  file: setting('SWITCHYARD_CONFIG', path, null),
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
): Setting<T, Default> {
  return { name, type, defaultText };
}
