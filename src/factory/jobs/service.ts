/** The factory as its clients see it: accept, look, watch, cancel, download. */
import { createHash } from 'node:crypto';
import type { BuildEvent, FactoryJob, TemplateId } from '../../../generated/types.gen.ts';
import type { Admissions } from '../../accounts/admissions.ts';
import type { Caller } from '../../accounts/caller.ts';
import { placeOf } from '../../accounts/place.ts';
import { rateLimitHeaders } from '../../accounts/rate-limit-headers.ts';
import { rateLimited, withAccounts } from '../../accounts/service-errors.ts';
import { ServiceError } from '../../contract/errors.ts';
import { unguessable } from '../../lib/ids.ts';
import { networkOf } from '../../lib/network.ts';
import { type Page, toPage } from '../../store/page.ts';
import type { Engine } from '../builder.ts';
import { type DemoLimit, demoHeaders, demoHits } from './demo-limit.ts';
import type { BuildEngine } from './engine.ts';
import { closing, type FollowParts, follow } from './follow.ts';
import { isOver, type Job, newJob } from './job.ts';
import { demoLimited, expired, promptOf, queueFull, stopping } from './job-errors.ts';
import type { Retention } from './retention.ts';
import type { Seats } from './seats.ts';
import { jobOnWire } from './wire.ts';

export interface BuildRequest {
  readonly prompt: string;
  readonly template_id?: TemplateId;
}

/** How many builds may wait, and what a client is told when they do. */
export interface QueueLimits {
  readonly demo: number;
  readonly tenants: number;
}

export interface ServiceParts extends FollowParts {
  readonly engine: BuildEngine;
  readonly defaultEngine: Engine;
  readonly admissions: Admissions;
  readonly pseudonym: (text: string) => string;
  readonly demo: DemoLimit;
  readonly queue: QueueLimits;
  readonly retention: Retention;
  readonly seats: Seats;
}

/** Who asks, and how to answer. */
export interface AskContext {
  readonly requestId: string;
  readonly setHeaders: (headers: Readonly<Record<string, string>>) => void;
}

/** Who reads a stream. */
export interface Reader {
  /** The client's address. */
  readonly client: string;
  /** Aborted when the reader is gone. */
  readonly signal: AbortSignal;
}

/** A stream of a build's events. */
export interface Following {
  readonly events: AsyncIterable<BuildEvent>;
  /** The event for a reader that takes nothing. */
  readonly tooSlow: () => BuildEvent;
}

/** The record of a build, ready to be sent. */
export interface RecordDocument {
  readonly text: string;
  readonly etag: string;
}

export interface Download {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly fileName: string;
}

/** Whose build it is: a tenant's, or one of the public demo. */
export type Owner = string | null;

