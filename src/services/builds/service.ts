/** Builds that were accepted, as clients see them: look, watch, cancel, download. */
import { createHash } from 'node:crypto';
import type {
  BuildEvent,
  FactoryDiff,
  FactoryJob,
  FactoryStatus,
  FileList,
} from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { BuildMode } from '../../factory/factory.ts';
import { networkOf } from '../../lib/address.ts';
import { type ListPage, toListPage } from '../../store/list-page.ts';
import { readCursor } from '../../tenants/accounts/account-error.ts';
import { diffOf, filesOf, zipOf } from './archives.ts';
import { type Build, isOver } from './build.ts';
import { expired } from './build-errors.ts';
import type { BuildStore } from './build-store.ts';
import { anyOf, newestShown, revisionsOf } from './family.ts';
import { closing, type FollowParts, followBuild } from './follow.ts';
import type { BuildRunner } from './runner.ts';
import type { StreamSlots, ToolSlots } from './slots.ts';
import { buildView } from './view.ts';

/** How long what was read is shown again, in milliseconds: anybody may ask, as often as they like. */
const freshMs = 1_000;

export type StatusBoard = ReturnType<typeof statusBoard>;

export function statusBoard(
  builds: BuildStore,
  engine: BuildMode,
  { capacity, ...limits }: FactoryStatus['limits'] & { readonly capacity: number },
) {
  let queue: Promise<FactoryStatus['queue']> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  const count = async () => {
    const { running, waiting } = await builds.counts();
    return { running, waiting, capacity };
  };
  return {
    /** Never rejects: without a database the queue is null. */
    async read(): Promise<Pick<FactoryStatus, 'engine' | 'queue' | 'limits'>> {
      if (queue === null || performance.now() - readAt > freshMs) {
        readAt = performance.now();
        queue = count().catch(() => null);
      }
      return { engine: { ...engine }, queue: await queue, limits };
    },
  };
}

interface ServiceParts extends FollowParts {
  readonly runner: BuildRunner;
  readonly streamSlots: StreamSlots;
  readonly toolSlots: ToolSlots;
}

interface Reader {
  readonly client: string;
  /** Aborted when the reader has left. */
  readonly signal: AbortSignal;
}

export interface Following {
  readonly events: AsyncIterable<BuildEvent>;
  /** The event for a reader that takes nothing. */
  readonly tooSlow: () => BuildEvent;
}

interface RecordDocument {
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

  async record(id: string, owner: Owner): Promise<RecordDocument> {
    return this.#document(await this.find(id, owner));
  }

