import type { BuildEvent, BuildPlan, FactoryJob, StreamClosingEvent } from '../../../generated/types.gen.ts';
import type { Wakes } from '../../background/jobs/follow.ts';
import { follow, type Pause } from '../../background/jobs/follow.ts';
import { type Build, isOver } from './build.ts';
import type { BuildStore } from './build-store.ts';

import { buildView, streamEvent, type WireContext } from './view.ts';

const lacksRevision = (job: Before<FactoryJob, 'revision'>): boolean => job.revision === undefined;

const wholePlan = (
  plan: Before<BuildPlan, 'spec' | 'not_taken_up' | 'unserved' | 'conflicts' | 'must'>,
): BuildPlan => ({
  spec: null,
  not_taken_up: [],
  unserved: null,
  conflicts: [],
  must: [],
  ...plan,
});

export interface FollowSettings {
  /** Silence after which a stream says that it is still there, in milliseconds. */
  readonly heartbeatMs: number;
  /** How often to look for what another process has done, in milliseconds. */
  readonly pollMs: number;
  /** Maximum time that a stream stays open, in milliseconds. */
  readonly maxDurationMs: number;
}

export const followSettings: FollowSettings = { heartbeatMs: 10_000, pollMs: 500, maxDurationMs: 300_000 };

/** How long a client waits before it reads on, in milliseconds. */
const retryMs = 1_000;

export interface FollowParts {
  readonly builds: BuildStore;
  readonly wakes: Wakes;
  readonly context: WireContext;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** This process. Of the builds that it runs it hears by itself. */
  readonly workerId: string;
  readonly settings: FollowSettings;
}

/**
 * The events of a build after a number, to its end, and between them those of this stream alone: the build's position
 * in the queue, signs of life, and why the stream ends before the build.
 * @param after number of the last event that the reader has; one past the end gives the final event again
 * @param signal aborted when the reader has disconnected
 */
export function followBuild(
  { builds, wakes, context, stopping, workerId, settings }: FollowParts,
  build: Build,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<BuildEvent> {
  const endsAt = performance.now() + settings.maxDurationMs;
  let current = build;
  let ahead: number | null = null;
  let read: number | null = null;
  let saidAt = performance.now();

  const pause = async (seq: number): Promise<Pause<BuildEvent>> => {
    if (seq !== read) saidAt = performance.now();
    read = seq;
    current = (await builds.find(build.id)) ?? current;
    // Something was stored between the two looks.
    if (current.last_seq > seq) return { say: [], until: 0 };
    // The build has expired meanwhile; there is nothing left to say.
    if (isOver(current)) return { say: [], until: null };
    const reason = stopping.aborted ? 'shutdown' : performance.now() >= endsAt ? 'max_duration' : null;
    if (reason) return { say: [closing(current, reason, seq, builds.now(), context)], until: null };
    const say: BuildEvent[] = [];
    const position = await builds.ahead(current);
    if (position !== null && position !== ahead && (position > 0 || ahead !== null)) {
      ahead = position;
      saidAt = performance.now();
      say.push(queuePosition(current, position, builds.now()));
    }
    if (performance.now() - saidAt >= settings.heartbeatMs) {
      saidAt = performance.now();
      say.push(streamEvent('heartbeat', current, builds.now(), 'The build continues.'));
    }
    const pollMs = current.worker_id === workerId ? settings.heartbeatMs : settings.pollMs;
    return { say, until: Math.min(performance.now() + pollMs, saidAt + settings.heartbeatMs, endsAt) };
  };

  return follow(
    {
      id: build.id,
      last: build.last_seq,
      over: isOver(build),
      wakes,
      read: async (seq) =>
        (await builds.table.events(build.id, seq)).map((event) => asPromised(event, build, context)),
      isEnd: (event) => 'final' in event,
      pause,
      alarm: stopping,
    },
    after,
    signal,
  );
}

function queuePosition(build: Build, ahead: number, now: number): BuildEvent {
  const message =
    ahead === 0 ? 'The build is next.' : `${ahead} ${ahead === 1 ? 'build is' : 'builds are'} ahead.`;
  return { ...streamEvent('queue.position', build, now, message), position: ahead + 1, ahead };
}

/** The last event of a stream that ends before its build. */
export function closing(
  build: Build,
  reason: StreamClosingEvent['reason'],
  cursor: number,
  now: number,
  { addresses }: WireContext,
): StreamClosingEvent {
  const messages = {
    shutdown: 'The server is stopping; the build continues.',
    max_duration: 'This stream was open for long enough; the build continues.',
    slow_consumer: 'This stream was not read; the build continues.',
  };
  return {
    ...streamEvent('stream.closing', build, now, messages[reason]),
    reason,
    resume_url: `${addresses.record(build.id, build.tenant_id)}/events?after=${cursor}`,
    retry_ms: retryMs,
  };
}

/** Events of version 1.0 may lack some fields of a plan or a record. */
type Before<Whole, Name extends keyof Whole> = Omit<Whole, Name> & Partial<Pick<Whole, Name>>;

/**
 * An event with everything that the contract promises today. Events are kept as they were sent, and version 1.0 sent
 * records that know of no revisions, and plans without a spec.
 */
function asPromised(event: BuildEvent, build: Build, context: WireContext): BuildEvent {
  if ('job' in event)
    return lacksRevision(event.job) ? { ...event, job: whole(event.job, build, context) } : event;
  return event.type === 'plan.ready' ? { ...event, plan: wholePlan(event.plan) } : event;
}

function whole(job: FactoryJob, build: Build, context: WireContext): FactoryJob {
  const { revision, links } = buildView(build, null, context);
  const { revisions, newest } = links;
  return {
    ...job,
    revision,
    plan: job.plan && wholePlan(job.plan),
    links: { ...job.links, revisions, newest },
  };
}
