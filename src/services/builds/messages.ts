import type { Stage } from '../../factory/factory.ts';
import type { Build } from './build.ts';
import type { Told } from './build-events.ts';

const begins: Readonly<Record<Stage, string>> = {
  planning: 'Planning the app.',
  generating: 'Writing the files.',
  verifying: 'Checking the app.',
  repairing: 'Repairing what the checks have found.',
  packaging: 'Packing the app.',
};

const ends: Readonly<Record<Stage, string>> = {
  planning: 'The app is planned.',
  generating: 'The files are written.',
  verifying: 'The app is checked.',
  repairing: 'The repairs are done.',
  packaging: 'The app is packed.',
};

/** An event in one line of English. */
export function messageOf(told: Told, { state }: Build): string {
  switch (told.type) {
    case 'job.queued':
      return 'The build is accepted.';
    case 'job.started':
      return told.attempt > 1 ? 'The build begins again.' : 'The build begins.';
    case 'stage.started':
      return begins[told.stage];
    case 'stage.completed':
      return ends[told.stage];
    case 'plan.ready':
      return [
        `${told.plan.kind.charAt(0).toUpperCase()}${told.plan.kind.slice(1)}: “${told.plan.name}”.`,
        ...(told.plan.unserved ? ['It may not be what was asked for.'] : []),
      ].join(' ');
    case 'file.completed':
      return `${told.path} is written.`;
    case 'check.completed':
      return `${told.check.id}: ${told.check.status}.`;
    case 'repair.started':
      return `Repairing ${counted(told.problems.length)}.`;
    case 'repair.completed':
      return `${counted(told.fixed)} solved, ${told.remaining} left.`;
    case 'notice':
      return told.message;
    case 'artifact.ready':
      return `${told.artifact.fileName} can be downloaded.`;
    case 'preview.ready':
      return 'The app can be tried.';
    case 'job.succeeded':
      return `“${state.plan?.name ?? 'The app'}” is ready.`;
    case 'job.failed':
    case 'job.unsure':
      return told.failure.message;
    case 'job.cancelled':
      return 'The build was cancelled.';
  }
}

function counted(problems: number): string {
  return `${problems} ${problems === 1 ? 'problem' : 'problems'}`;
}
