import type { ModelsSettings, ProviderSettings } from '../../upstream/settings.ts';
import { proxyStatusOf } from '../../upstream/vendor-errors.ts';
import { createCatalogue, type Target } from '../catalogue.ts';
import { type ListModels, listModels } from './list-models.ts';

/** Why a provider cannot be used, as far as a request for its models shows. */
export type ProviderProblem =
  | 'credentials'
  | 'address'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'rate_limited'
  | 'failed'
  | 'invalid_reply';

/** The result of asking a provider for its models. Holds neither its key nor any text of the vendor. */
export interface ProviderCheck {
  readonly id: string;
  readonly baseUrl: string;
  readonly speaks: readonly string[];
  readonly reachable: boolean;
  /** Null: none. */
  readonly problem: ProviderProblem | null;
  /** For people. */
  readonly message: string;
  readonly latencyMs: number;
  /** How many models it lists; null if unknown. */
  readonly models: number | null;
  /** Configured names that it does not list. */
  readonly unknownModels: readonly string[];
}

/** How long a provider may take, in milliseconds. */
const timeoutMs = 10_000;

/** Asks every configured provider for its models, all at the same time. Never rejects. */
export async function checkProviders(
  settings: ModelsSettings,
  list: ListModels = listModels,
): Promise<ProviderCheck[]> {
  const targets = configuredTargets(settings);
  return Promise.all(
    settings.providers.map((provider) =>
      checkProvider(
        provider,
        targets.filter(({ provider: id }) => id === provider.id),
        list,
      ),
    ),
  );
}

/** The targets of the operator's own names, fallbacks included. */
function configuredTargets(settings: ModelsSettings): Target[] {
  const { models, aliases, defaultModel } = settings;
  const catalogue = createCatalogue(settings);
  const names = [...models.map(({ id }) => id), ...Object.keys(aliases)];
  if (defaultModel !== null) names.push(defaultModel);
  return names.flatMap((name) => catalogue.resolve(name).targets);
}

async function checkProvider(
  provider: ProviderSettings,
  configured: readonly Target[],
  list: ListModels,
): Promise<ProviderCheck> {
  const { id, speaks } = provider;
  const about = { id, speaks, baseUrl: shownUrl(provider.baseUrl) };
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  try {
    const names = new Set(await list(provider, timeoutMs));
    // Azure is asked by the names of deployments, which it does not list.
    const asked = provider.azureApiVersion === null ? configured : [];
    const unknownModels = [...new Set(asked.map(({ model }) => model))].filter((name) => !names.has(name));
    const message = `It lists ${names.size} ${names.size === 1 ? 'model' : 'models'}.`;
    const found = { reachable: true, problem: null, models: names.size, unknownModels };
    return { ...about, ...found, message, latencyMs: latencyMs() };
  } catch (thrown) {
    const problem = problemOf(thrown);
    const reachable = !['unreachable', 'tls', 'timeout'].includes(problem);
    const message = messages[problem](thrown);
    const nothing = { models: null, unknownModels: [] };
    return { ...about, ...nothing, reachable, problem, message, latencyMs: latencyMs() };
  }
}

/** An address may hold a password. */
function shownUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.username = '';
  url.password = '';
  url.search = '';
  return url.href;
}

const messages: Readonly<Record<ProviderProblem, (thrown: unknown) => string>> = {
  credentials: (thrown) => `It refuses the key of this server (${statusOf(thrown)}).`,
  address: (thrown) => `There is no list of models at its address (${statusOf(thrown)}); check base_url.`,
  unreachable: (thrown) => {
    const status = proxyStatusIn(thrown);
    return status === null
      ? `It cannot be reached (${codeIn(thrown) ?? 'no connection'}).`
      : `The outbound proxy answers ${status} instead of connecting; check HTTPS_PROXY and HTTP_PROXY.`;
  },
  tls: (thrown) => `Its certificate is not accepted (${codeIn(thrown)}).`,
  timeout: () => `It did not answer within ${timeoutMs / 1000} seconds.`,
  rate_limited: (thrown) =>
    `It limits how often this server may call it, or its quota is spent (${statusOf(thrown)}).`,
  failed: (thrown) => `It failed to answer (${statusOf(thrown)}).`,
  invalid_reply: () => 'What it answers is no list of models; check base_url.',
};

function problemOf(thrown: unknown): ProviderProblem {
  const status = statusOf(thrown);
  if (status === 401 || status === 402 || status === 403) return 'credentials';
  // Google says so of a key that is none.
  if (status === 400) return /api.?key/i.test(String((thrown as Error).message)) ? 'credentials' : 'address';
  if (status === 429) return 'rate_limited';
  if (status !== null) return status >= 500 ? 'failed' : 'address';
  if (proxyStatusIn(thrown) !== null) return 'unreachable';
  const names = chain(thrown).map((error) => `${error.name} ${error.constructor.name}`);
  if (names.some((name) => /Timeout|Abort/.test(name))) return 'timeout';
  const code = codeIn(thrown);
  if (code === null) return names.some((name) => /Connection/.test(name)) ? 'unreachable' : 'invalid_reply';
  if (/TIMEDOUT|TIMEOUT/.test(code)) return 'timeout';
  return /CERT|TLS|SSL|SELF_SIGNED|VERIFY|EPROTO/.test(code) ? 'tls' : 'unreachable';
}

const proxyStatusIn = (thrown: unknown): number | null =>
  chain(thrown)
    .map(proxyStatusOf)
    .find((status) => status !== null) ?? null;

function statusOf(thrown: unknown): number | null {
  const { status } = (thrown ?? {}) as { readonly status?: unknown };
  return typeof status === 'number' ? status : null;
}

/** The code that Node has for what went wrong, such as `ECONNREFUSED`. */
function codeIn(thrown: unknown): string | null {
  const codes = chain(thrown).flatMap((error) => {
    const { code, errors } = error as { readonly code?: unknown; readonly errors?: readonly unknown[] };
    return [code, ...(errors ?? []).map((one) => (one as { readonly code?: unknown }).code)];
  });
  return codes.find((code): code is string => typeof code === 'string' && /^[A-Z_]+$/.test(code)) ?? null;
}

/** An error and what caused it, at most a few. */
function chain(thrown: unknown): Error[] {
  const errors: Error[] = [];
  for (let next = thrown; next instanceof Error && errors.length < 8; next = next.cause) errors.push(next);
  return errors;
}
