import type { HealthChecks, Lifecycle } from './health-checks.ts';

/** As `/readyz` has it; `starting` until that is known. */
type ServerState = 'starting' | 'ready' | 'degraded' | 'unavailable' | 'draining';

/** The facts that a process of the server publishes about itself for the others on the database. */
export interface About {
  /** For people: machines may share it. */
  readonly name: string;
  readonly version: string;
  readonly state: ServerState;
  /** A digest of its configuration; null while there is none. */
  readonly config: string | null;
}

interface Sources {
  readonly lifecycle: Lifecycle;
  readonly health: Pick<HealthChecks<string>, 'read'>;
  readonly configDigest: () => string;
}

/** Pause between health checks of a server that no client asks for them, in milliseconds: one of them takes the lock of writes. */
const lookMs = 10_000;

/** Knows what this process is and how it does. */
export class ServerAbout {
  readonly #name: string;
  readonly #version: string;
  #sources: Sources | null = null;
  #state: ServerState = 'starting';
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, version: string) {
    this.#name = name;
    this.#version = version;
  }

  /** Publishes from these sources from now on. */
  follow(sources: Sources): void {
    this.#sources = sources;
  }

  /** At once: the checks are read meanwhile, for the next time. */
  now(): About {
    const sources = this.#sources;
    if (sources && performance.now() - this.#lookedAt >= lookMs) this.#look(sources);
    return {
      name: this.#name,
      version: this.#version,
      state: sources?.lifecycle.draining ? 'draining' : this.#state,
      config: sources?.configDigest() ?? null,
    };
  }

  #look({ health }: Sources): void {
    this.#lookedAt = performance.now();
    void health.read().then(({ status }) => {
      this.#state = status;
    });
  }
}
