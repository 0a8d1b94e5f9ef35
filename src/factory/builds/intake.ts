import { createHash } from 'node:crypto';
import type { FactoryJob, TemplateId } from '../../../generated/types.gen.ts';
import type { Caller } from '../../accounts/caller.ts';
import { unguessable } from '../../lib/ids.ts';
import { networkOf } from '../../lib/network.ts';
import type { Admissions } from '../../metering/admissions.ts';
import { admit, type Meter, type MeteredRequest, nothingDelivered } from '../../metering/meter.ts';
import { StoreError } from '../../store/errors.ts';
import type { BuildMode } from '../builder.ts';
import { type Build, isOver, newBuild } from './build.ts';
import { demoLimited, ownQueueFull, promptOf, queueFull, stopping } from './build-errors.ts';
import type { Db } from './build-reader.ts';
import type { BuildStore } from './build-store.ts';
import { type DemoLimit, demoHits, demoLimitState } from './demo-limit.ts';
import { buildOnWire, type WireContext } from './on-wire.ts';
import type { Retention } from './retention.ts';
import type { BuildRunner } from './runner.ts';
import type { Seats } from './seats.ts';
import type { Owner } from './service.ts';
import type { UnsureBuilds } from './unsure-builds.ts';

export interface BuildRequest {
  readonly prompt?: string;
  readonly template_id?: TemplateId;
}

/** How many builds may wait, and what a client is told when they do. */
export interface QueueLimits {
  readonly demo: number;
  readonly tenants: number;
  /** Of one tenant. */
  readonly tenant: number;
}

export interface IntakeParts {
  readonly builds: BuildStore;
  readonly context: WireContext;
  readonly runner: BuildRunner;
  readonly unsure: UnsureBuilds;
  readonly defaultMode: BuildMode;
  readonly admissions: Admissions;
  readonly pseudonym: (text: string) => string;
  readonly demo: DemoLimit;
  readonly queue: QueueLimits;
  readonly retention: Retention;
  readonly seats: Seats;
  /** Aborted when no more builds are taken. */
  readonly stopping: AbortSignal;
}

/** Who asks, and who is told how its limits stand. */
export type AskContext = Pick<MeteredRequest, 'requestId' | 'tellLimits'>;

/** Where builds are accepted. What is accepted is stored, and ends. Both methods throw `ServiceError` and `StoreError`. */
export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Accepts a demo build, or finds the one that the same client has just started with the same prompt and that goes on. */
  async startDemo(
    request: BuildRequest,
    client: string,
    { requestId, tellLimits }: AskContext,
  ): Promise<Build> {
    const { builds, demo, queue, pseudonym, retention } = this.#parts;
    if (this.#parts.stopping.aborted) throw stopping();
    this.#parts.seats.requireOne(networkOf(client));
    const prompt = promptOf(request.prompt ?? '');
    const network = pseudonym(networkOf(client));
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([prompt, request.template_id]))
      .digest('base64url');
    const build = await builds.exclusively(async (db) => {
      const now = builds.now();
      const { limitState, same } = await demoHits(db, demo, network, fingerprint, builds);
      const found = same === null ? null : await builds.find(same, db);
      if (found !== null && !isOver(found)) {
        tellLimits(demoLimitState(limitState));
        return found;
      }
      if (limitState.remaining === 0) {
        tellLimits(demoLimitState(limitState));
        throw demoLimited(demo, Math.ceil(limitState.retryAfterMs / 1000));
      }
      if ((await builds.counts(db)).demoWaiting >= queue.demo) throw queueFull(queue.demo);
      const made = this.#newJob(request, prompt, null, network, requestId, now, retention.demoMs);
      await db
        .insertInto('demo_hits')
        .values({ job_id: made.id, client: network, request: fingerprint, at: now })
        .execute();
      const remaining = limitState.remaining - 1;
      tellLimits(demoLimitState({ ...limitState, remaining, resetMs: demo.windowMs }));
      return builds.insert(db, made, null);
    });
    this.#parts.runner.kick();
    return build;
  }

  /** Accepts a build of a tenant as one request of its plan. */
  async start(
    request: BuildRequest,
    caller: Caller,
    { requestId, tellLimits }: AskContext,
  ): Promise<FactoryJob> {
    const { builds, admissions, retention, defaultMode } = this.#parts;
    if (this.#parts.stopping.aborted) throw stopping();
    const prompt = promptOf(request.prompt ?? '');
    await this.#requireRoom(caller.tenantId);
    const model = defaultMode.model;
    const asked = { caller, requestId, operation: 'createFactoryJob', tellLimits };
    const meter = await admit(admissions, asked, { model });
    const now = builds.now();
    const made = this.#newJob(request, prompt, caller.tenantId, null, requestId, now, retention.tenantMs);
    const build = await this.#store(made, caller.tenantId, meter);
    meter.handOver();
    this.#parts.runner.kick();
    // It is accepted, and runs, whether or not anybody can say when.
    const ahead = await builds.ahead(build).catch(() => null);
    return buildOnWire(build, ahead, this.#parts.context);
  }

  /** Stores the build of a request, which is settled as failed where it certainly is not stored. */
  async #store(made: Build, tenantId: string, meter: Meter): Promise<Build> {
    const { builds } = this.#parts;
    try {
      return await builds.exclusively(async (db) => {
        await this.#requireRoom(tenantId, db);
        return builds.insert(db, made, JSON.stringify(meter.ticket));
      });
    } catch (error) {
      const stored = error instanceof StoreError && error.mayBeDone ? await this.#find(made.id) : null;
      if (stored === 'unsure') this.#parts.unsure.keep(made.id, meter, error);
      else if (stored !== null) return stored;
      else await meter.failed(error, nothingDelivered);
      throw error;
    }
  }

  #find(id: string): Promise<Build | null | 'unsure'> {
    return this.#parts.unsure.find(id).catch(() => 'unsure');
  }

  async #requireRoom(tenantId: string, db?: Db): Promise<void> {
    const { builds, queue } = this.#parts;
    const { tenantWaiting, ownWaiting } = await builds.counts(db, tenantId);
    if (ownWaiting >= queue.tenant) throw ownQueueFull(queue.tenant);
    if (tenantWaiting >= queue.tenants) throw queueFull(queue.tenants);
  }

  #newJob(
    { template_id }: BuildRequest,
    prompt: string,
    tenantId: Owner,
    client: string | null,
    requestId: string,
    now: number,
    keptMs: number,
  ): Build {
    const options = template_id === undefined ? {} : { kind: template_id };
    const given = { id: `job_${unguessable()}`, tenantId, client, requestId, prompt, options };
    return newBuild({ ...given, createdAt: now, expiresAt: now + keptMs }, this.#parts.defaultMode);
  }
}
