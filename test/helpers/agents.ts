import { type Agent, agentDefaults } from '../../src/services/agents/settings.ts';
import type { AgentTool, ToolContext } from '../../src/services/agents/tools/tool.ts';
import type { Caller } from '../../src/tenants/accounts/caller.ts';
import type { VendorReply, VendorScript } from '../lib/vendor.ts';

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

/** A vendor on either wire that makes these moves in turn, the last of them for ever. */
export function modelThat(...moves: readonly ModelMove[]): VendorScript {
  return (reply) => makeMove(reply, moves[Math.min(reply.index, moves.length - 1)] ?? '');
}

/** Answers on the wire on which it was asked. */
export function makeMove(reply: VendorReply, move: ModelMove): void {
  reply.events(...(isAnthropic(reply) ? anthropicMove(reply.index, move) : openAiMove(reply.index, move)));
}

/** Begins to call a tool, and breaks off in the middle of its arguments. */
export function breakOffInCall(reply: VendorReply, name: string, json: string): void {
  const move = [[name, json]] as const;
  const events = isAnthropic(reply) ? anthropicMove(reply.index, move) : openAiMove(reply.index, move);
  const upTo = events.findIndex((event) => event.includes('partial_json') || event.includes('tool_calls'));
  reply.eventStream();
  for (const event of events.slice(0, upTo + 1)) reply.chunk(event);
  reply.reset();
}

function isAnthropic({ request }: VendorReply): boolean {
  return request.path.endsWith('/messages');
}

function openAiMove(index: number, move: ModelMove): string[] {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const end = `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`;
  if (typeof move === 'string') return [chunk({ content: move }), chunk({}, 'stop'), end];
  const calls = move.map(([name, json], n) => ({
    index: n,
    id: `call_${index}_${n}`,
    type: 'function',
    function: { name, arguments: json },
  }));
  return [chunk({ tool_calls: calls }), chunk({}, 'tool_calls'), end];
}

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
function anthropicMove(index: number, move: ModelMove): string[] {
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-6',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usage.prompt_tokens, output_tokens: 1 },
  };
  const blocks =
    typeof move === 'string'
      ? [{ block: { type: 'text', text: '' }, delta: { type: 'text_delta', text: move } }]
      : move.map(([name, json], n) => ({
          block: { type: 'tool_use', id: `call_${index}_${n}`, name, input: {} },
          delta: { type: 'input_json_delta', partial_json: json },
        }));
  const stop_reason = typeof move === 'string' ? 'end_turn' : 'tool_use';
  return [
    event('message_start', { message }),
    ...blocks.flatMap(({ block, delta }, n) => [
      event('content_block_start', { index: n, content_block: block }),
      event('content_block_delta', { index: n, delta }),
      event('content_block_stop', { index: n }),
    ]),
    event('message_delta', {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.completion_tokens },
    }),
    event('message_stop', {}),
  ];
}