  /** The record of the newest revision that succeeded of the app that a build belongs to. */
  async newest(id: string, owner: Owner): Promise<RecordDocument> {
    const newest = await this.#newest(id, owner);
    if (this.#isExpired(newest)) throw expired(newest.expiresAt);
    return this.#document(newest);
  }

  /** The id of the same, for a page; null where there is no such build. */
  async newestId(id: string, owner: Owner): Promise<string | null> {
    const some = await anyOf(this.#parts.builds.db, id);
    return some?.tenantId === owner ? (await this.#newest(id, owner)).id : null;
  }

  async #newest(id: string, owner: Owner): Promise<Build> {
    const { builds } = this.#parts;
    // The first build may be gone where later ones are not.
    const some = (await builds.find(id)) ?? (await anyOf(builds.db, id));
    const newest = some && (await newestShown(builds.db, some.revision.rootId));
    return found(newest, owner);
  }

  /** The revisions of the app that a build belongs to, newest first. */
  async revisions(
    id: string,
    owner: Owner,
    query: { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<ListPage<FactoryJob>> {
    const { builds, context } = this.#parts;
    const cursor = readCursor(query, 'number') as readonly [number] | null;
    const { revision } = found((await builds.find(id)) ?? (await anyOf(builds.db, id)), owner);
    const rows = await revisionsOf(builds.db, revision.rootId, cursor?.[0] ?? null, query.limit);
    return toListPage(
      rows,
      query,
      (build) => [build.revision.number],
      (build) => buildView(build, null, context),
    );
  }

  async #document(build: Build): Promise<RecordDocument> {
    const ahead = await this.#parts.builds.ahead(build);
    const text = JSON.stringify(buildView(build, ahead, this.#parts.context));
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    return { text, etag: `"${hash}"` };
  }

  async list(
    tenantId: string,
    query: { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<ListPage<FactoryJob>> {
    const { builds, context } = this.#parts;
    const cursor = readCursor(query, 'number', 'string') as readonly [number, string] | null;
    const found = await builds.list(tenantId, cursor, query.limit);
    const aheadById = new Map<string, number | null>();
    for (const build of found) aheadById.set(build.id, await builds.ahead(build));
    return toListPage(
      found,
      query,
      (build) => [build.createdAt, build.id],
      (build) => buildView(build, aheadById.get(build.id) ?? null, context),
    );
  }

  async watch(id: string, owner: Owner, after: number, reader: Reader): Promise<Following> {
    const build = await this.find(id, owner);
    if (this.#isExpired(build)) throw expired(build.expiresAt);
    this.#parts.streamSlots.requireOne(readerOf(build, reader));
    return this.follow(build, after, reader);
  }

  eventsUrl({ id, tenantId }: Build): string {
    return `${this.#parts.context.addresses.record(id, tenantId)}/events`;
  }

  follow(build: Build, after: number, reader: Reader): Following {
    let cursor = after;
    const { builds, context, streamSlots } = this.#parts;
    const source = streamSlots.counted(
      readerOf(build, reader),
      followBuild(this.#parts, build, after, reader.signal),
    );
    async function* counted() {
      for await (const event of source) {
        yield event;
        // Only when the next one is asked for has this one been taken.
        cursor = event.seq ?? cursor;
      }
    }
    return {
      events: counted(),
      tooSlow: () => closing(build, 'slow_consumer', cursor, builds.now(), context),
    };
  }

  async cancel(id: string, owner: Owner): Promise<FactoryJob> {
    const { builds, runner, wakes, context } = this.#parts;
    for (;;) {
      const build = await this.find(id, owner);
      if (build.status === 'running') {
        await builds.table.requestCancel(id);
        runner.cancel(id);
      } else if (build.status === 'queued') {
        // It may have been begun in between.
        if ((await builds.take(build, [{ type: 'cancel' }])) === null) continue;
        await runner.over(id);
        wakes.wake(id);
      }
      const now = await this.find(id, owner);
      // It may have been given back before the cancellation reached it; perhaps it even runs again.
      if (!isOver(now) && (now.status === 'queued' || now.cancelRequestedAt === null)) continue;
      return buildView(now, await builds.ahead(now), context);
    }
  }

  async download(id: string, owner: Owner): Promise<Download> {
    const build = await this.find(id, owner);
    const bytes = await zipOf(this.#parts.builds, build);
    const { sha256 = '', fileName = '' } = build.state.artifact ?? {};
    return { bytes, etag: `"${sha256}"`, fileName };
  }

  async files(id: string, owner: Owner): Promise<FileList> {
    return filesOf(this.#parts, await this.find(id, owner));
  }

  async diff(id: string, owner: Owner, against: string | undefined): Promise<FactoryDiff> {
    return diffOf(this.#parts, await this.find(id, owner), against);
  }

  /** The page of a build that succeeded; null when there is none, `expired` when there is none any more. */
  async preview(id: string): Promise<{ html: string; etag: string } | 'expired' | null> {
    const build = await this.#parts.builds.find(id);
    if (build === null) return null;
    if (this.#isExpired(build)) return 'expired';
    const html = build.state.artifact && (await this.#parts.builds.html(id));
    return html && build.state.artifact ? { html, etag: `"${build.state.artifact.sha256}"` } : null;
  }

  /** How the app of a build looks, as PNG; null when there is no picture, `expired` when there is none any more. */
  async picture(id: string): Promise<{ png: Uint8Array; etag: string } | 'expired' | null> {
    const build = await this.#parts.builds.find(id);
    if (build === null) return null;
    if (this.#isExpired(build)) return 'expired';
    const png = await this.#parts.builds.picture(id);
    return png && { png, etag: `"${id}"` };
  }

  #isExpired({ purgedAt, expiresAt }: Build): boolean {
    return purgedAt !== null || expiresAt <= this.#parts.builds.now();
  }

  async find(id: string, owner: Owner): Promise<Build> {
    return found(await this.#parts.builds.find(id), owner);
  }
}

/** A build of this owner. Throws `not_found`; a foreign build looks like none. */
function found(build: Build | null, owner: Owner): Build {
  if (build === null || build.tenantId !== owner)
    throw new ServiceError('not_found', 'There is no build of this id.');
  return build;
}

/** Whose streams are counted together. */
function readerOf({ tenantId }: Build, { client }: Reader): string {
  return tenantId ?? networkOf(client);
}
