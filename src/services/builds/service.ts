/** Builds that were accepted, as clients see them: look, watch, cancel, download. */
import { createHash } from 'node:crypto';
import type { BuildEvent, FactoryJob, FactoryStatus } from '../../../generated/types.gen.ts';
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

/** The owner of a build: a tenant, or null for the public demo. */
export type Owner = string | null;

export type FactoryService = ReturnType<typeof createFactoryService>;

/** All methods throw `ServiceError`, and `StoreError`. */
export function createFactoryService(parts: ServiceParts) {
  const { builds, runner, wakes, context, streamSlots } = parts;
  const find = async (id: string, owner: Owner): Promise<Build> => found(await builds.find(id), owner);
  const isExpired = ({ purged_at, expires_at }: Build): boolean =>
    purged_at !== null || expires_at <= builds.now();
  /** The first build may have been deleted where later ones are not. */
  const anyOfApp = async (id: string) => (await builds.find(id)) ?? (await anyOf(builds.db, id));

  async function newestOf(id: string, owner: Owner): Promise<Build> {
    const some = await anyOfApp(id);
    return found(some && (await newestShown(builds.db, some.root_id)), owner);
  }

  async function document(build: Build): Promise<RecordDocument> {
    const text = JSON.stringify(buildView(build, await builds.ahead(build), context));
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    return { text, etag: `"${hash}"` };
  }

  function follow(build: Build, after: number, reader: Reader): Following {
    let cursor = after;
    const source = streamSlots.counted(
      readerOf(build, reader),
      followBuild(parts, build, after, reader.signal),
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

  /** The output of a build; null when there is none, `expired` when there is none any more. */
  async function made<T>(id: string, of: (build: Build) => Promise<T | null> | null) {
    const build = await builds.find(id);
    return build && (isExpired(build) ? 'expired' : of(build));
  }

  return {
    find,
    follow,
    record: async (id: string, owner: Owner) => document(await find(id, owner)),

    /** The record of the newest revision that succeeded of the app that a build belongs to. */
    async newest(id: string, owner: Owner): Promise<RecordDocument> {
      const newest = await newestOf(id, owner);
      if (isExpired(newest)) throw expired(newest.expires_at);
      return document(newest);
    },

    /** The id of the same, for a page; null where there is no such build. */
    async newestId(id: string, owner: Owner): Promise<string | null> {
      const some = await anyOf(builds.db, id);
      return some?.tenant_id === owner ? (await newestOf(id, owner)).id : null;
    },

    /** The revisions of the app that a build belongs to, newest first. */
    async revisions(id: string, owner: Owner, query: ListQuery = {}): Promise<ListPage<FactoryJob>> {
      const cursor = readCursor(query, 'number') as readonly [number] | null;
      const { root_id: rootId } = found(await anyOfApp(id), owner);
      return toListPage(
        await revisionsOf(builds.db, rootId, cursor?.[0] ?? null, query.limit),
        query,
        (build) => [build.revision],
        (build) => buildView(build, null, context),
      );
    },

    async list(tenantId: string, query: ListQuery = {}): Promise<ListPage<FactoryJob>> {
      const cursor = readCursor(query, 'number', 'string') as readonly [number, string] | null;
      const found = await builds.list(tenantId, cursor, query.limit);
      const aheadById = new Map<string, number | null>();
      for (const build of found) aheadById.set(build.id, await builds.ahead(build));
      return toListPage(
        found,
        query,
        (build) => [build.created_at, build.id],
        (build) => buildView(build, aheadById.get(build.id) ?? null, context),
      );
    },

    async watch(id: string, owner: Owner, after: number, reader: Reader): Promise<Following> {
      const build = await find(id, owner);
      if (isExpired(build)) throw expired(build.expires_at);
      streamSlots.requireOne(readerOf(build, reader));
      return follow(build, after, reader);
    },

    eventsUrl: ({ id, tenant_id }: Build): string => `${context.addresses.record(id, tenant_id)}/events`,

    async cancel(id: string, owner: Owner): Promise<FactoryJob> {
      for (;;) {
        const build = await find(id, owner);
        if (build.status === 'running') {
          await builds.table.requestCancel(id);
          runner.cancel(id);
        } else if (build.status === 'queued') {
          // It may have been begun in between.
          if ((await builds.take(build, [{ type: 'cancel' }])) === null) continue;
          await runner.over(id);
          wakes.wake(id);
        }
        const now = await find(id, owner);
        // It may have been given back before the cancellation reached it; perhaps it even runs again.
        if (!isOver(now) && (now.status === 'queued' || now.cancel_requested_at === null)) continue;
        return buildView(now, await builds.ahead(now), context);
      }
    },

    async download(id: string, owner: Owner): Promise<Download> {
      const build = await find(id, owner);
      const bytes = await zipOf(builds, build);
      const { sha256 = '', fileName = '' } = build.state.artifact ?? {};
      return { bytes, etag: `"${sha256}"`, fileName };
    },

    files: async (id: string, owner: Owner) => filesOf(parts, await find(id, owner)),

    diff: async (id: string, owner: Owner, against: string | undefined) =>
      diffOf(parts, await find(id, owner), against),

    /** The page of a build that succeeded; null when there is none, `expired` when there is none any more. */
    preview: (id: string) =>
      made(id, async ({ state: { artifact } }) => {
        const html = artifact && (await builds.output(id, 'html'));
        return html && artifact ? { html, etag: `"${artifact.sha256}"` } : null;
      }),

    /** How the app of a build looks, as PNG; null when there is no picture, `expired` when there is none any more. */
    picture: (id: string) =>
      made(id, async () => {
        const png = await builds.output(id, 'picture');
        return png && { png, etag: `"${id}"` };
      }),
  };
}

interface ListQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A build of this owner. Throws `not_found`; a foreign build looks like none. */
function found(build: Build | null, owner: Owner): Build {
  if (build === null || build.tenant_id !== owner)
    throw new ServiceError('not_found', 'There is no build of this id.');
  return build;
}

/** The reader whose streams are counted together. */
function readerOf({ tenant_id: tenantId }: Build, { client }: Reader): string {
  return tenantId ?? networkOf(client);
}
