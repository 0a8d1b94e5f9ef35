import type { Caller } from '../../src/accounts/caller.ts';
import { type Agent, agentDefaults } from '../../src/agents/agent.ts';
import type { AgentTool, ToolContext } from '../../src/agents/tools/tool.ts';
import type { VendorReply, VendorScript } from './vendor.ts';

/** An agent of the operator's, for a test. */
export function agentOf(more: Partial<Agent> = {}): Agent {
  return {
    ...agentDefaults,
    id: 'tester',
    name: 'Tester',
    description: 'For tests.',
    model: null,
    instructions: 'You are a test.',
    tools: ['calculator'],
    ...more,
  };
}

export function toolContext(more: Partial<ToolContext> = {}): ToolContext {
  return {
    caller: { tenantId: 'local', scopes: new Set(['agents', 'factory']) as ReadonlySet<string> } as Caller,
    requestId: 'req_test',
    signal: new AbortController().signal,
    onUsage: () => undefined,
    ...more,
  };
}

export function toolOf(name: string, run: AgentTool['run'], more: Partial<AgentTool> = {}): AgentTool {
  return {
    name,
    description: 'For tests.',
    parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    available: true,
    run,
    ...more,
  };
}

/** What the scripted model does in one step: calls, as pairs of name and arguments, or a text. */
export type ModelMove = string | readonly (readonly [name: string, json: string])[];

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A vendor on the OpenAI wire that makes these moves in turn, the last of them for ever. */
export function modelThat(...moves: readonly ModelMove[]): VendorScript {
  return (reply) => makeMove(reply, moves[Math.min(reply.index, moves.length - 1)] ?? '');
}

export function makeMove({ events, index }: VendorReply, move: ModelMove): void {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const end = `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`;
  if (typeof move === 'string') {
    events(chunk({ content: move }) + chunk({}, 'stop') + end);
    return;
  }
  const calls = move.map(([name, json], n) => ({
    index: n,
    id: `call_${index}_${n}`,
    type: 'function',
    function: { name, arguments: json },
  }));
  events(chunk({ tool_calls: calls }) + chunk({}, 'tool_calls') + end);
}
