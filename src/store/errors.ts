import { InnerError, ServiceError } from '../contract/errors.ts';

export type StoreFailure =
  | 'locked'
  | 'read_only'
  | 'disk_full'
  | 'unreachable'
  | 'slow'
  | 'damaged'
  | 'refused'
  | 'conflict'
  | 'failed';

export interface StoreErrorOptions {
  readonly cause?: unknown;
  /** True if left out: unknown. */
  readonly mayBeDone?: boolean;
}

/** When a client may try again while the database cannot be used: about as long as it takes to see that it is back. */
const outageSeconds = 3;

/**
 * The database could not do what it was asked to. The message is for the operator and names neither values nor
 * credentials; the driver's own error is the cause.
 */
export class StoreError extends InnerError {
  override readonly name = 'StoreError';
  readonly failure: StoreFailure;
  /** Whether what was asked for may have been carried out all the same, the answer having been lost. */
  readonly mayBeDone: boolean;

  constructor(failure: StoreFailure, message: string, options: StoreErrorOptions = {}) {
    super(message, options);
    this.failure = failure;
    this.mayBeDone = options.mayBeDone ?? true;
  }

  override toServiceError(): ServiceError {
    const message = 'The database of the server cannot be used at the moment. Try again later.';
    return new ServiceError('storage_unavailable', message, { cause: this, retryAfter: outageSeconds });
  }
}

const messages: Readonly<Record<StoreFailure, string>> = {
  locked: 'the database is locked by another process; wait for it or end it',
  read_only:
    'the database cannot be written; give the server the rights to it, and a PostgreSQL server that is no standby',
  disk_full: 'the disk of the database is full; make room on it',
  unreachable: 'the database cannot be reached; check that it runs and that the address is right',
  slow: 'the database does not answer in time; see what keeps it busy',
  damaged:
    'the database is damaged; stop the servers on it and put a backup in its place (SQLite: `switchyard restore <backup file>`)',
  refused: 'the database refuses the user; check its name, password and rights',
  conflict: 'the database refuses a row that contradicts another',
  failed: 'the database failed',
};

/** Primary result codes of SQLite (https://sqlite.org/rescode.html); extended ones add to them above the eighth bit. */
const sqliteFailures: Readonly<Record<number, StoreFailure>> = {
  5: 'locked',
  6: 'locked',
  8: 'read_only',
  11: 'damaged',
  13: 'disk_full',
  14: 'unreachable',
  19: 'conflict',
  26: 'damaged',
};

/**
 * SQLSTATEs of PostgreSQL by code, or by class for the first two characters
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), and error codes of the connection.
 */
const postgresFailures: Readonly<Record<string, StoreFailure>> = {
  '53100': 'disk_full',
  '25006': 'read_only',
  '25P03': 'unreachable',
  '57014': 'slow',
  '55P03': 'locked',
  '40P01': 'locked',
  '3D000': 'unreachable',
  '08': 'unreachable',
  '53': 'unreachable',
  '57': 'unreachable',
  '28': 'refused',
  '42501': 'refused',
  '23': 'conflict',
  XX001: 'damaged',
  XX002: 'damaged',
  // An internal error, as a server that is about to end has them.
  XX000: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EPIPE: 'unreachable',
  ERR_STREAM_DESTROYED: 'unreachable',
};

/** SQLITE_IOERR_SHMSIZE: the memory that processes share is a file beside the log, for which there is no room. */
const noRoomToShare = 4874;

let damageMet = false;

/** Whether this process has met a damaged database: the database must be checked before it is used again. */
export function hasMetDamage(): boolean {
  return damageMet;
}

/** A driver's error as a `StoreError`. */
export function toStoreError(thrown: unknown, options: Omit<StoreErrorOptions, 'cause'> = {}): StoreError {
  if (thrown instanceof StoreError) return thrown;
  const failure = failureOf(thrown);
  damageMet ||= failure === 'damaged';
  // A statement that found no room, or a lock of another, was undone.
  const undone = failure === 'disk_full' || failure === 'locked' || failure === 'read_only';
  return storeError(failure, { ...(undone && { mayBeDone: false }), ...options, cause: thrown });
}

/** Does what a lock of another process may hinder, three times at most. Rejects with `StoreError`. */
export async function despiteLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (thrown) {
      const error = toStoreError(thrown);
      if (error.failure !== 'locked' || attempt === 3) throw error;
    }
  }
}

/** The error of a failure, with the message that it always has. */
export function storeError(failure: StoreFailure, options: StoreErrorOptions = {}): StoreError {
  return new StoreError(failure, `Storage: ${messages[failure]}.`, options);
}

/** Whether waiting can help: the database may recover, or an operator may act. */
export function mayPass({ failure, cause }: StoreError, kind: 'sqlite' | 'postgres'): boolean {
  // Other failures of a file need a change of settings, which does not happen while the server runs.
  if (kind === 'sqlite') return failure === 'disk_full';
  // A database that does not exist will not come by being waited for.
  if (cause instanceof Error && 'code' in cause && cause.code === '3D000') return false;
  return passing.has(failure);
}

const passing: ReadonlySet<StoreFailure> = new Set([
  'unreachable',
  'slow',
  'read_only',
  'disk_full',
  'locked',
]);

/** Completes "<where> cannot be used: …" when the database does not open. */
export function explain(failure: StoreFailure): string {
  return messages[failure];
}

const unreachable = /^Connection terminated|^timeout expired$|^Query read timeout$|is not queryable$/;

function failureOf(thrown: unknown): StoreFailure {
  if (!(thrown instanceof Error)) return 'failed';
  const { errcode, code } = thrown as { errcode?: unknown; code?: unknown };
  if (errcode === noRoomToShare) return 'disk_full';
  if (typeof errcode === 'number') return sqliteFailures[errcode & 0xff] ?? 'failed';
  if (typeof code === 'string') {
    const known =
      postgresFailures[code] ?? (code.length === 5 ? postgresFailures[code.slice(0, 2)] : undefined);
    if (known) return known;
  }
  // pg gives no code for a connection that ends, or does not come about or answer in time.
  if (thrown.message === 'timeout exceeded when trying to connect') return 'slow';
  return unreachable.test(thrown.message) ? 'unreachable' : 'failed';
}
