import { readFile as readTextFile } from 'node:fs/promises';
import type { ModelSettings } from '../gateway/upstream/settings.ts';
import { isLoopback } from '../lib/address.ts';
import { ConfigError } from '../lib/config-error.ts';
import { camelCased } from '../lib/names.ts';
import type { PriceBook } from '../model/usage.ts';
import type { OwnFeature } from '../services/features/declaration.ts';
import type { SignInSettings } from '../tenants/accounts/oidc/settings.ts';
import type { PlanChanges } from '../tenants/accounts/plans.ts';
import { type AgentsConfig, readAgents } from './agents.ts';
import {
  checkNames,
  type Environment,
  type ReadFile,
  readSecretFiles,
  readSettings,
  variable,
} from './environment.ts';
import { readFeatures } from './features.ts';
import { checkModelNames, wrongModelName } from './model-names.ts';
import { deepFreeze, type ModelsConfig } from './models-config.ts';
import { type ConfigFile, type FileContent, type ModelEntry, noFile } from './parse-file.ts';
import { readPrices } from './prices.ts';
import { readProviders } from './providers.ts';
import { localUrl } from './setting-types.ts';
import {
  allSettings,
  builderSettings,
  modelSettings,
  serverSettings,
  sourceSettings,
  type ValuesOf,
} from './settings.ts';
import { letsOwnersIn, readSignIn } from './sign-in.ts';

type ServerValues = ValuesOf<typeof serverSettings>;

/** Everything that the operator decides. Frozen, and safe to log: secrets show as `[secret]`. */
export interface Config extends Omit<ServerValues, 'publicUrl'> {
  /** Where clients reach the server, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether that address was made up, as none is set. */
  readonly publicUrlIsGuess: boolean;
  /** The YAML file; null: there is none. */
  readonly file: string | null;
  readonly models: ModelsConfig;
  readonly builder: BuilderConfig;
  readonly agents: AgentsConfig;
  readonly plans: PlanChanges;
  readonly prices: PriceBook;
  /** The operator's AI features. */
  readonly features: readonly OwnFeature[];
  readonly signIn: SignInSettings;
}

/**
 * Reads the environment and the file that it names. Nothing else reads either.
 * Throws a `ConfigError` that lists everything that is wrong.
 */
export async function readConfig(
  given: Environment,
  readFile: ReadFile = (path) => readTextFile(path, 'utf8'),
): Promise<Config> {
  const problems: string[] = [];
  const { env: withSettings, sources } = await readSecretFiles(secretSettings, given, readFile, problems);
  const server = readSettings(serverSettings, withSettings, problems, sources);
  const modelValues = readSettings(modelSettings, withProxies(withSettings), problems, sources);
  const builderValues = readSettings(builderSettings, withSettings, problems, sources);
  const source = readSettings(sourceSettings, given, problems);
  checkNames(
    given,
    allSettings.map(({ name }) => name),
    problems,
  );

  const file = source.file ? await loadFile(source.file, readFile, problems) : noFile(problems);
  const { env } = await readSecretFiles(namedIn(file.content), withSettings, readFile, problems);
  const models = readModels(modelValues, file, env, problems);
  const builder = builderOf(builderValues, models, file, problems);
  const agents = await readAgents(file, env, models, server.mcpCommands === 'on');
  const features = await readFeatures(file, models);
  const prices = readPrices(file);
  const signIn = readSignIn(file, env);
  if (server.passwordSignIn === 'off' && !file.broken && !letsOwnersIn(signIn))
    problems.push(
      'PASSWORD_SIGN_IN is "off"; expected an issuer under sign_in.oidc in the file, with a rule for the role `owner`.',
    );
  // A host that could not be read is reported already.
  if (server.adminPassword === null && server.host !== undefined && !isLoopback(server.host)) {
    problems.push(`HOST is "${server.host}", which others can reach; expected ADMIN_PASSWORD to be set too.`);
  }
  if (server.queue === 'pg-boss' && server.databaseUrl === null)
    problems.push(
      'QUEUE is "pg-boss", which works in a PostgreSQL database; expected DATABASE_URL to be set too.',
    );
  if (problems.length > 0) throw new ConfigError(problems);
  const publicUrl = server.publicUrl ?? localUrl(server.host, server.port);
  const publicUrlIsGuess = server.publicUrl === null;
  const plans = plansOf(file);
  return deepFreeze({
    ...server,
    publicUrl,
    publicUrlIsGuess,
    file: source.file,
    models,
    builder,
    agents,
    plans,
    prices,
    features,
    signIn,
  });
}

