import type { AgentRun, ModelStep, RunStep, ToolCall } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { messageOf, toolCallOf } from '../../model/contract-form.ts';
import { type AudioPart, hearsSound, type ModelMessage, seesImages } from '../../model/parts.ts';
import type { ModelGateway, UnroutedCall } from '../../model/port.ts';
import { totalTokens } from '../../model/usage.ts';
import {
  answeredBy,
  answerText,
  countedIn,
  type Spent,
  spend,
  usageOf,
  usageView,
} from '../../tenants/metering/spent.ts';
import { callTool } from './call-tool.ts';
import type { Agent } from './settings.ts';
import type { AgentTool, ToolContext } from './tools/tool.ts';

/** Maximum number of calls of tools in one step; the model gets an error for each further one. */
const maxCalls = 16;
/** The same call of a tool, with the same arguments, is made so often; the next time ends the run. */
const maxRepeats = 2;
/** Maximum number of tokens of one answer of the model. */
const maxAnswerTokens = 4096;
const soundOfTools = { type: 'text', text: 'The sound that the tools gave:' } as const;

/** Called with what happens, in order. Its rejection ends the run. */
export interface RunReport {
  delta(step: number, content: string): void;
  toolCall(call: ToolCall): void;
  step(step: RunStep): Promise<void>;
}

interface LoopParts {
  readonly models: ModelGateway;
  readonly agent: Agent;
  readonly tools: readonly AgentTool[];
  readonly messages: readonly ModelMessage[];
  readonly context: Omit<ToolContext, 'onUsage'>;
  readonly report: RunReport;
  readonly onFault: (error: unknown, tool: string) => void;
}

/** The outcome of a run; it grows while the run proceeds, and holds also after an interruption. */
export interface Outcome extends Spent {
  output: string | null;
}

export class LimitReached extends ServiceError {
  readonly stopReason: NonNullable<AgentRun['stop_reason']>;

  constructor(stopReason: NonNullable<AgentRun['stop_reason']>, message: string) {
    super('agent_limit_reached', message);
    this.stopReason = stopReason;
  }
}

/**
 * Lets the model work with its tools until it answers. At the last step that is left it may call nothing, so that it has
 * to answer. Throws `LimitReached` for a cap that was reached first, `ServiceError` for a model that fails, and the
 * reason of the signal.
 */
export async function runLoop(parts: LoopParts, outcome: Outcome): Promise<void> {
  const { agent, context, report, onFault } = parts;
  const tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
  const messages: ModelMessage[] = [...parts.messages];
  const made = new Map<string, number>();
  const targets = parts.models.targetsOf(agent.model);
  const sees = targets.every(({ model }) => seesImages(model));
  const hears = targets.every(({ model }) => hearsSound(model));
  let index = 0;

  for (let asked = 1; ; asked += 1) {
    const left = agent.maxTokens - (outcome.usage ? totalTokens(outcome.usage.tokens) : 0);
    if (left <= 0) throw tooMany('max_tokens', `${agent.maxTokens.toLocaleString('en')} tokens`);
    const last = asked === agent.maxSteps;
    const step = await askModel(parts, messages, index, Math.min(left, maxAnswerTokens), last, outcome);
    index += 1;
    spend(outcome, { ...step, usage: countedIn(step.usage) });
    outcome.output = step.content || outcome.output;
    await report.step(step);
    const calls = step.tool_calls ?? [];
    if (step.finish_reason === 'length') {
      const message = 'The answer of the model was cut off at its cap of tokens, so it is not whole.';
      throw new LimitReached('max_tokens', message);
    }
    if (calls.length === 0 || step.finish_reason !== 'tool_calls') return;
    if (last) throw tooMany('max_steps', `${agent.maxSteps} steps`);
    checkRepeats(calls, made);

    messages.push(messageOf({ role: 'assistant', content: step.content, tool_calls: calls.map(readable) }));
    const toolContext: ToolContext = { ...context, onUsage: (use) => spend(outcome, use) };
    const first = index;
    index += calls.length;
    const results = calls.map(async (call, n) => {
      report.toolCall(call);
      const startedAt = performance.now();
      const outcome =
        n < maxCalls
          ? await callTool(tools, call, toolContext, onFault)
          : { result: `No more than ${maxCalls} tools can be called at once.`, isError: true };
      await report.step({
        type: 'tool',
        index: first + n,
        tool_call_id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
        result: outcome.result,
        is_error: outcome.isError,
        duration_ms: Math.round(performance.now() - startedAt),
      });
      return outcome;
    });
    // All are waited for, also when one has ended the run: nothing may continue after the end.
    const settled = await Promise.allSettled(results);
    const heard: AudioPart[] = [];
    for (const [n, outcome] of settled.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason;
      const { result, images = [], sounds = [], isError } = outcome.value;
      if (hears) heard.push(...sounds);
      const text = isError ? `Error: ${result}` : result;
      const content = images.length > 0 && sees ? [{ type: 'text' as const, text }, ...images] : text;
      messages.push(messageOf({ role: 'tool', tool_call_id: (calls[n] as ToolCall).id, content }));
    }
    // No vendor takes sound within the result of a tool.
    if (heard.length > 0) messages.push({ role: 'user', content: [soundOfTools, ...heard] });
  }
}

