/** Builds that were accepted, as clients see them: look, watch, cancel, download. */
import { createHash } from 'node:crypto';
import type { BuildEvent, FactoryJob } from '../../../generated/types.gen.ts';
import { placeOf } from '../../accounts/place.ts';
import { ServiceError } from '../../contract/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { type Page, toPage } from '../../store/page.ts';
import { isOver, type Job } from './build.ts';
import { expired } from './build-errors.ts';
import type { BuildEngine } from './engine.ts';
import { closing, type FollowParts, followBuild } from './follow.ts';
import type { Seats } from './seats.ts';
import { jobOnWire } from './wire.ts';

export interface ServiceParts extends FollowParts {
  readonly engine: BuildEngine;
  readonly seats: Seats;
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

/** All methods throw `ServiceError`, and `StoreError`. */
export class FactoryService {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** The record of a build. */
  async record(id: string, owner: Owner): Promise<RecordDocument> {
    const job = await this.#find(id, owner);
    const ahead = await this.#parts.jobs.ahead(job);
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
    const source = seats.seated(seatOf(job, reader), followBuild(this.#parts, job, after, reader.signal));
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
    for (;;) {
      const job = await this.#find(id, owner);
      if (job.status === 'running') {
        await jobs.table.requestCancel(id);
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
  }

  /** The archive of a build. */
  async download(id: string, owner: Owner): Promise<Download> {
    const job = await this.#find(id, owner);
    const { artifact } = job.state;
    if (this.#isExpired(job)) throw expired(job.expiresAt);
    if (!isOver(job)) throw new ServiceError('conflict', 'The build is not done yet.');
    const bytes = artifact && (await this.#parts.jobs.zip(id));
    if (!artifact || !bytes)
      throw new ServiceError('conflict', 'The build did not succeed, so there is no archive.');
    return { bytes, etag: `"${artifact.sha256}"`, fileName: artifact.fileName };
  }

  /** The page of a build that succeeded; null when there is none, `expired` when there is none any more. */
  async preview(id: string): Promise<{ html: string; etag: string } | 'expired' | null> {
    const job = await this.#parts.jobs.find(id);
    if (job === null) return null;
    if (this.#isExpired(job)) return 'expired';
    const html = job.state.artifact && (await this.#parts.jobs.html(id));
    return html && job.state.artifact ? { html, etag: `"${job.state.artifact.sha256}"` } : null;
  }

  #isExpired({ purgedAt, expiresAt }: Job): boolean {
    return purgedAt !== null || expiresAt <= this.#parts.jobs.now();
  }

  async #find(id: string, owner: Owner): Promise<Job> {
    const job = await this.#parts.jobs.find(id);
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
