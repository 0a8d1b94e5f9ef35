import type { CheckName, OptionalCheckName } from '../handlers/health.ts';
import { type HealthCheckLimits, HealthChecks } from '../lib/health-checks.ts';
import { checkDisk } from '../observe/disk-check.ts';
import type { Factory } from '../services/builds/open-factory.ts';
import type { Store } from '../store/store.ts';
import type { Overload } from '../tenants/overload/open-overload.ts';

export interface HealthParts {
  readonly store: Pick<Store, 'dialect' | 'ping'>;
  readonly factory: Pick<Factory, 'checkQueue' | 'checkThreads'>;
  /** Whether the process can do what is asked of it. */
  readonly load: Pick<Overload, 'check'>;
  /** Where the server keeps files; null: nowhere. */
  readonly dataDir: string | null;
  /** Null: none is used. */
  readonly redis: {
    check(): Promise<string>;
    /** Whether requests are refused without it. */
    readonly required: boolean;
  } | null;
  readonly limits?: Partial<HealthCheckLimits>;
}

/**
 * The checks whether this server can do its work. Required are those that every request needs; builds wait in a queue of
 * all servers, so a balancer does best to leave the server its other requests, and moving an overload would only burden the
 * others.
 */
export function healthChecks(parts: HealthParts): HealthChecks<CheckName, OptionalCheckName> {
  const { store, factory, load, dataDir, redis, limits } = parts;
  return new HealthChecks<CheckName, OptionalCheckName>(
    {
      database: {
        required: true,
        async run() {
          const startedAt = performance.now();
          await store.ping();
          return `A row could be written in ${Math.ceil(performance.now() - startedAt)} ms.`;
        },
      },
      disk: {
        // Without SQLite, it holds no more than the secret of the keys, which was read at the start.
        required: store.dialect === 'sqlite',
        run: async () => (dataDir === null ? 'Nothing is kept on the disk.' : checkDisk(dataDir)),
      },
      queue: { required: false, run: factory.checkQueue },
      build_threads: { required: false, run: factory.checkThreads },
      ...(redis && { redis: { required: redis.required, run: () => redis.check() } }),
      load: { required: false, run: load.check },
    },
    limits,
  );
}
