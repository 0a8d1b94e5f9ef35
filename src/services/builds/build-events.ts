import type { BuildEvent } from '../../../generated/types.gen.ts';
import { kindOfApp, type TemplateName } from '../../factory/factory.ts';
import { isoTime } from '../../lib/utc.ts';
import type { Build } from './build.ts';
import { artifactView, buildView, previewView, type WireContext } from './view.ts';

/** Events that are stored; the others belong to one stream. */
type Stored = Exclude<BuildEvent, { readonly type: 'queue.position' | 'heartbeat' | 'stream.closing' }>;
type ByRecord = 'v' | 'seq' | 'job_id' | 'at' | 'job' | 'final' | 'choices' | 'artifact' | 'preview';
type Common = 'type' | 'stage' | 'attempt' | 'message';

/** The event of a step: a stored one without the fields that `eventView` adds. Those that carry the record are the last of a step. */
export type StepEvent = { [Type in Stored['type']]: Omit<EventOf<Type>, ByRecord> }[Stored['type']];

type EventOf<Type> = Extract<Stored, { readonly type: Type }>;

/** @param own the fields that only this type has */
export function stepEvent<Type extends Stored['type']>(
  { stage, attempt }: Pick<Build, 'stage' | 'attempt'>,
  type: Type,
  message: string,
  own: Omit<EventOf<Type>, ByRecord | Common>,
): StepEvent {
  return { type, stage, attempt, message, ...own } as unknown as StepEvent;
}

/**
 * An event as it is stored and sent.
 * @param build the build after the step that the event is part of
 */
export function eventView(
  { type, ...reported }: StepEvent,
  seq: number,
  build: Build,
  at: number,
  context: WireContext,
): BuildEvent {
  const event = { v: 1, seq, type, job_id: build.id, at: isoTime(at), ...reported };
  return { ...event, ...byRecord(type, build, context) } as unknown as BuildEvent;
}

function byRecord(type: Stored['type'], build: Build, context: WireContext): object {
  switch (type) {
    case 'job.queued':
      return { job: buildView(build, null, context) };
    case 'job.unsure': {
      const choices = (build.state.plan?.unserved?.nearest ?? []).slice(0, maxChoices).map(startingPoint);
      return { choices, job: buildView(build, null, context), final: true };
    }
    case 'job.succeeded':
    case 'job.failed':
    case 'job.cancelled':
      return { job: buildView(build, null, context), final: true };
    case 'artifact.ready':
      return { artifact: artifactView(build, context.addresses) };
    case 'preview.ready':
      return { preview: previewView(build, context.addresses) };
    default:
      return {};
  }
}

/** Kinds that people choose from where it is not clear which one they want. */
const maxChoices = 3;

function startingPoint(kind: TemplateName) {
  const { name, description } = kindOfApp(kind);
  return { template_id: kind, name, description };
}
