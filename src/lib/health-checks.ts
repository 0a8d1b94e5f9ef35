/** The finding of one look at a part of the server. */
export interface Finding {
  readonly ok: boolean;
  /** For the operator alone. */
  readonly detail: string;
}

export interface HealthCheck {
  /** Whether a server on which it fails should get no requests. */
  readonly required: boolean;
  /** Resolves with what was found, for the operator; rejects with an error that says what is wrong. */
  run(): Promise<string>;
}

/** The findings of all checks. */
export interface Health<Name extends string, Optional extends string = never> {
  readonly checks: Readonly<Record<Name, Finding> & Partial<Record<Optional, Finding>>>;
  /** The worst of them: `unavailable` when a required one failed. */
  readonly status: 'ready' | 'degraded' | 'unavailable';
}

export interface HealthCheckLimits {
  /** How long what was found holds, in milliseconds. */
  readonly freshMs: number;
  /** How long a check may take, in milliseconds. */
  readonly runMs: number;
}

const defaults: HealthCheckLimits = { freshMs: 1_000, runMs: 2_000 };

/**
 * Checks the parts of the server on demand, and at most about once a second: every request meanwhile gets
 * what was found last, or waits for the look that is under way. A check that hangs is not started a second time.
 */
export class HealthChecks<Name extends string, Optional extends string = never> {
  readonly #checks: readonly (HealthCheck & { readonly name: string; look(): Promise<Finding> })[];
  readonly #freshMs: number;
  #last: Health<Name, Optional> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<Health<Name, Optional>> | null = null;

  constructor(
    checks: Readonly<Record<Name, HealthCheck> & Partial<Record<Optional, HealthCheck>>>,
    limits: Partial<HealthCheckLimits> = {},
  ) {
    const { freshMs, runMs } = { ...defaults, ...limits };
    this.#freshMs = freshMs;
    this.#checks = Object.entries<HealthCheck>(checks).map(([name, check]) => ({
      ...check,
      name,
      look: boundedLook(check, runMs),
    }));
  }

  /** Never rejects. */
  async read(): Promise<Health<Name, Optional>> {
    if (this.#last && performance.now() - this.#lookedAt < this.#freshMs) return this.#last;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<Health<Name, Optional>> {
    const found = await Promise.all(
      this.#checks.map(async ({ name, look }) => [name, await look()] as const),
    );
    const failed = (required: boolean) =>
      this.#checks.some((check, index) => check.required === required && found[index]?.[1].ok === false);
    const status = failed(true) ? 'unavailable' : failed(false) ? 'degraded' : 'ready';
    this.#last = { checks: Object.fromEntries(found) as Health<Name, Optional>['checks'], status };
    this.#lookedAt = performance.now();
    return this.#last;
  }
}

/** Looks by a check, for so many milliseconds at most. Never rejects. */
function boundedLook({ run }: HealthCheck, runMs: number): () => Promise<Finding> {
  const late = { ok: false, detail: `There was no answer within ${runMs / 1000} s.` };
  let running: Promise<Finding> | null = null;
  const look = async (): Promise<Finding> => {
    try {
      return { ok: true, detail: await run() };
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : String(error) };
    }
  };
  return async () => {
    // It hangs since the last look: waiting for it once more would only delay the answer.
    if (running) return late;
    running = look().finally(() => {
      running = null;
    });
    const timeout = Promise.withResolvers<Finding>();
    const timer = setTimeout(() => timeout.resolve(late), runMs);
    return Promise.race([running, timeout.promise]).finally(() => clearTimeout(timer));
  };
}

/** Where the server stands between its start and its end. */
export interface Lifecycle {
  /** Whether it is stopping: running work is finished, nothing new is taken. */
  draining: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}
