import type { BuildEvent, BuildPlan, FactoryJob } from '../../../generated/types.gen.ts';
import type { Build } from './build.ts';
import { buildOnWire, type WireContext } from './on-wire.ts';

/** What events of version 1.0 may lack of a plan or a record. */
type Before<Whole, Name extends keyof Whole> = Omit<Whole, Name> & Partial<Pick<Whole, Name>>;

/**
 * An event with everything that the contract promises today. Events are kept as they were sent, and version 1.0 sent
 * records that know of no revisions, and plans without a spec.
 */
export function asPromised(event: BuildEvent, build: Build, context: WireContext): BuildEvent {
  if ('job' in event)
    return lacksRevision(event.job) ? { ...event, job: whole(event.job, build, context) } : event;
  return event.type === 'plan.ready' ? { ...event, plan: wholePlan(event.plan) } : event;
}

const lacksRevision = (job: Before<FactoryJob, 'revision'>): boolean => job.revision === undefined;

function whole(job: FactoryJob, build: Build, context: WireContext): FactoryJob {
  const { revision, links } = buildOnWire(build, null, context);
  const { revisions, newest } = links;
  return {
    ...job,
    revision,
    plan: job.plan && wholePlan(job.plan),
    links: { ...job.links, revisions, newest },
  };
}

const wholePlan = (plan: Before<BuildPlan, 'spec' | 'not_taken_up' | 'unserved'>): BuildPlan => ({
  spec: null,
  not_taken_up: [],
  unserved: null,
  ...plan,
});
