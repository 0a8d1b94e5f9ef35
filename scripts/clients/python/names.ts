import type { OperationAt } from '../../../src/contract/served/document.ts';

/** Where the methods of some operations are; all others are in the resource of their tag, under their operation id. */
const names: Readonly<Record<string, string>> = {
  createChat: 'chat.create',
  streamChat: 'chat.stream',
  listModels: 'models.list',
  listAgents: 'agents.list',
  getAgent: 'agents.get',
  runAgent: 'agents.run',
  streamAgentRun: 'agents.stream',
  listAgentRuns: 'agents.list_runs',
  getAgentRun: 'agents.get_run',
  streamAgentRunEvents: 'agents.events',
  cancelAgentRun: 'agents.cancel_run',
  listFeatures: 'ai.list',
  useFeature: 'ai.use',
  streamFeature: 'ai.stream',
  getUsage: 'usage.get',
  listRequests: 'requests.list',
  getRequest: 'requests.get',
  createFactoryJob: 'builds.create',
  listFactoryJobs: 'builds.list',
  getFactoryJob: 'builds.get',
  streamFactoryJobEvents: 'builds.events',
  cancelFactoryJob: 'builds.cancel',
  getFactoryJobArtifact: 'builds.download',
  createFactoryPlan: 'builds.plan',
  createFactoryRevision: 'builds.revise',
  listFactoryRevisions: 'builds.revisions',
  getNewestFactoryJob: 'builds.newest',
  getFactoryJobDiff: 'builds.compare',
  listFactoryJobFiles: 'builds.list_files',
  createPublicDemo: 'demo.create',
  listPublicTemplates: 'demo.templates',
  getPublicDemo: 'demo.get',
  streamPublicDemoEvents: 'demo.events',
  getPublicDemoArtifact: 'demo.download',
  createPublicPlan: 'demo.plan',
  createPublicDemoRevision: 'demo.revise',
  listPublicDemoRevisions: 'demo.revisions',
  getNewestPublicDemo: 'demo.newest',
  getPublicDemoDiff: 'demo.compare',
  listPublicDemoFiles: 'demo.list_files',
};

const resources: Readonly<Record<string, string>> = {
  'AI features': 'ai',
  'Public demo': 'demo',
  'Factory jobs': 'builds',
};

export interface PythonName {
  /** Attribute of the client. */
  readonly resource: string;
  readonly method: string;
}

/** Where an operation is found on the client, for example `chat.create`; null for the old name of another. */
export function pythonName({ id, operation }: OperationAt): PythonName | null {
  if (operation.deprecated) return null;
  const tag = operation.tags[0];
  const name = names[id] ?? `${resources[tag] ?? tag.toLowerCase()}.${snakeCase(id)}`;
  const [resource = '', method = ''] = name.split('.');
  return { resource, method };
}

export function snakeCase(name: string): string {
  return name
    .replaceAll('-', '_')
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

/** A name that Python has no other use for. */
export function argumentName(name: string): string {
  const snake = snakeCase(name);
  return ['from', 'class', 'import', 'in', 'is', 'not', 'with'].includes(snake) ? `${snake}_` : snake;
}
