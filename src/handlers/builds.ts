import type { TemplateList } from '../../generated/types.gen.ts';
import { callerOf } from '../accounts/caller.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Handlers } from '../contract/handlers.ts';
import type { Scope } from '../contract/registry.ts';
import type { Factory } from '../factory/builds/open-factory.ts';
import type { Download, Following } from '../factory/builds/service.ts';
import { templateList } from '../factory/catalogue.ts';
import { type StaticText, staticText } from '../lib/static-text.ts';
import { firstEvent } from './first-event.ts';

/** Demo builds belong to nobody: whoever has the id may see them. */
const nobody = null;

export function demoHandlers({ intake, service }: Factory) {
  return {
    createPublicDemo: async ({ body }, scope) => {
      const build = await intake.startDemo(body, scope.client, scope);
      scope.note('job_id', build.id);
      const link = `<${service.eventsUrl(build)}>; rel="monitor"`;
      return {
        status: 200,
        framing: 'data',
        headers: { 'x-job-id': build.id, link },
        ...service.follow(build, 0, scope),
      };
    },
    getPublicDemo: async ({ path }) => ({ ...json, ...(await service.record(path.job_id, nobody)) }),
    streamPublicDemoEvents: async ({ path, query }, scope) =>
      numbered(await service.watch(path.job_id, nobody, firstEvent(query?.after, scope), scope)),
    getPublicDemoArtifact: async ({ path }) => zip(await service.download(path.job_id, nobody)),
    createPublicPlan: soon,
    createPublicDemoRevision: soon,
    listPublicDemoRevisions: soon,
    getNewestPublicDemo: soon,
    getPublicDemoDiff: soon,
    listPublicDemoFiles: soon,
    listPublicTemplates: async () => {
      templates ??= staticText(JSON.stringify(templateList() satisfies TemplateList));
      return { ...json, ...templates };
    },
  } satisfies Partial<Handlers>;
}

export function buildHandlers({ intake, service }: Factory) {
  const owner = ({ principal }: Scope) => callerOf(principal).tenantId;
  return {
    createFactoryJob: async ({ body }, scope) => {
      const build = await intake.start(body, callerOf(scope.principal), scope);
      scope.note('job_id', build.id);
      return { status: 202, body: build, headers: { location: build.links.self } };
    },
    listFactoryJobs: async ({ query }, scope) => {
      const { items, nextCursor } = await service.list(owner(scope), query);
      return { status: 200, body: { object: 'list', data: [...items], next_cursor: nextCursor } };
    },
    getFactoryJob: async ({ path }, scope) => ({
      ...json,
      ...(await service.record(path.job_id, owner(scope))),
    }),
    streamFactoryJobEvents: async ({ path, query }, scope) =>
      numbered(await service.watch(path.job_id, owner(scope), firstEvent(query?.after, scope), scope)),
    cancelFactoryJob: async ({ path }, scope) => ({
      status: 200,
      body: await service.cancel(path.job_id, owner(scope)),
    }),
    createFactoryPlan: soon,
    createFactoryRevision: soon,
    listFactoryRevisions: soon,
    getNewestFactoryJob: soon,
    getFactoryJobDiff: soon,
    listFactoryJobFiles: soon,
    getFactoryJobArtifact: async ({ path }, scope) => zip(await service.download(path.job_id, owner(scope))),
  } satisfies Partial<Handlers>;
}

const json = { status: 200, mediaType: 'application/json' } as const;

const soon = async (): Promise<never> => {
  throw new ServiceError('endpoint_planned', 'Not available yet.');
};

let templates: StaticText | undefined;

function numbered(following: Following) {
  return { status: 200, framing: 'numbered', ...following } as const;
}

function zip({ bytes, etag, fileName }: Download) {
  const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
  return { status: 200, mediaType: 'application/zip', bytes, etag, headers } as const;
}