/** The settings that may come from files. */
const secretSettings = allSettings.filter(({ type }) => type.secret).map(({ name }) => name);

/** Variables that the file refers to as `${NAME}`, other than settings, which are read by then. */
function namedIn(content: FileContent): readonly string[] {
  const { providers, mcp_servers: servers } = content;
  const texts = [
    ...Object.values(providers ?? {}).map(({ api_key }) => api_key ?? ''),
    ...Object.values(servers ?? {}).flatMap(({ headers, env, oauth }) => [
      ...Object.values(headers ?? {}),
      ...Object.values(env ?? {}),
      oauth?.client_secret ?? '',
      oauth?.private_key ?? '',
    ]),
  ];
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => !secretSettings.includes(name));
}

async function loadFile(path: string, readFile: ReadFile, problems: string[]): Promise<ConfigFile> {
  let text: string;
  try {
    text = await readFile(path);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    problems.push(`SWITCHYARD_CONFIG is ${JSON.stringify(path)}; the file cannot be read${reason}.`);
    return noFile(problems, true);
  }
  const { parseFile } = await import('./parse-file.ts');
  return parseFile(path, text, problems);
}

/** The file's plans, in the terms of the accounts. */
function plansOf({ content }: ConfigFile): PlanChanges {
  const plans = Object.entries(content.plans ?? {}).map(([id, entry]) => [id, camelCased(entry)]);
  return Object.fromEntries(plans);
}

/** Who builds apps, and what a model may take for one. */
interface BuilderConfig {
  /** Null: rules and templates alone. */
  readonly model: string | null;
  readonly limits: Omit<ValuesOf<typeof builderSettings>, 'model'>;
}

/** Reports a model that leads nowhere, unless a broken file may have defined it. */
function builderOf(
  { model, ...limits }: ValuesOf<typeof builderSettings>,
  models: ModelsConfig,
  file: ConfigFile,
  problems: string[],
): BuilderConfig {
  const wrong = model && !file.broken ? wrongModelName(models, model) : null;
  if (wrong) problems.push(`${builderSettings.model.name}: ${wrong}`);
  return { model, limits };
}

/** Other programs read the names of proxies in small letters too, and take those first. */
function withProxies(env: Environment): Environment {
  const names = [modelSettings.httpProxy, modelSettings.httpsProxy, modelSettings.noProxy].map(
    ({ name }) => name,
  );
  return { ...env, ...Object.fromEntries(names.map((name) => [name, env[name.toLowerCase()] ?? env[name]])) };
}

/** Joins environment, file and built-in defaults; the first of them that says something holds. */
function readModels(
  values: ValuesOf<typeof modelSettings>,
  file: ConfigFile,
  env: Environment,
  problems: string[],
): ModelsConfig {
  const { connect, firstByte, idle, total, maxAttempts, httpProxy, httpsProxy, noProxy } = values;
  const proxy = (httpProxy ?? httpsProxy) && {
    http: httpProxy,
    https: httpsProxy,
    except: `localhost,127.0.0.1,[::1],${noProxy}`,
  };
  const limits = { connect, firstByte, idle, total };
  const names = Object.keys(limits) as (keyof typeof limits)[];
  const set = Object.fromEntries(
    names
      .filter((name) => variable(env, modelSettings[name].name) !== null)
      .map((name) => [name, limits[name]]),
  );
  const models: ModelsConfig = {
    providers: readProviders(values, file, env),
    models: Object.entries(file.content.models ?? {}).map(([id, entry]) => modelOf(id, entry)),
    // Without a prototype, so that a name such as `constructor` finds nothing.
    aliases: Object.assign(Object.create(null), file.content.aliases),
    defaultModel: values.defaultModel ?? file.content.default_model ?? null,
    timeLimits: { ...limits, set },
    maxAttempts,
    ...(proxy && { proxy }),
  };
  // The definitions of a broken file are unknown.
  if (!file.broken) checkModelNames(models, !values.defaultModel, file, problems);
  return models;
}

function modelOf(id: string, entry: ModelEntry): ModelSettings {
  return {
    id,
    provider: entry.provider,
    model: entry.model ?? id,
    temperature: entry.temperature ?? null,
    fallbacks: entry.fallbacks ?? [],
  };
}
