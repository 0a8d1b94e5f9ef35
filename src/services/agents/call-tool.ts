import type { ToolCall } from '../../../generated/types.gen.ts';
import { toServiceError } from '../../contract/errors.ts';
import { genAi } from '../../lib/gen-ai-conventions.ts';
import { parseExactly } from '../../lib/json.ts';
import { untilAborted } from '../../lib/timers.ts';
import { beginSpan, traced } from '../../lib/trace.ts';
import type { AudioPart, ImagePart } from '../../model/parts.ts';
import { compileLoosely, requireFit } from './tools/schemas.ts';
import { type AgentTool, type ToolContext, ToolError } from './tools/tool.ts';

/** Maximum number of characters of a result for the model. */
const maxResultLength = 20_000;
/** Maximum time of one call, in milliseconds. */
const toolTimeoutMs = 60_000;

interface ToolOutcome {
  readonly result: string;
  /** Images that belong to the result, for a model that sees; left out: none. */
  readonly images?: readonly ImagePart[];
  /** The same of sound, for a model that hears. */
  readonly sounds?: readonly AudioPart[];
  readonly isError: boolean;
}

/**
 * Calls the tool that the model names, with the arguments that it wrote. Wrong arguments and failures of the tool become a
 * result for the model; it rejects only when the run's signal is aborted, with its reason.
 * @param onFault called with errors that a tool should not have thrown
 */
export async function callTool(
  tools: ReadonlyMap<string, AgentTool>,
  { id, function: called }: ToolCall,
  context: ToolContext,
  onFault: (error: unknown, tool: string) => void,
): Promise<ToolOutcome> {
  const { signal } = context;
  try {
    const tool = tools.get(called.name);
    if (!tool) throw new ToolError(unknown(called.name, tools));
    const values = await argumentsOf(tool, called.arguments);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(toolTimeoutMs)]);
    const span = beginSpan(`execute_tool ${tool.name}`, 'internal', () => ({
      [genAi.operation]: 'execute_tool',
      [genAi.toolName]: tool.name,
      [genAi.toolType]: 'function',
      [genAi.toolCallId]: id,
    }));
    // A tool that does not honour its signal does not hold the run up.
    const run = () => untilAborted(tool.run(values, { ...context, signal: limit }), limit);
    const given = await traced(span, run, (thrown) =>
      thrown instanceof ToolError ? 'tool_error' : toServiceError(thrown).code,
    );
    if (typeof given === 'string') return { result: cut(given), isError: false };
    const { text, ...media } = given;
    return { result: cut(text), ...media, isError: false };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ToolError) return { result: cut(error.message), isError: true };
    const known = toServiceError(error);
    if (known.code !== 'internal_error') return { result: cut(known.message), isError: true };
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return { result: `The tool took longer than ${toolTimeoutMs / 1000} seconds.`, isError: true };
    onFault(error, called.name);
    return { result: 'The tool failed.', isError: true };
  }
}

async function argumentsOf(tool: AgentTool, text: string): Promise<Record<string, unknown>> {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    throw new ToolError('The arguments are not valid JSON. Call the tool again with a JSON object.');
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new ToolError('The arguments must be a JSON object.');
  requireFit(await compileLoosely(tool.parameters).catch(() => null), values);
  return (tool.passesOn ? parseExactly(text) : values) as Record<string, unknown>;
}

function unknown(name: string, tools: ReadonlyMap<string, AgentTool>): string {
  const known = tools.size > 0 ? `There are ${[...tools.keys()].join(', ')}.` : 'There are none.';
  return `There is no tool ${JSON.stringify(name.slice(0, 100))}. ${known}`;
}

function cut(text: string): string {
  if (text.length <= maxResultLength) return text;
  return `${text.slice(0, maxResultLength - 30).replace(/[\uD800-\uDBFF]$/, '')}\n[cut: it was too long]`;
}
