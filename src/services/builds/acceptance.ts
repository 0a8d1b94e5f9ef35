import type { FactoryJob } from '../../../generated/types.gen.ts';
import type { Work } from '../../contract/registry.ts';
import type { BuildMode } from '../../factory/factory.ts';
import { networkOf } from '../../lib/address.ts';
import { unguessable } from '../../lib/ids.ts';
import { StoreError } from '../../store/errors.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import { admit, type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import { type Build, newBuild, type Revision } from './build.ts';
import { ownQueueFull, queueFull, stopping } from './build-errors.ts';
import type { Db } from './build-reader.ts';
import type { Asked, BuildStore } from './build-store.ts';
import type { Retention } from './retention.ts';
import type { BuildRunner } from './runner.ts';
import type { UnconfirmedBuilds } from './settle-builds.ts';
import type { StreamSlots, ToolSlots } from './slots.ts';
import { buildView, type WireContext } from './view.ts';

/** How many builds may wait. */
export interface QueueLimits {
  readonly demo: number;
  readonly tenants: number;
  readonly tenant: number;
}

/** The caller, and the receiver of the state of its limits. */
export type AskContext = Pick<MeteredRequest, 'requestId' | 'tellLimits' | 'tagsHeader'> & {
  /** The work that an `Idempotency-Key` names; null without one. */
  readonly work?: Work | null;
};

export interface AcceptanceParts {
  readonly builds: BuildStore;
  readonly runner: BuildRunner;
  readonly unconfirmed: UnconfirmedBuilds;
  readonly defaultMode: BuildMode;
  readonly admissions: Admissions;
  readonly queue: QueueLimits;
  readonly retention: Retention;
  readonly context: WireContext;
  readonly pseudonym: (text: string) => string;
  readonly streamSlots: StreamSlots;
  readonly toolSlots: ToolSlots;
  /** Aborted when no more builds are taken. */
  readonly stopping: AbortSignal;
}

/** The input of a new build, and its revision unless it is the first of its app. */
type NewBuild = Asked & Partial<Revision>;

/** The build that a named piece of work makes. */
const buildIdOf = ({ id }: Work): string => `job_${id}`;

export type Acceptance = ReturnType<typeof acceptance>;

/** Stores builds that may be stored. All methods throw `ServiceError` and `StoreError`. */
export function acceptance({ builds, runner, unconfirmed, admissions, queue, ...parts }: AcceptanceParts) {
  const { defaultMode, retention, context: wire } = parts;

  function make(id: string, tenant_id: string | null, request_id: string, made: Partial<Build> & Asked) {
    const created_at = builds.now();
    const expires_at = created_at + (tenant_id === null ? retention.demoMs : retention.tenantMs);
    return newBuild({ ...made, id, tenant_id, request_id, created_at, expires_at }, defaultMode);
  }

  async function requireRoom(tenantId: string, db?: Db): Promise<void> {
    const { tenantWaiting, ownWaiting } = await builds.counts(db, tenantId);
    if (ownWaiting >= queue.tenant) throw ownQueueFull(queue.tenant);
    if (tenantWaiting >= queue.tenants) throw queueFull(queue.tenants);
  }

  /** Stores the build of a request, which is settled as failed where it certainly is not stored. */
  async function store(tenantId: string, id: string, meter: Meter, make: (db: Db) => Promise<Build>) {
    try {
      return await builds.exclusively(async (db) => {
        await requireRoom(tenantId, db);
        return builds.insert(db, await make(db), JSON.stringify(meter.ticket));
      });
    } catch (error) {
      const mayBeStored = error instanceof StoreError && error.mayBeDone;
      const stored = mayBeStored ? await unconfirmed.find(id).catch(() => 'unconfirmed' as const) : null;
      if (stored === 'unconfirmed') unconfirmed.keep(id, meter, error);
      else if (stored !== null) return stored;
      else await meter.failed(error, nothingDelivered);
      throw error;
    }
  }

  return {
    requireOpen(): void {
      if (parts.stopping.aborted) throw stopping();
    },

    /** The pseudonym of the network of a client of the demo, which may have another stream. */
    demoNetwork(client: string): string {
      parts.streamSlots.requireOne(networkOf(client));
      return parts.pseudonym(networkOf(client));
    },

    async requireDemoRoom(db: Db): Promise<void> {
      if ((await builds.counts(db)).demoWaiting >= queue.demo) throw queueFull(queue.demo);
    },

    makeDemo: (client: string, { requestId }: AskContext, made: NewBuild): Build =>
      make(`job_${unguessable()}`, null, requestId, { ...made, client }),

    /**
     * Accepts a build of a tenant as one request of its plan. Its id derives from the name of the work, if that has one: then the
     * build is found that the same request has made before its process ended.
     * @param operation as the contract names it
     * @param prepare returns the function that makes the build, which runs while no one else accepts builds; both throw for
     * a build that is not allowed
     * @returns the record of the build, which runs, whether or not its start can be estimated
     */
    async forTenant(
      caller: Caller,
      operation: string,
      context: AskContext,
      prepare: () => Promise<(db: Db) => Promise<NewBuild>>,
    ): Promise<FactoryJob> {
      const { work, requestId } = context;
      const { tenantId } = caller;
      let build = work?.resumed ? await builds.find(buildIdOf(work)) : null;
      if (build === null) {
        const id = work ? buildIdOf(work) : `job_${unguessable()}`;
        const made = await prepare();
        await requireRoom(tenantId);
        const asked = { model: defaultMode.model, callsNone: defaultMode.mode === 'embedded' };
        const meter = await admit(admissions, { ...context, caller, operation }, asked);
        build = await store(tenantId, id, meter, async (db) => make(id, tenantId, requestId, await made(db)));
        meter.handOver();
        runner.kick();
      }
      return buildView(build, await builds.ahead(build).catch(() => null), wire);
    },
  };
}
