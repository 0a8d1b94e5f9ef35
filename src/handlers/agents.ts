import { agentOperations } from '../../generated/agents.gen.ts';
import type { AgentRunRequest } from '../../generated/types.gen.ts';
import type { Scope } from '../contract/registry.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { type AgentService, operationOf } from '../services/agents/service.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import { contextOf } from './chat.ts';
import { ok } from './replies.ts';

type AgentOperation = keyof typeof agentOperations;

/** One handler runs every agent: the general operation, and the one that each built-in agent has of its own. */
export function agentHandlers(agents: AgentService) {
  /** In the ledger a run stands under the operation of its agent, in whatever form it is answered. */
  const start = async (id: string, body: AgentRunRequest, scope: Scope) => {
    const run = await agents.start(id, body, contextOf(scope, operationOf(id)));
    scope.note('run_id', run.key.id);
    return run;
  };
  const run = async (id: string, body: AgentRunRequest, scope: Scope) => {
    const { record, ended } = await start(id, body, scope);
    if (body.background) return { status: 202, body: record } as const;
    return ok(await ended());
  };
  const own = Object.entries(agentOperations).map(([operation, id]) => [
    operation,
    ({ body }: { readonly body: AgentRunRequest }, scope: Scope) => run(id, body, scope),
  ]);
  return {
    listAgents: async () => ok(agents.list()),
    getAgent: async ({ path }) => ok(agents.get(path.agent_id)),

    runAgent: ({ path, body }, scope) => run(path.agent_id, body, scope),
    streamAgentRun: async ({ path, body }, scope) => {
      const { events } = await start(path.agent_id, { ...body, stream: true }, scope);
      return { status: 200, events: events(scope.signal), framing: 'named-numbered' };
    },
    // Each operation takes the same input as its agent; all of them answer with a run.
    ...(Object.fromEntries(own) as unknown as Pick<Handlers, AgentOperation>),

    listAgentRuns: async ({ path, query }, { principal }) =>
      ok(await agents.runs(callerOf(principal).tenantId, path.agent_id, query ?? {})),
    getAgentRun: async ({ path }, { principal }) =>
      ok(await agents.record(keyOf(path, callerOf(principal).tenantId))),
    streamAgentRunEvents: async ({ path, query }, scope) => {
      const key = keyOf(path, callerOf(scope.principal).tenantId);
      const events = await agents.events(key, firstEvent(query?.after, scope), scope.signal);
      return { status: 200, events, framing: 'named-numbered' };
    },

    cancelAgentRun: async ({ path }, { principal }) =>
      ok(await agents.cancel(keyOf(path, callerOf(principal).tenantId))),
  } satisfies Partial<Handlers>;
}

function keyOf({ agent_id, run_id }: { agent_id: string; run_id: string }, tenantId: string) {
  return { tenantId, agentId: agent_id, id: run_id };
}

/** After which event a stream begins: the one that a browser has seen last goes before the one of the address. */
export function firstEvent(after: number | undefined, scope: Scope): number {
  const last = scope.header('last-event-id') ?? '';
  return /^\d{1,15}$/.test(last) ? Number(last) : (after ?? 0);
}
