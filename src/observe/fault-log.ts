import { redact } from '../lib/redact.ts';
import type { Logger } from './log.ts';

/** A line of a group comes at most this often, in milliseconds. */
const everyMs = 1_000;

/**
 * The lines about what went wrong and was not the client's fault. Each has the error with its stack, but for failures
 * of the storage: in an outage they come by the thousand and all say the same, so there is one line for each group and
 * second, with a count and no stack. A group is a failure in a place. The first of a group is written at once.
 */
export class FaultLog {
  readonly #log: Logger;
  readonly #groups = new Map<string, FaultGroup>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * @param where the place, which comes from a list of ours: it is remembered for a second.
   * @param fields what else the line holds; of a line for several, those of the latest.
   */
  report(error: unknown, where: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const storage = storageErrorOf(error);
    if (storage === null) {
      this.#log.error({ ...fields, where, err: error }, 'failed');
      return;
    }
    const name = `${where}\n${storage.failure}`;
    const known = this.#groups.get(name);
    if (known) {
      known.count += 1;
      known.latest = { storage, where, fields };
      return;
    }
    const group: FaultGroup = { count: 0, latest: { storage, where, fields }, timer: null };
    this.#groups.set(name, group);
    this.#write(group.latest, 1);
    this.#countOn(name, group);
  }

  /** Writes what is only counted yet. */
  flush(): void {
    for (const { count, latest, timer } of this.#groups.values()) {
      if (timer) clearTimeout(timer);
      if (count > 0) this.#write(latest, count);
    }
    this.#groups.clear();
  }

  #countOn(name: string, group: FaultGroup): void {
    group.timer = setTimeout(() => {
      if (group.count === 0) {
        this.#groups.delete(name);
        return;
      }
      this.#write(group.latest, group.count);
      group.count = 0;
      this.#countOn(name, group);
    }, everyMs);
    group.timer.unref();
  }

  #write({ storage, where, fields }: Fault, count: number): void {
    const { failure, message, cause } = storage;
    const { code, message: detail } = (cause ?? {}) as { code?: unknown; message?: unknown };
    this.#log.error(
      {
        ...fields,
        where,
        failure,
        count,
        ...(code === undefined ? {} : { code: String(code) }),
        ...(detail ? { cause: redact(String(detail), null) } : {}),
      },
      message,
    );
  }
}

interface Fault {
  readonly storage: StorageError;
  readonly where: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface FaultGroup {
  /** How many there were since the last line. */
  count: number;
  latest: Fault;
  timer: NodeJS.Timeout | null;
}

type StorageError = Error & { readonly failure: string };

/** The error of the storage that it is, or that caused it. It is known by its name: logging knows no store. */
function storageErrorOf(error: unknown): StorageError | null {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1) {
    if (at.name === 'StoreError' && 'failure' in at) return at as StorageError;
    at = at.cause;
  }
  return null;
}