/** All methods throw `ServiceError`. */
export class FactoryService {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** Accepts a demo build, or finds the one that the same client has just started with the same prompt and that goes on. */
  async startDemo(
    request: BuildRequest,
    client: string,
    { requestId, setHeaders }: AskContext,
  ): Promise<Job> {
    const { jobs, demo, queue, pseudonym, retention } = this.#parts;
    this.#requireRunning();
    this.#parts.seats.requireOne(networkOf(client));
    const prompt = promptOf(request.prompt);
    const network = pseudonym(networkOf(client));
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([prompt, request.template_id]))
      .digest('base64url');
    return withAccounts(async () => {
      const job = await jobs.exclusively(async (db) => {
        const now = jobs.now();
        const { standing, same } = await demoHits(db, demo, network, fingerprint, now);
        const found = same === null ? null : await jobs.find(same, db);
        if (found !== null && !isOver(found)) {
          setHeaders(demoHeaders(standing));
          return found;
        }
        if (standing.remaining === 0) {
          setHeaders(demoHeaders(standing));
          throw demoLimited(demo, Math.ceil(standing.retryAfterMs / 1000));
        }
        if ((await jobs.counts(db)).demoWaiting >= queue.demo) throw queueFull(queue.demo);
        const made = this.#newJob(request, prompt, null, requestId, now, retention.demoMs);
        await db
          .insertInto('demo_hits')
          .values({ job_id: made.id, client: network, request: fingerprint, at: now })
          .execute();
        const remaining = standing.remaining - 1;
        setHeaders(demoHeaders({ ...standing, remaining, resetMs: demo.windowMs }));
        return jobs.insert(db, made, null);
      });
      this.#parts.engine.kick();
      return job;
    });
  }

  /** Accepts a build of a tenant as one request of its plan. */
  async start(
    request: BuildRequest,
    caller: Caller,
    { requestId, setHeaders }: AskContext,
  ): Promise<FactoryJob> {
    const { jobs, queue, admissions, retention, defaultEngine } = this.#parts;
    this.#requireRunning();
    const prompt = promptOf(request.prompt);
    return withAccounts(async () => {
      if ((await jobs.counts()).tenantWaiting >= queue.tenants) throw queueFull(queue.tenants);
      const model = defaultEngine.model;
      const result = await admissions.admit({ caller, requestId, operation: 'createFactoryJob', model });
      if (!result.admitted) throw rateLimited(result.rejection);
      const { admission } = result;
      setHeaders(rateLimitHeaders(admission.state));
      try {
        const job = await jobs.exclusively(async (db) => {
          if ((await jobs.counts(db)).tenantWaiting >= queue.tenants) throw queueFull(queue.tenants);
          const now = jobs.now();
          const made = this.#newJob(request, prompt, caller.tenantId, requestId, now, retention.tenantMs);
          return jobs.insert(db, made, JSON.stringify(admission.ticket));
        });
        admissions.handOver(admission);
        this.#parts.engine.kick();
        return jobOnWire(job, await jobs.ahead(job), this.#parts.context);
      } catch (error) {
        void admission.settle({ status: 'failed', httpStatus: 503, errorCode: 'queue_full' });
        throw error;
      }
    });
  }

  #newJob(
    { template_id }: BuildRequest,
    prompt: string,
    tenantId: Owner,
    requestId: string,
    now: number,
    keptMs: number,
  ): Job {
    const options = template_id === undefined ? {} : { kind: template_id };
    const given = { id: `job_${unguessable()}`, tenantId, requestId, prompt, options };
    return newJob({ ...given, createdAt: now, expiresAt: now + keptMs }, this.#parts.defaultEngine);
  }

  /** The record of a build. */
  async record(id: string, owner: Owner): Promise<RecordDocument> {
    const job = await this.#find(id, owner);
    const ahead = await withAccounts(() => this.#parts.jobs.ahead(job));
    const text = JSON.stringify(jobOnWire(job, ahead, this.#parts.context));
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    return { text, etag: `"${hash}"` };
  }

  /** A tenant's builds, latest first. */
  async list(
    tenantId: string,
    query: { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<Page<FactoryJob>> {
    const { jobs, context } = this.#parts;
    return withAccounts(async () => {
      const place = placeOf(query, 'number', 'string') as readonly [number, string] | null;
      const found = await jobs.page(tenantId, place, query.limit);
      const places = new Map<string, number | null>();
      for (const job of found) places.set(job.id, await jobs.ahead(job));
      return toPage(
        found,
        query,
        (job) => [job.createdAt, job.id],
        (job) => jobOnWire(job, places.get(job.id) ?? null, context),
      );
    });
  }

  /** The events of a build after a number. */
  async watch(id: string, owner: Owner, after: number, reader: Reader): Promise<Following> {
    const job = await this.#find(id, owner);
    if (this.#isExpired(job)) throw expired(job.expiresAt);
    this.#parts.seats.requireOne(seatOf(job, reader));
    return this.follow(job, after, reader);
  }

  /** Where the events of a build can be read. */
  eventsUrl({ id, tenantId }: Job): string {
    return `${this.#parts.context.addresses.record(id, tenantId)}/events`;
  }

  follow(job: Job, after: number, reader: Reader): Following {
    let cursor = after;
    const { jobs, context, seats } = this.#parts;
    const source = seats.seated(seatOf(job, reader), follow(this.#parts, job, after, reader.signal));
    async function* counted() {
      for await (const event of source) {
        yield event;
        // Only when the next one is asked for has this one been taken.
        cursor = event.seq ?? cursor;
      }
    }
    return { events: counted(), tooSlow: () => closing(job, 'slow_consumer', cursor, jobs.now(), context) };
  }

  /** Cancels a build that is not over. */
  async cancel(id: string, owner: Owner): Promise<FactoryJob> {
    const { jobs, engine, wakes, context } = this.#parts;
    return withAccounts(async () => {
      for (;;) {
        const job = await this.#find(id, owner);
        if (job.status === 'running') {
          await jobs.requestCancel(id);
          engine.cancel(id);
        } else if (job.status === 'queued') {
          // It may have been begun in between.
          if ((await jobs.take(job, [{ type: 'cancel' }])) === null) continue;
          await engine.over(id);
          wakes.wake(id);
        }
        const now = await this.#find(id, owner);
        return jobOnWire(now, await jobs.ahead(now), context);
      }
    });
  }

  /** The archive of a build. */
  async download(id: string, owner: Owner): Promise<Download> {
    const job = await this.#find(id, owner);
    const { artifact } = job.state;
    if (this.#isExpired(job)) throw expired(job.expiresAt);
    if (!isOver(job)) throw new ServiceError('conflict', 'The build is not done yet.');
    const bytes = artifact && (await withAccounts(() => this.#parts.jobs.zip(id)));
    if (!artifact || !bytes)
      throw new ServiceError('conflict', 'The build did not succeed, so there is no archive.');
    return { bytes, etag: `"${artifact.sha256}"`, fileName: artifact.fileName };
  }

  /** The page of a build that succeeded; null when there is none, `expired` when there is none any more. */
  async preview(id: string): Promise<{ html: string; etag: string } | 'expired' | null> {
    return withAccounts(async () => {
      const job = await this.#parts.jobs.find(id);
      if (job === null) return null;
      if (this.#isExpired(job)) return 'expired';
      const html = job.state.artifact && (await this.#parts.jobs.html(id));
      return html && job.state.artifact ? { html, etag: `"${job.state.artifact.sha256}"` } : null;
    });
  }

  #requireRunning(): void {
    if (this.#parts.stopping.aborted) throw stopping();
  }

  #isExpired({ purgedAt, expiresAt }: Job): boolean {
    return purgedAt !== null || expiresAt <= this.#parts.jobs.now();
  }

  async #find(id: string, owner: Owner): Promise<Job> {
    const job = await withAccounts(() => this.#parts.jobs.find(id));
    // A foreign build looks like none.
    if (job === null || job.tenantId !== owner)
      throw new ServiceError('not_found', 'There is no build of this id.');
    return job;
  }
}

/** Whose streams are counted together. */
function seatOf({ tenantId }: Job, { client }: Reader): string {
  return tenantId ?? networkOf(client);
}
