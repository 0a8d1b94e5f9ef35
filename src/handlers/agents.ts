import type { AgentRunEvent } from '../../generated/types.gen.ts';
import { callerOf } from '../accounts/caller.ts';
import type { AgentService } from '../agents/service.ts';
import type { Handlers, Scope } from '../contract/registry.ts';
import type { Attempt } from '../models/port.ts';
import { firstEvent } from './first-event.ts';

export function agentHandlers(agents: AgentService) {
  return {
    listAgents: async () => ({ status: 200, body: agents.list() }),
    getAgent: async ({ path }) => ({ status: 200, body: agents.get(path.agent_id) }),

    runAgent: async ({ path, body }, scope) => {
      const attempts: Attempt[] = [];
      scope.note('attempts', attempts);
      const { key, done } = await agents.start(path.agent_id, body, {
        caller: callerOf(scope.principal),
        requestId: scope.requestId,
        setHeaders: scope.setHeaders,
        signal: scope.signal,
        onAttempt: (attempt) => attempts.push(attempt),
      });
      scope.note('run_id', key.id);
      if (body.background) return { status: 202, body: await agents.record(key) };
      if (body.stream) {
        const events = await agents.events(key, 0, scope.signal);
        return { status: 200, events: closed(events, scope), framing: 'named-numbered' };
      }
      await done;
      return { status: 200, body: await agents.record(key) };
    },

    listAgentRuns: async ({ path, query }, { principal }) => ({
      status: 200,
      body: await agents.runs(callerOf(principal).tenantId, path.agent_id, query ?? {}),
    }),

    getAgentRun: async ({ path }, { principal }) => ({
      status: 200,
      body: await agents.record(keyOf(path, callerOf(principal).tenantId)),
    }),

    streamAgentRunEvents: async ({ path, query }, scope) => {
      const key = keyOf(path, callerOf(scope.principal).tenantId);
      const events = await agents.events(key, firstEvent(query?.after, scope), scope.signal);
      return { status: 200, events: closed(events, scope), framing: 'named-numbered' };
    },

    cancelAgentRun: async ({ path }, { principal }) => ({
      status: 200,
      body: await agents.cancel(keyOf(path, callerOf(principal).tenantId)),
    }),
  } satisfies Partial<Handlers>;
}

function keyOf({ agent_id, run_id }: { agent_id: string; run_id: string }, tenantId: string) {
  return { tenantId, agentId: agent_id, id: run_id };
}

/** Gives a stream that breaks off its terminal event. */
async function* closed(events: AsyncIterable<AgentRunEvent>, scope: Scope): AsyncIterable<AgentRunEvent> {
  try {
    yield* events;
  } catch (thrown) {
    yield { type: 'error', error: scope.describe(thrown) };
  }
}
