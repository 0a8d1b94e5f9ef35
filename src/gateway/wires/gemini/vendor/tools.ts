import type { FunctionCallingConfigMode, FunctionDeclaration } from '@google/genai';
import type { ModelCall, ModelTool } from '../../../../model/port.ts';
import type { Adaptations } from '../../../upstream/settings.ts';
import { wrappedTool } from '../../../upstream/tool-calls.ts';
import { geminiSchema } from './schema.ts';

export interface GeminiTools {
  tools?: readonly { readonly functionDeclarations: readonly FunctionDeclaration[] }[];
  toolConfig?: {
    readonly functionCallingConfig: {
      readonly mode: `${FunctionCallingConfigMode}`;
      readonly allowedFunctionNames?: readonly string[];
    };
  };
}

/** `tools` and `toolConfig` (https://ai.google.dev/gemini-api/docs/function-calling). */
export function toolsOf(call: ModelCall, notes: Adaptations): GeminiTools {
  const { tools, parallelToolCalls } = call;
  if (!tools) return {};
  if (parallelToolCalls === false) {
    const said = 'may call several tools at once; it cannot be told not to.';
    notes.tell('parameter_ignored', 'parallel_tool_calls', said);
  }
  const config = configOf(call);
  return {
    tools: [{ functionDeclarations: tools.map((tool) => declarationOf(tool, notes)) }],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

function configOf({
  tools,
  toolChoice,
}: ModelCall): NonNullable<GeminiTools['toolConfig']>['functionCallingConfig'] | null {
  if (typeof toolChoice === 'object')
    return { mode: 'ANY', allowedFunctionNames: [toolChoice.function.name] };
  if (toolChoice === 'none') return { mode: 'NONE' };
  if (toolChoice === 'required') return { mode: 'ANY' };
  // In this mode calls keep to their schemas, which the others do not promise.
  if (tools?.some((tool) => tool.type === 'function' && tool.function.strict === true))
    return { mode: 'VALIDATED' };
  return toolChoice === 'auto' ? { mode: 'AUTO' } : null;
}

function declarationOf(tool: ModelTool, notes: Adaptations): FunctionDeclaration {
  if (tool.type === 'custom') {
    const said = 'takes functions only; custom tools became functions of one text.';
    notes.tell('content_adapted', 'tools', said);
  }
  const { name, description, parameters } = (tool.type === 'custom' ? wrappedTool(tool) : tool).function;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters &&
      Object.keys(parameters).length > 0 && { parametersJsonSchema: geminiSchema(parameters) }),
  };
}
