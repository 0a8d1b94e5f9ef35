import type {
  ChatCompletionCustomTool,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions/completions';
import type { ModelCall, ModelTool } from '../../../../model/port.ts';
import { wrappedTool } from '../../../upstream/custom-tools.ts';

type Format = NonNullable<ChatCompletionCustomTool['custom']['format']>;

/** @param custom whether the vendor knows custom tools; else they become functions */
export function chatTool(tool: ModelTool, custom: boolean): ChatCompletionTool {
  if (tool.type === 'function') return tool;
  if (!custom) return wrappedTool(tool);
  const { format, ...named } = tool.custom;
  return { type: 'custom', custom: { ...named, ...(format && { format: format as unknown as Format }) } };
}

export function chatToolChoice(
  { tools, toolChoice }: Pick<ModelCall, 'tools' | 'toolChoice'>,
  custom: boolean,
): ChatCompletionToolChoiceOption | undefined {
  if (typeof toolChoice !== 'object' || !custom) return toolChoice;
  const { name } = toolChoice.function;
  const isCustom = tools?.some((tool) => tool.type === 'custom' && tool.custom.name === name);
  return isCustom ? { type: 'custom', custom: { name } } : toolChoice;
}
