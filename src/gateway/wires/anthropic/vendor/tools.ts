import type { Tool as AnthropicTool, ToolChoice } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ModelCall, ModelTool } from '../../../../model/port.ts';
import { wrappedTool } from '../../../upstream/custom-tools.ts';

export function toolOf(tool: ModelTool): AnthropicTool {
  const { name, description, parameters, strict } = (tool.type === 'custom' ? wrappedTool(tool) : tool)
    .function;
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: 'object', properties: {} },
    ...(strict !== undefined && { strict }),
  };
}

/** `tool_choice`, which here also says whether calls may be parallel. Without tools there is none. */
export function toolChoiceOf(call: Pick<ModelCall, 'tools' | 'toolChoice' | 'parallelToolCalls'>): {
  readonly tool_choice?: ToolChoice;
} {
  const { tools, toolChoice, parallelToolCalls } = call;
  if (!tools) return {};
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } };
  const single = parallelToolCalls === false && { disable_parallel_tool_use: true };
  if (toolChoice === undefined) return single ? { tool_choice: { type: 'auto', ...single } } : {};
  if (toolChoice === 'auto') return { tool_choice: { type: 'auto', ...single } };
  if (toolChoice === 'required') return { tool_choice: { type: 'any', ...single } };
  return { tool_choice: { type: 'tool', name: toolChoice.function.name, ...single } };
}
