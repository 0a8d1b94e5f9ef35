import type {
  AgentList,
  Agent as AgentOnWire,
  AgentRun,
  AgentRunEvent,
  AgentRunList,
  AgentRunRequest,
} from '../../generated/types.gen.ts';
import { ServiceError } from '../contract/errors.ts';
import { ulid } from '../lib/ids.ts';
import type { Admissions } from '../metering/admissions.ts';
import type { MeteredRequest } from '../metering/demand.ts';
import { admit, type Meter, nothingDelivered } from '../metering/meter.ts';
import type { ModelGateway } from '../models/port.ts';
import { decodeCursor, type ListRequest } from '../store/list-page.ts';
import type { AgentRunRow } from '../store/schema.ts';
import type { Agent } from './agent.ts';
import { conversationOf } from './conversation.ts';
import { agentOnWire, summaryOnWire } from './on-wire.ts';
import type { RunKey } from './run-store.ts';
import type { Runs } from './runs.ts';
import { type StartedRun, startedRun } from './started-run.ts';
import type { Toolbox } from './toolbox.ts';

/** A request to run an agent, and whose it is. */
export type RunContext = MeteredRequest & { readonly signal: AbortSignal };

/** Throws `ServiceError` and `StoreError` throughout: `not_found` for an unknown agent and for a run of another tenant. */
export interface AgentService {
  /** Those of the operator. */
  readonly own: readonly Agent[];
  list(): AgentList;
  get(agentId: string): AgentOnWire;
  /** Begins a run. It has been admitted by then, and has its record. */
  start(agentId: string, request: AgentRunRequest, context: RunContext): Promise<StartedRun>;
  record(key: RunKey): Promise<AgentRun>;
  runs(tenantId: string, agentId: string, request: ListRequest): Promise<AgentRunList>;
  events(key: RunKey, after: number, signal: AbortSignal): Promise<AsyncIterable<AgentRunEvent>>;
  cancel(key: RunKey): Promise<AgentRun>;
  close(): Promise<void>;
}

export interface AgentParts {
  readonly builtIn: readonly Agent[];
  readonly own: readonly Agent[];
  readonly toolbox: Toolbox;
  readonly models: ModelGateway;
  readonly admissions: Admissions;
  readonly runs: Runs;
}

export function createAgentService(parts: AgentParts): AgentService {
  const { toolbox, models, admissions, runs } = parts;
  const agents = new Map([...parts.builtIn, ...parts.own].map((agent) => [agent.id, agent]));
  const find = (id: string): Agent => {
    const agent = agents.get(id);
    if (agent) return agent;
    throw new ServiceError(
      'not_found',
      `There is no agent of this id. There are ${[...agents.keys()].join(', ')}.`,
      { param: 'agent_id' },
    );
  };
  const onWire = (agent: Agent) => agentOnWire(agent, toolbox.toolsOf(agent), models.defaultModel);

  return {
    own: parts.own,
    list: () => ({ object: 'list', data: [...agents.values()].map(onWire) }),
    get: (id) => onWire(find(id)),

    async start(agentId, request, context) {
      const agent = find(agentId);
      const { stream = false, background = false } = request;
      if (stream && background) {
        const message = 'excludes stream; watch the events of the run instead';
        const details = [{ path: 'background', code: 'one_of', message }];
        throw new ServiceError('invalid_request', `background ${message}.`, { details });
      }
      const messages = await conversationOf(agent, request);
      const createdAt = runs.store.now;
      const row = {
        id: `run_${ulid(createdAt)}`,
        tenant_id: context.caller.tenantId,
        agent_id: agentId,
        request_id: context.requestId,
        background: background ? 1 : 0,
        created_at: createdAt,
      };
      runs.reserve(row.id);
      let meter: Meter | null = null;
      try {
        meter = await admit(admissions, context, {
          model: agent.model,
          // At most those of a whole minute; at its end they are corrected to what it used.
          tokens: (perMinute) => Math.min(agent.maxTokens, perMinute),
          told: background ? 'acceptance' : 'answer',
        });
        await runs.begin(row);
        const tools = await toolbox.freshToolsOf(agent);
        const whole: AgentRunRow = {
          ...row,
          instance_id: '',
          status: 'running',
          events: 0,
          cancel_requested_at: null,
          finished_at: null,
        };
        const capped = { ...agent, maxTokens: meter.tokens ?? agent.maxTokens };
        const run = runs.start({ models, agent: capped, tools, messages, row: whole, meter, context });
        return startedRun(runs, run, whole);
      } catch (thrown) {
        runs.abandon(row.id);
        // It has not begun, so its client gets the error in place of its record.
        await meter?.failed(thrown, nothingDelivered, 'nothing');
        throw thrown;
      }
    },

    record: (key) => runs.record(key),

    async runs(tenantId, agentId, request) {
      find(agentId);
      const cursor = decodeCursor(request.cursor, 'string');
      if (cursor === undefined) {
        const message = 'is not one that this list has given';
        const details = [{ path: 'cursor', code: 'invalid', message }];
        throw new ServiceError('invalid_request', `cursor ${message}.`, { details });
      }
      const before = cursor === null ? null : String(cursor[0]);
      const page = await runs.store.list(tenantId, agentId, request, before);
      return { object: 'list', data: page.items.map(summaryOnWire), next_cursor: page.nextCursor };
    },

    async events(key, after, signal) {
      const row = await runs.find(key);
      return runs.follow(row, after, signal);
    },

    cancel: (key) => runs.cancel(key),

    async close() {
      await runs.close();
      await toolbox.close();
    },
  };
}
