import { ErrorReply } from 'redis';
import { ServiceError } from '../../contract/errors.ts';
import { StoreError, type StoreErrorOptions, type StoreFailure } from '../errors.ts';

/** When a client may try again while Redis is away: about as long as it takes to see that it is back. */
const awaySeconds = 3;

/** Redis could not do what it was asked to, or does not yet. The message is for the operator, as that of every `StoreError`. */
export class RedisError extends StoreError {
  readonly #retryAfter: number;

  /** @param options `retryAfter`: when a client may try again, in whole seconds */
  constructor(
    failure: StoreFailure,
    message: string,
    { retryAfter = awaySeconds, ...options }: StoreErrorOptions & { retryAfter?: number } = {},
  ) {
    super(failure, message, options);
    this.#retryAfter = retryAfter;
  }

  override toServiceError(): ServiceError {
    const message = 'The server cannot decide on limits at the moment. Try again later.';
    return new ServiceError('storage_unavailable', message, { cause: this, retryAfter: this.#retryAfter });
  }
}

const messages = {
  unreachable: 'Redis cannot be reached; check that it runs and that REDIS_URL is right.',
  slow: 'Redis does not answer in time; see what keeps it busy.',
  refused: 'Redis refuses the user; check name, password and rights in REDIS_URL.',
  read_only: 'Redis cannot be written; REDIS_URL has to lead to a server that is no replica.',
  disk_full: 'Redis has no memory left; raise its maxmemory.',
  failed: 'Redis failed.',
} as const satisfies Partial<Record<StoreFailure, string>>;

type RedisFailure = keyof typeof messages;

/** The error of a failure, with the message that it always has. It names neither the address nor credentials. */
export function redisError(
  failure: RedisFailure,
  options: { cause?: unknown; mayBeDone?: boolean } = {},
): StoreError {
  return new RedisError(failure, messages[failure], options);
}

const untrusted =
  'Redis shows a certificate that is not trusted; NODE_EXTRA_CA_CERTS can name a file with those that vouch for it.';

/** By the codes of OpenSSL and of Node.js (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
function isUntrusted(cause: unknown): boolean {
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' && /CERT|UNABLE_TO_|^HOSTNAME_MISMATCH$/.test(code);
}

/** Codes with which Redis begins what it says of an error, and what they mean. */
const answers: readonly (readonly [RegExp, RedisFailure])[] = [
  [/^(WRONGPASS|NOAUTH|NOPERM)|^ERR (AUTH|invalid password)/, 'refused'],
  [/^(READONLY|MISCONF|NOREPLICAS)/, 'read_only'],
  [/^OOM/, 'disk_full'],
  [/^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN)/, 'unreachable'],
  [/^BUSY/, 'slow'],
];

/** The client's error as a `StoreError`. */
export function toRedisError(thrown: unknown): StoreError {
  if (thrown instanceof StoreError) return thrown;
  const cause = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  if (!(cause instanceof ErrorReply)) {
    return isUntrusted(cause)
      ? new RedisError('unreachable', untrusted, { cause })
      : redisError('unreachable', { cause });
  }
  const answered = answers.find(([pattern]) => pattern.test(cause.message));
  return redisError(answered?.[1] ?? 'failed', { cause, mayBeDone: false });
}