async function askModel(
  { models, agent, tools, context, report }: LoopParts,
  messages: readonly ModelMessage[],
  index: number,
  maxTokens: number,
  last: boolean,
  outcome: Outcome,
): Promise<ModelStep> {
  const startedAt = performance.now();
  const call: UnroutedCall = {
    messages,
    temperature: 0.7,
    temperatureGiven: false,
    maxTokens,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters: { ...parameters, type: 'object' } },
      })),
      ...(last && { toolChoice: 'none' }),
    }),
  };
  const { signal, onAttempt } = context;
  const { tenantId: tenant } = context.caller;
  const served = await models.stream(agent.model, call, { signal, tenant, onAttempt });
  answeredBy(outcome, served);
  const toolCalls: ToolCall[] = [];
  let content = '';
  let partial = '';
  let over = false;
  try {
    for await (const event of served.events) {
      if (event.type === 'delta' || event.type === 'refusal_delta') {
        content += event.content;
        report.delta(index, event.content);
      } else if (event.type === 'tool_call_delta') partial += event.arguments;
      else if (event.type === 'tool_call') toolCalls[event.index] = toolCallOf(event.toolCall);
      else if (event.type === 'end') {
        over = true;
        const usage = await usageOf(event.usage, call, answerText(content, toolCalls));
        const { model, provider, warnings } = served;
        return {
          type: 'model',
          index,
          model,
          provider,
          content,
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
          finish_reason: event.finishReason,
          usage: usageView(usage),
          warnings: [...warnings],
          duration_ms: Math.round(performance.now() - startedAt),
        };
      }
    }
    throw new Error('The stream of the model ended without an end.');
  } finally {
    await served.events.return();
    // The part delivered before it broke off is accounted for.
    if (!over && content + partial !== '') {
      spend(outcome, { ...served, usage: await usageOf(null, call, content + partial) });
      outcome.output = content || outcome.output;
    }
  }
}

/** A call that can be shown to every model again: for one without a JSON object the result says so. */
function readable(call: ToolCall): ToolCall {
  try {
    const value: unknown = JSON.parse(call.function.arguments);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return call;
  } catch {
    // Below.
  }
  return { ...call, function: { ...call.function, arguments: '{}' } };
}

function checkRepeats(calls: readonly ToolCall[], made: Map<string, number>): void {
  for (const { function: called } of calls) {
    const key = `${called.name} ${called.arguments}`;
    const times = (made.get(key) ?? 0) + 1;
    made.set(key, times);
    if (times > maxRepeats) {
      const message = `The model called ${JSON.stringify(called.name.slice(0, 64))} with the same arguments again and again.`;
      throw new LimitReached('repeated_call', message);
    }
  }
}

function tooMany(reason: 'max_steps' | 'max_tokens', cap: string): LimitReached {
  return new LimitReached(reason, `The run reached its cap of ${cap} before the agent had answered.`);
}
