import { type ErrorCodeInfo, errorCodes } from '../../generated/error-codes.gen.ts';
import { type LimitName, type LimitState, type LimitStatus, windowLength } from '../contract/limit-state.ts';

/** The status under which a request is shown whose client went away (nginx's convention). */
export const clientClosedRequest = 499;

const infos: Readonly<Partial<Record<string, ErrorCodeInfo>>> = errorCodes;

type Headers = Record<string, string>;

/**
 * The headers that tell a client how its limits stand, for allowed and rejected requests alike; none for a tenant
 * without limits.
 *
 * - `x-ratelimit-{limit,remaining,reset}-{requests,tokens}` as OpenAI sends them, the reset as a duration such as
 *   `1s` or `6m0s` (https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers). They hold one
 *   limit of requests, so they show the one with the least left.
 * - `RateLimit-Policy` and `RateLimit`: structured fields that list every limit by name, with its quota `q`, its
 *   window `w` in seconds (optional, section 3.1) and its unit `qu`, what remains `r`, and the seconds `t` until it is whole again
 *   (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/, drafts 10 and 11). The drafts know
 *   no unit for tokens, so that limit is left out there.
 */
export function rateLimitHeaders(state: LimitState): Headers {
  const headers: Headers = {};
  const listed = state.filter(({ name }) => name !== 'tokens');
  if (listed.length > 0) {
    headers['ratelimit-policy'] = listed.map(policy).join(', ');
    headers['ratelimit'] = listed.map(item).join(', ');
  }
  const requests = tightest(state);
  if (requests) Object.assign(headers, xRateLimit('requests', requests));
  const tokens = state.find(({ name }) => name === 'tokens');
  if (tokens) Object.assign(headers, xRateLimit('tokens', tokens));
  return headers;
}

/** A duration as Go writes it, to the second: `0s`, `59s`, `6m0s`, `24h0m0s`. */
export function goDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours}h${minutes % 60}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}

function xRateLimit(kind: 'requests' | 'tokens', { limit, remaining, resetMs }: LimitStatus): Headers {
  return {
    [`x-ratelimit-limit-${kind}`]: String(limit),
    [`x-ratelimit-remaining-${kind}`]: String(remaining),
    [`x-ratelimit-reset-${kind}`]: goDuration(resetMs ?? 0),
  };
}

const requestLimits: ReadonlySet<LimitName> = new Set(['minute', 'day', 'month']);

/** The limit of requests with the least left; of equals the one that takes longest to be whole again. */
function tightest(state: LimitState): LimitStatus | null {
  let best: LimitStatus | null = null;
  for (const status of state) {
    if (!requestLimits.has(status.name)) continue;
    if (best === null || status.remaining < best.remaining) best = status;
    else if (status.remaining === best.remaining && (status.resetMs ?? 0) > (best.resetMs ?? 0))
      best = status;
  }
  return best;
}

function policy(status: LimitStatus): string {
  const { name, limit } = status;
  if (name === 'concurrency') return `"${name}";q=${limit};qu="concurrent-requests"`;
  const seconds = windowLength(status);
  return `"${name}";q=${limit}${seconds === null ? '' : `;w=${seconds}`}`;
}

function item({ name, remaining, resetMs }: LimitStatus): string {
  const reset = resetMs === null ? '' : `;t=${Math.ceil(resetMs / 1000)}`;
  return `"${name}";r=${remaining}${reset}`;
}

/** How a request ended, as far as its status goes by it. */
interface EndedAs {
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  /** As the contract names it; a build has further codes, but nobody is told those by a status. */
  readonly errorCode?: string | null;
  readonly told?: 'nothing' | 'answer' | 'acceptance';
}

/** The HTTP status under which the ledger shows a request: the one that its client was told, or would have been. */
export function ledgerStatus({ status, errorCode, told = 'nothing' }: EndedAs): number {
  if (told === 'acceptance') return 202;
  if (status === 'cancelled') return clientClosedRequest;
  if (status === 'succeeded' || told === 'answer') return 200;
  return (infos[errorCode ?? 'internal_error'] ?? errorCodes.internal_error).status;
}
