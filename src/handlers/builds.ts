import type { FactoryJob, JobList, TemplateList } from '../../generated/types.gen.ts';
import type { Scope } from '../contract/registry.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { templateList } from '../factory/factory.ts';
import { type StaticText, staticText } from '../lib/static-text.ts';
import type { Build } from '../services/builds/build.ts';
import type { Factory } from '../services/builds/open-factory.ts';
import type { Download, Following } from '../services/builds/service.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import { tagsHeader } from '../tenants/metering/demand.ts';
import { firstEvent } from './agents.ts';

/** Demo builds have no owner: anyone who has the id may see them. */
const nobody = null;

export function demoHandlers({ intake, revisions, planning, service }: Factory) {
  const watched = (build: Build, scope: Scope) => {
    scope.note('job_id', build.id);
    const link = `<${service.eventsUrl(build)}>; rel="monitor"`;
    return {
      status: 200,
      framing: 'data',
      headers: { 'x-job-id': build.id, link },
      ...service.follow(build, 0, scope),
    } as const;
  };
  return {
    createPublicDemo: async ({ body }, scope) =>
      watched(await intake.startDemo(body, scope.client, scope), scope),
    getPublicDemo: async ({ path }) => ({ ...json, ...(await service.record(path.job_id, nobody)) }),
    streamPublicDemoEvents: async ({ path, query }, scope) =>
      numbered(await service.watch(path.job_id, nobody, firstEvent(query?.after, scope), scope)),
    getPublicDemoArtifact: async ({ path }) => zip(await service.download(path.job_id, nobody)),
    createPublicPlan: async ({ body }, scope) => ({
      status: 200,
      body: await planning.forDemo(body, scope.client, scope),
    }),
    createPublicDemoRevision: async ({ path, body }, scope) =>
      watched(await revisions.startDemo(path.job_id, body, scope.client, scope), scope),
    listPublicDemoRevisions: async ({ path, query }) =>
      listed(await service.revisions(path.job_id, nobody, query)),
    getNewestPublicDemo: async ({ path }) => ({ ...json, ...(await service.newest(path.job_id, nobody)) }),
    getPublicDemoDiff: async ({ path, query }) => ({
      status: 200,
      body: await service.diff(path.job_id, nobody, query?.against),
    }),
    listPublicDemoFiles: async ({ path }) => ({
      status: 200,
      body: await service.files(path.job_id, nobody),
    }),
    listPublicTemplates: async () => {
      templates ??= staticText(JSON.stringify(templateList() satisfies TemplateList));
      return { ...json, ...templates };
    },
  } satisfies Partial<Handlers>;
}

export function buildHandlers({ intake, revisions, planning, service }: Factory) {
  const owner = ({ principal }: Scope) => callerOf(principal).tenantId;
  return {
    createFactoryJob: async ({ body }, scope) =>
      accepted(await intake.start(body, callerOf(scope.principal), asked(scope)), scope),
    listFactoryJobs: async ({ query }, scope) => listed(await service.list(owner(scope), query)),
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
    createFactoryPlan: async ({ body }, scope) => ({
      status: 200,
      body: await planning.forTenant(body, callerOf(scope.principal), asked(scope)),
    }),
    createFactoryRevision: async ({ path, body }, scope) =>
      accepted(await revisions.start(path.job_id, body, callerOf(scope.principal), asked(scope)), scope),
    listFactoryRevisions: async ({ path, query }, scope) =>
      listed(await service.revisions(path.job_id, owner(scope), query)),
    getNewestFactoryJob: async ({ path }, scope) => ({
      ...json,
      ...(await service.newest(path.job_id, owner(scope))),
    }),
    getFactoryJobDiff: async ({ path, query }, scope) => ({
      status: 200,
      body: await service.diff(path.job_id, owner(scope), query?.against),
    }),
    listFactoryJobFiles: async ({ path }, scope) => ({
      status: 200,
      body: await service.files(path.job_id, owner(scope)),
    }),
    getFactoryJobArtifact: async ({ path }, scope) => zip(await service.download(path.job_id, owner(scope))),
  } satisfies Partial<Handlers>;
}

const json = { status: 200, mediaType: 'application/json' } as const;

function accepted(build: FactoryJob, scope: Scope) {
  scope.note('job_id', build.id);
  return { status: 202, body: build, headers: { location: build.links.self } } as const;
}

function listed({ items, nextCursor }: Awaited<ReturnType<Factory['service']['list']>>) {
  const body: JobList = { object: 'list', data: [...items], next_cursor: nextCursor };
  return { status: 200, body } as const;
}

let templates: StaticText | undefined;

function numbered(following: Following) {
  return { status: 200, framing: 'numbered', ...following } as const;
}

function zip({ bytes, etag, fileName }: Download) {
  const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
  return { status: 200, mediaType: 'application/zip', bytes, etag, headers } as const;
}

/** What a request of a tenant has beside its body. */
function asked(scope: Scope) {
  const { requestId, tellLimits, work, signal } = scope;
  return { requestId, tellLimits, work, signal, tagsHeader: scope.header(tagsHeader) };
}
