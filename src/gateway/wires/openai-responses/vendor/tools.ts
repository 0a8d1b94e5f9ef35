import type {
  CustomTool,
  FunctionTool,
  ResponseCreateParamsBase,
} from 'openai/resources/responses/responses';
import { isObject } from '../../../../lib/json.ts';
import type { ModelCall, ModelTool } from '../../../../model/port.ts';

/** `strict` is told always: what is left out is no promise elsewhere, and strict here. */
export function responsesTool(tool: ModelTool): FunctionTool | CustomTool {
  if (tool.type === 'custom') {
    const { name, description, format } = tool.custom;
    return {
      type: 'custom',
      name,
      ...(description !== undefined && { description }),
      ...(format && { format: formatOf(format) }),
    };
  }
  const { name, description, parameters, strict } = tool.function;
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    strict: strict ?? false,
  };
}

/** Chat has the grammar in an object of its own, Responses beside the type. */
function formatOf({
  grammar,
  ...format
}: Readonly<Record<string, unknown>>): NonNullable<CustomTool['format']> {
  return { ...format, ...(isObject(grammar) && grammar) } as unknown as NonNullable<CustomTool['format']>;
}

export function responsesToolChoice({
  tools,
  toolChoice,
}: Pick<ModelCall, 'tools' | 'toolChoice'>): ResponseCreateParamsBase['tool_choice'] {
  if (typeof toolChoice !== 'object') return toolChoice;
  const { name } = toolChoice.function;
  const custom = tools?.some((tool) => tool.type === 'custom' && tool.custom.name === name);
  return { type: custom ? 'custom' : 'function', name };
}
