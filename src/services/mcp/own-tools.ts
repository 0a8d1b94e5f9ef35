import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { AgentRunRequest } from '../../../generated/types.gen.ts';
import { toServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import { admit, nothingDelivered } from '../../tenants/metering/meter.ts';
import { type AgentService, operationOf } from '../agents/service.ts';
import { compileLoosely, requireFit } from '../agents/tools/schemas.ts';
import { type AgentTool, ToolError, type ToolResult } from '../agents/tools/tool.ts';
import type { Factory } from '../builds/open-factory.ts';
import type { Feature } from '../features/catalogue.ts';
import type { FeatureService } from '../features/service.ts';
import { factoryOffers } from './factory-tools.ts';
import { type Offer, type OfferContext, structured } from './offer.ts';
import type { ReadApp } from './resources.ts';

export interface OwnParts {
  readonly admissions: Admissions;
  readonly agents: AgentService;
  readonly features: FeatureService;
  readonly factory: Pick<Factory, 'intake' | 'planning' | 'revisions' | 'service'>;
}

/** Maximum time of a call of a small tool, in milliseconds. */
const ownToolMs = 60_000;
/** How long an agent may take beyond its own limit, to end and be written down. */
const endMs = 10_000;
/** How often a client learns that an agent is still at work, in milliseconds: it gives up a silent call. */
const stillMs = 15_000;

/** The id of this server's own tools among those of other servers. */
export const ownServer = 'switchyard';

/** This server's own tools for a key: small ones, and those that the key's scopes open. */
export function ownOffers(
  parts: OwnParts,
  plain: readonly AgentTool[],
  { scopes }: Caller,
): readonly Offer[] {
  return [
    // Builds have tools that say more.
    ...plain
      .filter(({ name, available }) => available && name !== 'build_app')
      .map((tool) => plainOffer(parts.admissions, tool)),
    ...Object.entries(offersByScope).flatMap(([scope, offers]) => (scopes.has(scope) ? offers(parts) : [])),
  ];
}

const offersByScope: Readonly<Record<string, (parts: OwnParts) => readonly Offer[]>> = {
  ai: ({ features }) => featureOffers(features),
  agents: ({ agents }) => agentOffers(agents),
  factory: ({ factory }) => factoryOffers(factory),
};

/** The scope that a key lacks for one of this server's own tools; null if no scope would give it a tool of this name. */
export function missingScope(parts: OwnParts, { scopes }: Caller, name: string): string | null {
  const found = Object.entries(offersByScope).find(
    ([scope, offers]) => !scopes.has(scope) && offers(parts).some(({ tool }) => tool.name === name),
  );
  return found?.[0] ?? null;
}

/** The way to the apps of a caller's builds; null: its key has none. */
export function readAppFor({ service }: OwnParts['factory'], { scopes, tenantId }: Caller): ReadApp | null {
  if (!scopes.has('factory')) return null;
  return async (jobId) => {
    try {
      await service.find(jobId, tenantId);
    } catch (thrown) {
      if (toServiceError(thrown).code === 'not_found') return null;
      throw thrown;
    }
    const page = await service.preview(jobId);
    return page === 'expired' ? null : (page?.html ?? null);
  };
}

/** A call that costs nothing but its place among the requests of the plan. */
export async function countedCall<Result>(
  admissions: Admissions,
  context: OfferContext,
  served: { readonly provider: string; readonly model: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const meter = await admit(admissions, context, { model: null, callsNone: true });
  const delivered = { served: { ...served, warnings: [] }, usage: null };
  try {
    const result = await work();
    await meter.succeeded(delivered);
    return result;
  } catch (thrown) {
    await meter.failed(thrown, nothingDelivered);
    throw thrown;
  }
}

function plainOffer(admissions: Admissions, { name, description, parameters, run }: AgentTool): Offer {
  return {
    tool: { name, description, inputSchema: { ...parameters, type: 'object' } },
    call: (values, context) =>
      countedCall(admissions, context, { provider: ownServer, model: name }, async () =>
        textResult(await run(values, { ...context, onUsage: () => undefined })),
      ),
  };
}

function textResult(result: string | ToolResult): CallToolResult {
  return { content: [{ type: 'text', text: typeof result === 'string' ? result : result.text }] };
}

function featureOffers(features: FeatureService): readonly Offer[] {
  const ready = new Set(features.list().data.flatMap(({ id, engine }) => (engine === null ? [] : [id])));
  return features.all
    .filter(({ declaration }) => ready.has(declaration.id))
    .map((feature) => featureOffer(features, feature));
}

function featureOffer(features: FeatureService, { declaration, operationId }: Feature): Offer {
  const { id, name, summary, description, input } = declaration;
  return {
    tool: {
      name: `features_${id}`,
      title: name,
      description: description || summary,
      inputSchema: { ...input, type: 'object' },
      annotations: { readOnlyHint: true },
    },
    async call(values, context) {
      const { output } = await features.answer(
        id,
        { input: { ...values } },
        { ...context, operation: operationId },
      );
      return structured(output as object);
    },
  };
}

function agentOffers(agents: AgentService): readonly Offer[] {
  return agents
    .list()
    .data.map(({ id, name, description, input_schema: input, variables, max_seconds: maxSeconds }) => ({
      maxMs: maxSeconds * 1000 + endMs,
      tool: {
        name: `agents_${id}`,
        title: name,
        description: description || `Runs the agent ${name}.`,
        inputSchema: {
          type: 'object' as const,
          properties: {
            input: input ?? { type: 'string', minLength: 1, description: 'What the agent is asked.' },
            ...(variables.length > 0 && { variables: variablesSchema(variables) }),
          } as NonNullable<Tool['inputSchema']['properties']>,
          required: variables.length > 0 ? ['input', 'variables'] : ['input'],
        },
      },
      async call(values, context) {
        const run = await agents.start(id, values as unknown as AgentRunRequest, {
          ...context,
          operation: operationOf(id),
          signal: context.signal,
        });
        context.note('run_id', run.key.id);
        const telling = context.onprogress && tellSteps(agents, run.key, context.onprogress);
        const { status, output, error, usage } = await run.ended().finally(telling);
        const result = structured({ run_id: run.key.id, status, output, error, usage });
        return status === 'succeeded' ? result : { ...result, isError: true };
      },
    }));
}

function variablesSchema(names: readonly string[]): object {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: names };
}

/** Reports each step of a run to a client, and between steps that it still runs. Returns a function that stops that. */
function tellSteps(
  agents: AgentService,
  key: Parameters<AgentService['events']>[0],
  onprogress: NonNullable<OfferContext['onprogress']>,
): () => void {
  const over = new AbortController();
  let progress = 0;
  const tell = (message: string) => {
    progress += 1;
    onprogress({ progress, message });
  };
  const timer = setInterval(() => tell('The agent is at work.'), stillMs).unref();
  const follow = async () => {
    for await (const event of await agents.events(key, 0, over.signal))
      if (event.type === 'step') tell(`Step ${event.step.type} is done.`);
  };
  // Who hears nothing gets the result all the same.
  void follow().catch(() => undefined);
  return () => {
    clearInterval(timer);
    over.abort();
  };
}

/** A tool of ours checks its arguments itself; a server of others checks those of its own tools. */
export function checkedOffer({ tool, call, maxMs = ownToolMs }: Offer): Offer {
  return {
    tool,
    async call(values, context) {
      requireFit(await compileLoosely(tool.inputSchema), values);
      const limit = AbortSignal.timeout(maxMs);
      const signal = context.signal ? AbortSignal.any([context.signal, limit]) : limit;
      try {
        return await call(values, { ...context, signal });
      } catch (thrown) {
        if (!limit.aborted || context.signal?.aborted) throw thrown;
        throw new ToolError(`The tool took longer than ${maxMs / 1000} seconds.`);
      }
    },
  };
}
