import type {
  Agent as AgentOnWire,
  AgentRun,
  AgentRunEvent,
  AgentRunSummary,
  RunStep,
  Usage,
} from '../../../generated/types.gen.ts';
import { variablesIn } from '../../lib/placeholders.ts';
import { isoTime } from '../../lib/utc.ts';
import type { CountedTokens } from '../../model/usage.ts';
import type { AgentRunRow } from '../../store/background-schema.ts';
import { countedIn, sumOfUsage, usageView } from '../../tenants/metering/spent.ts';
import type { Agent } from './settings.ts';
import type { AgentTool } from './tools/tool.ts';

export function agentView(agent: Agent, tools: readonly AgentTool[], defaultModel: string): AgentOnWire {
  return {
    id: agent.id,
    object: 'agent',
    name: agent.name,
    description: agent.description,
    model: agent.model ?? defaultModel,
    tools: tools.map(({ name, description, available }) => ({ name, description, available })),
    max_steps: agent.maxSteps,
    max_tokens: agent.maxTokens,
    max_seconds: agent.maxSeconds,
    variables: [...variablesIn(agent.instructions)],
    input_schema: agent.inputSchema,
  };
}

export function summaryView(row: AgentRunRow): AgentRunSummary {
  return {
    id: row.id,
    object: 'agent.run',
    agent_id: row.agent_id,
    status: row.status,
    background: row.background === 1,
    created_at: isoTime(row.created_at),
    finished_at: row.finished_at === null ? null : isoTime(row.finished_at),
  };
}

/** A run, made from its row and its events. @param events those of the types `step` and `end` */
export function runView(row: AgentRunRow, events: readonly AgentRunEvent[]): AgentRun {
  const end = events.findLast((event) => event.type === 'end');
  if (end) return end.run;
  const steps = events.flatMap((event) => (event.type === 'step' ? [event.step] : []));
  return {
    ...summaryView(row),
    stop_reason: null,
    output: null,
    steps: inOrder(steps),
    usage: usageOfSteps(steps),
    error: null,
    request_id: row.request_id,
  };
}

/** Steps that ran at once may be done in another order. */
export function inOrder(steps: readonly RunStep[]): RunStep[] {
  return [...steps].sort((one, other) => one.index - other.index);
}

function usageOfSteps(steps: readonly RunStep[]): Usage | null {
  const used = steps.reduce<CountedTokens | null>(
    (sum, step) => (step.type === 'model' ? sumOfUsage(sum, countedIn(step.usage)) : sum),
    null,
  );
  return used && usageView(used);
}
