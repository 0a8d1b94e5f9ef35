import type { FunctionCallingConfigMode, FunctionDeclaration } from '@google/genai';
import type { Warning } from '../../../../../generated/types.gen.ts';
import type { ModelCall, ModelTool } from '../../../../model/port.ts';
import { wrappedTool } from '../../../upstream/tool-calls.ts';
import { geminiSchema } from './schema.ts';

/** Gathers what had to be adapted, each thing once. */
export class Notes {
  readonly #warnings = new Map<string, Warning>();

  add(code: Warning['code'], message: string, param: string | null): void {
    this.#warnings.set(`${code} ${message}`, { code, message, param });
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()];
  }
}

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
export function toolsOf(call: ModelCall, notes: Notes): GeminiTools {
  const { tools, parallelToolCalls, model } = call;
  if (!tools) return {};
  if (parallelToolCalls === false)
    notes.add(
      'parameter_ignored',
      `${model} may call several tools at once; it cannot be told not to.`,
      'parallel_tool_calls',
    );
  const config = configOf(call);
  return {
    tools: [{ functionDeclarations: tools.map((tool) => declarationOf(tool, model, notes)) }],
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

function declarationOf(tool: ModelTool, model: string, notes: Notes): FunctionDeclaration {
  if (tool.type === 'custom')
    notes.add(
      'content_adapted',
      `${model} takes functions only; custom tools became functions of one text.`,
      'tools',
    );
  const { name, description, parameters } = (tool.type === 'custom' ? wrappedTool(tool) : tool).function;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters &&
      Object.keys(parameters).length > 0 && { parametersJsonSchema: geminiSchema(parameters) }),
  };
}
