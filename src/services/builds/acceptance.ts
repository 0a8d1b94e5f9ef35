import type { FactoryJob } from '../../../generated/types.gen.ts';
import type { Work } from '../../contract/registry.ts';
import type { BuildMode } from '../../factory/factory.ts';
import { unguessable } from '../../lib/ids.ts';
import { StoreError } from '../../store/errors.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import { admit, type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import { type Build, newBuild } from './build.ts';
import { ownQueueFull, queueFull, stopping } from './build-errors.ts';
import type { Db } from './build-reader.ts';
import type { Asked, BuildStore } from './build-store.ts';
import type { Retention } from './retention.ts';
import type { BuildRunner } from './runner.ts';
import type { Owner } from './service.ts';
import type { UnconfirmedBuilds } from './unconfirmed-builds.ts';
import { buildView, type WireContext } from './view.ts';

/** How many builds may wait, and what a client is told when they do. */
export interface QueueLimits {
  readonly demo: number;
  readonly tenants: number;
  readonly tenant: number;
}

/** Who asks, and who is told how its limits stand. */
export type AskContext = Pick<MeteredRequest, 'requestId' | 'tellLimits' | 'tagsHeader'> & {
  /** What an `Idempotency-Key` has named; null without one. */
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
  /** Aborted when no more builds are taken. */
  readonly stopping: AbortSignal;
}

/** Whose a new build is, and what it is made of. */
interface NewBuild extends Asked, Partial<Pick<Build, 'client' | 'revision'>> {
  readonly id: string;
  readonly tenantId: Owner;
  readonly requestId: string;
}

export const newBuildId = (): string => `job_${unguessable()}`;
/** The build that a named piece of work makes. */
const buildIdOf = ({ id }: Work): string => `job_${id}`;

/** Stores builds that may be stored. All methods throw `ServiceError` and `StoreError`. */
export class Acceptance<Parts extends AcceptanceParts> {
  protected readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The build that the same request has made before its process ended; null: none. To be asked for first of all. */
  protected async madeBefore({ work }: AskContext): Promise<Build | null> {
    return work?.resumed ? this.parts.builds.find(buildIdOf(work)) : null;
  }

  protected requireOpen(): void {
    if (this.parts.stopping.aborted) throw stopping();
  }

  protected async requireDemoRoom(db: Db): Promise<void> {
    const { builds, queue } = this.parts;
    if ((await builds.counts(db)).demoWaiting >= queue.demo) throw queueFull(queue.demo);
  }

  protected make(given: NewBuild): Build {
    const { builds, retention, defaultMode } = this.parts;
    const createdAt = builds.now();
    const keptMs = given.tenantId === null ? retention.demoMs : retention.tenantMs;
    return newBuild({ ...given, createdAt, expiresAt: createdAt + keptMs }, defaultMode);
  }

  /**
   * Accepts a build of a tenant as one request of its plan. Its id comes of the name of the work, if that has one.
   * @param operation as the contract names it
   * @param make the build of this id, or throws for one that must not be; runs where nobody else accepts builds meanwhile
   */
  protected async forTenant(
    caller: Caller,
    operation: string,
    context: AskContext,
    make: (id: string, db: Db) => Promise<Build>,
  ): Promise<Build> {
    const { admissions, defaultMode, runner } = this.parts;
    const id = context.work ? buildIdOf(context.work) : newBuildId();
    await this.#requireRoom(caller.tenantId);
    const asked = { model: defaultMode.model, callsNone: defaultMode.mode === 'embedded' };
    const meter = await admit(admissions, { ...context, caller, operation }, asked);
    const build = await this.#store(id, make, caller.tenantId, meter);
    meter.handOver();
    runner.kick();
    return build;
  }

  /** The record of a build that is accepted, and runs, whether or not anybody can say when. */
  protected async accepted(build: Build, context: WireContext): Promise<FactoryJob> {
    const ahead = await this.parts.builds.ahead(build).catch(() => null);
    return buildView(build, ahead, context);
  }

  /** Stores the build of a request, which is settled as failed where it certainly is not stored. */
  async #store(
    id: string,
    make: (id: string, db: Db) => Promise<Build>,
    tenantId: string,
    meter: Meter,
  ): Promise<Build> {
    const { builds } = this.parts;
    try {
      return await builds.exclusively(async (db) => {
        await this.#requireRoom(tenantId, db);
        return builds.insert(db, await make(id, db), JSON.stringify(meter.ticket));
      });
    } catch (error) {
      const stored = error instanceof StoreError && error.mayBeDone ? await this.#find(id) : null;
      if (stored === 'unconfirmed') this.parts.unconfirmed.keep(id, meter, error);
      else if (stored !== null) return stored;
      else await meter.failed(error, nothingDelivered);
      throw error;
    }
  }

  #find(id: string): Promise<Build | null | 'unconfirmed'> {
    return this.parts.unconfirmed.find(id).catch(() => 'unconfirmed');
  }

  async #requireRoom(tenantId: string, db?: Db): Promise<void> {
    const { builds, queue } = this.parts;
    const { tenantWaiting, ownWaiting } = await builds.counts(db, tenantId);
    if (ownWaiting >= queue.tenant) throw ownQueueFull(queue.tenant);
    if (tenantWaiting >= queue.tenants) throw queueFull(queue.tenants);
  }
}
