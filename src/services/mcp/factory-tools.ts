import type { FactoryJob } from '../../../generated/types.gen.ts';
import type { Factory } from '../builds/open-factory.ts';
import { type Offer, type OfferContext, structured } from './offer.ts';
import { appMediaType, appOf } from './resources.ts';

type Parts = Pick<Factory, 'intake' | 'planning' | 'revisions' | 'service'>;

/**
 * A client of MCP gives a call up after a minute, unless it gets progress; a build that takes longer is read later. In
 * milliseconds.
 */
const waitMs = 45_000;
const toldWaitMs = 600_000;
/** Leaves time to read the state of the build. */
const maxMs = toldWaitMs + 10_000;

const prompt = {
  type: 'string',
  minLength: 3,
  maxLength: 4000,
  description: 'What the app is, for whom, what it keeps and what one can do with it.',
} as const;
const jobId = { type: 'string', description: 'The id of a build.' } as const;

/** The build factory as tools: each build and each plan is one request of the plan, as on the factory's own interface. */
export function factoryOffers({ intake, planning, revisions, service }: Parts): readonly Offer[] {
  /** The build when it is over, or as it stands when the client would wait no longer. */
  const whenOver = async (id: string, context: OfferContext): Promise<FactoryJob> => {
    const owner = context.caller.tenantId;
    context.note('job_id', id);
    const limit = AbortSignal.any([
      context.signal,
      AbortSignal.timeout(context.onprogress ? toldWaitMs : waitMs),
    ]);
    try {
      const { events } = await service.watch(id, owner, 0, { client: context.client, signal: limit });
      for await (const event of events)
        if (event.type === 'stage.completed')
          context.onprogress?.({ progress: event.percent, total: 100, message: event.message });
    } catch (thrown) {
      if (!limit.aborted || context.signal.aborted) throw thrown;
    }
    return JSON.parse((await service.record(id, owner)).text) as FactoryJob;
  };
  const built = async (id: string, context: OfferContext) => {
    const build = await whenOver(id, context);
    const { status, title, plan, preview, links, error } = build;
    const result = structured({ job_id: id, status, title, plan, preview, links, error });
    if (status === 'failed') return { ...result, isError: true };
    if (status !== 'succeeded') return result;
    const uri = appOf(id);
    const app = { type: 'resource_link' as const, uri, name: title ?? id, mimeType: appMediaType };
    return { ...result, content: [...result.content, app], _meta: { ui: { resourceUri: uri } } };
  };
  return [
    {
      tool: {
        name: 'plan_app',
        title: 'Plan an app',
        description: 'Says what app would be built of a description: its kind, screens, fields and colours.',
        inputSchema: { type: 'object', properties: { prompt }, required: ['prompt'] },
        annotations: { readOnlyHint: true },
      },
      async call(values, context) {
        const request = { prompt: String(values['prompt']) };
        return structured(await planning.forTenant(request, context.caller, context));
      },
    },
    {
      tool: {
        name: 'build_app',
        title: 'Build an app',
        description:
          'Builds a small web app from a description and gives its links: a preview, the files and an archive. ' +
          'A build that takes longer than 45 seconds, or 10 minutes for a client that wants progress, continues; read it with get_build.',
        inputSchema: { type: 'object', properties: { prompt }, required: ['prompt'] },
      },
      maxMs,
      async call(values, context) {
        const { id } = await intake.start({ prompt: String(values['prompt']) }, context.caller, context);
        return built(id, context);
      },
    },
    {
      tool: {
        name: 'revise_app',
        title: 'Change an app',
        description: 'Builds a changed revision of an app that was built before.',
        inputSchema: {
          type: 'object',
          properties: {
            job_id: jobId,
            instruction: {
              type: 'string',
              minLength: 1,
              maxLength: 500,
              description: 'The change in plain words.',
            },
          },
          required: ['job_id', 'instruction'],
        },
      },
      maxMs,
      async call(values, context) {
        const { caller } = context;
        const change = { instruction: String(values['instruction']) };
        const { id } = await revisions.start(String(values['job_id']), change, caller, context);
        return built(id, context);
      },
    },
    {
      tool: {
        name: 'get_build',
        title: 'Read a build',
        description: 'Says how a build stands, with its plan and its links.',
        inputSchema: { type: 'object', properties: { job_id: jobId }, required: ['job_id'] },
        annotations: { readOnlyHint: true },
      },
      async call(values, { caller }) {
        return structured(JSON.parse((await service.record(String(values['job_id']), caller.tenantId)).text));
      },
    },
  ];
}
