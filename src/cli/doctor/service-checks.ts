import type { Config } from '../../config/config.ts';
import { modelsSettings } from '../../config/models-config.ts';
import { useProxy } from '../../lib/outgoing.ts';
import { type DatabaseLook, lookAtDatabase } from '../../store/look.ts';
import { codeOf, fail, ok, type Result, warn } from './result.ts';

/** By how much clocks may differ before limits and times of the ledger are off, in milliseconds. */
const wantedClockMs = 1_000;
const mostClockMs = 60_000;

/** The database and its clock, and how many servers use it. */
export async function checkDatabase(
  config: Config,
): Promise<{ readonly results: readonly Result[]; readonly servers: number | null }> {
  try {
    const look = await lookAtDatabase(config);
    const clock = look.clockAheadMs === null ? [] : [judgeClock(look.clockAheadMs)];
    return { results: [judgeDatabase(look), ...clock], servers: look.servers };
  } catch (error) {
    const advice = `Check that it runs, and that ${config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'} points to it.`;
    return { results: [fail('database', messageOf(error), advice)], servers: null };
  }
}

export function judgeDatabase({ product, missing, unknown, writable, servers }: DatabaseLook): Result {
  const name = 'database';
  if (product === null) return ok(name, 'There is none yet; the first start makes it.');
  if (!writable)
    return fail(
      name,
      `${product} can only be read.`,
      'Let DATABASE_URL lead to the primary, and give its user the right to write.',
    );
  if (unknown.length > 0)
    return fail(
      name,
      `${product}; a newer version of Switchyard has written it (step ${unknown.at(-1)}).`,
      'Start that version, or restore a backup made before it.',
    );
  const used = `${product}; ${servers === 1 ? 'one server uses' : `${servers} servers use`} it now`;
  if (missing.length === 0) return ok(name, `${used}, and its schema is up to date.`);
  return warn(
    name,
    `${used}; its schema lacks ${missing.length} steps.`,
    'The next start takes them. Make a backup first.',
  );
}

export function judgeClock(aheadMs: number): Result {
  const off = Math.abs(aheadMs);
  const message = `This machine's clock is ${off} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's.`;
  if (off <= wantedClockMs) return ok('clock', message);
  const advice = 'Have both set by NTP.';
  return off > mostClockMs ? fail('clock', message, advice) : warn('clock', message, advice);
}

/** Null: none is configured. */
export async function checkRedis({ redisUrl, limitsWhenAway }: Config): Promise<Result | null> {
  if (redisUrl === null) return null;
  const { lookAtRedis } = await import('../../store/redis/look.ts');
  try {
    const { product, misfit } = await lookAtRedis(redisUrl.reveal());
    if (misfit === null) return ok('redis', `${product} answers, and forgets nothing by itself.`);
    return fail('redis', `${product}: ${misfit}`, 'Set it so, or let REDIS_URL lead to another.');
  } catch (error) {
    const without = limitsWhenAway === 'closed' ? 'Requests with limits are refused' : 'Limits do not hold';
    return fail(
      'redis',
      messageOf(error),
      `Check that it runs, and that REDIS_URL points to it. ${without} without it.`,
    );
  }
}

export async function checkProvidersOf(config: Config): Promise<readonly Result[]> {
  const { checkProviders } = await import('../../gateway/routing/discovery/check-provider.ts');
  const settings = modelsSettings(config);
  if (settings.proxy) useProxy(settings.proxy);
  const checks = await checkProviders(settings);
  if (checks.length === 0)
    return [
      warn(
        'providers',
        'None is configured; the sandbox answers.',
        'Set OPENAI_API_KEY or another, or SWITCHYARD_CONFIG.',
      ),
    ];
  return checks.map(({ id, problem, message, unknownModels }) => {
    const name = `provider ${id}`;
    if (problem !== null) return fail(name, message, 'Look at its key and address.');
    if (unknownModels.length === 0) return ok(name, message);
    return warn(
      name,
      `${message} It does not list ${unknownModels.join(', ')}.`,
      'Correct the names, or leave aliases of the vendor be.',
    );
  });
}

/** Of a `StoreError`, which names no address; of anything else no more than its code. */
function messageOf(error: unknown): string {
  const sentence =
    error instanceof Error && 'failure' in error
      ? error.message.replace(/^Storage: /, '')
      : `It cannot be used (${codeOf(error)})`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${sentence.endsWith('.') ? '' : '.'}`;
}
