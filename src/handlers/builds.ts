import type { FactoryJob, JobList, TemplateList } from '../../generated/types.gen.ts';
import type { Scope } from '../contract/registry.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { templateList } from '../factory/factory.ts';
import { type StaticText, staticText } from '../lib/static-text.ts';
import type { Build } from '../services/builds/build.ts';
import type { Factory } from '../services/builds/open-factory.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import { tagsHeader } from '../tenants/metering/demand.ts';
import { firstEvent } from './agents.ts';
import { document, ok } from './replies.ts';

/** Demo builds have no owner: anyone who has the id may see them. */
const nobody = null;

export function demoHandlers(factory: Factory) {
  const { intake, revisions, planning, service } = factory;
  const own = buildsOf(factory, () => nobody);
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
    getPublicDemo: own.record,
    streamPublicDemoEvents: own.events,
    getPublicDemoArtifact: own.artifact,
    createPublicPlan: async ({ body }, scope) => ok(await planning.forDemo(body, scope.client, scope)),
    createPublicDemoRevision: async ({ path, body }, scope) =>
      watched(await revisions.startDemo(path.job_id, body, scope.client, scope), scope),
    listPublicDemoRevisions: own.revisions,
    getNewestPublicDemo: own.newest,
    getPublicDemoDiff: own.diff,
    listPublicDemoFiles: own.files,
    listPublicTemplates: async () => {
      templates ??= staticText(JSON.stringify(templateList() satisfies TemplateList));
      return document(templates);
    },
  } satisfies Partial<Handlers>;
}

export function buildHandlers(factory: Factory) {
  const { intake, revisions, planning, service } = factory;
  const owner = ({ principal }: Scope) => callerOf(principal).tenantId;
  const own = buildsOf(factory, owner);
  return {
    createFactoryJob: async ({ body }, scope) =>
      accepted(await intake.start(body, callerOf(scope.principal), asked(scope)), scope),
    listFactoryJobs: async ({ query }, scope) => listed(await service.list(owner(scope), query)),
    getFactoryJob: own.record,
    streamFactoryJobEvents: own.events,
    cancelFactoryJob: async ({ path }, scope) => ok(await service.cancel(path.job_id, owner(scope))),
    createFactoryPlan: async ({ body }, scope) =>
      ok(await planning.forTenant(body, callerOf(scope.principal), asked(scope))),
    createFactoryRevision: async ({ path, body }, scope) =>
      accepted(await revisions.start(path.job_id, body, callerOf(scope.principal), asked(scope)), scope),
    listFactoryRevisions: own.revisions,
    getNewestFactoryJob: own.newest,
    getFactoryJobDiff: own.diff,
    listFactoryJobFiles: own.files,
    getFactoryJobArtifact: own.artifact,
  } satisfies Partial<Handlers>;
}

/** Reads builds, in the same way for all owners. */
function buildsOf({ service }: Factory, owner: (scope: Scope) => string | null) {
  return {
    record: async ({ path }, scope) => document(await service.record(path.job_id, owner(scope))),
    newest: async ({ path }, scope) => document(await service.newest(path.job_id, owner(scope))),
    events: async ({ path, query }, scope) => {
      const after = firstEvent(query?.after, scope);
      const following = await service.watch(path.job_id, owner(scope), after, scope);
      return { status: 200, framing: 'numbered', ...following } as const;
    },
    revisions: async ({ path, query }, scope) =>
      listed(await service.revisions(path.job_id, owner(scope), query)),
    diff: async ({ path, query }, scope) => ok(await service.diff(path.job_id, owner(scope), query?.against)),
    files: async ({ path }, scope) => ok(await service.files(path.job_id, owner(scope))),
    artifact: async ({ path }, scope) => {
      const { bytes, etag, fileName } = await service.download(path.job_id, owner(scope));
      const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
      return { status: 200, mediaType: 'application/zip', bytes, etag, headers } as const;
    },
  } satisfies Readonly<Record<string, BuildHandler>>;
}

type BuildHandler = (
  request: {
    path: { job_id: string };
    query: { after?: number; against?: string; limit?: number; cursor?: string };
  },
  scope: Scope,
) => Promise<object>;

function accepted(build: FactoryJob, scope: Scope) {
  scope.note('job_id', build.id);
  return { status: 202, body: build, headers: { location: build.links.self } } as const;
}

function listed({ items, nextCursor }: Awaited<ReturnType<Factory['service']['list']>>) {
  const body: JobList = { object: 'list', data: [...items], next_cursor: nextCursor };
  return ok(body);
}

let templates: StaticText | undefined;

/** The parts of a tenant's request beside its body. */
function asked(scope: Scope) {
  const { requestId, tellLimits, work, signal } = scope;
  return { requestId, tellLimits, work, signal, tagsHeader: scope.header(tagsHeader) };
}
