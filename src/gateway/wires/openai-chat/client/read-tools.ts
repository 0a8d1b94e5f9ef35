import type { Tool, ToolChoice } from '../../../../../generated/types.gen.ts';
import { isObject } from '../../../../lib/json.ts';
import type { CustomTool, ModelTool, UnroutedCall } from '../../../../model/port.ts';
import { booleanIn, invalid, listAt, nameAt, objectAt, objectIn, textIn } from '../../check.ts';
import type { Body } from '../../wire.ts';
import { cacheIn } from './read-content.ts';

type ToolOptions = Pick<UnroutedCall, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** The tools of a request and how they may be called. Throws `invalid_request`. */
export function readToolOptions(body: Body): ToolOptions {
  const tools = toolsIn(body);
  const toolChoice = choiceIn(body, tools);
  const parallelToolCalls = booleanIn(body, 'parallel_tool_calls');
  if (tools.length === 0) return {};
  return {
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
  };
}

function toolsIn({ tools }: Body): readonly ModelTool[] {
  if (tools == null) return [];
  const names = new Set<string>();
  return listAt(tools, 'tools').map((entry, index) => {
    const path = `tools[${index}]`;
    const given = objectAt(entry, path);
    const cache = cacheIn(given);
    const tool = { ...toolAt(given, path), ...(cache && { cache }) };
    const name = nameOf(tool);
    if (names.has(name)) throw invalid(`${path}.${tool.type}.name`, `repeats ${JSON.stringify(name)}`);
    names.add(name);
    return tool;
  });
}

function toolAt(tool: Body, path: string): ModelTool {
  if (tool['type'] === 'custom')
    return customAt(objectAt(tool['custom'], `${path}.custom`), `${path}.custom`);
  if (tool['type'] === 'function')
    return functionAt(objectAt(tool['function'], `${path}.function`), `${path}.function`);
  throw invalid(`${path}.type`, 'must be function or custom');
}

function functionAt(tool: Body, path: string): Tool {
  const description = textIn(tool, 'description', `${path}.description`);
  const parameters = objectIn(tool, 'parameters', `${path}.parameters`);
  const strict = booleanIn(tool, 'strict', `${path}.strict`);
  const definition = {
    name: nameAt(tool['name'], `${path}.name`),
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    ...(strict !== undefined && { strict }),
  };
  return { type: 'function', function: definition as Tool['function'] };
}

function customAt(tool: Body, path: string): CustomTool {
  const description = textIn(tool, 'description', `${path}.description`);
  const format = objectIn(tool, 'format', `${path}.format`);
  return {
    type: 'custom',
    custom: {
      name: nameAt(tool['name'], `${path}.name`),
      ...(description !== undefined && { description }),
      ...(format !== undefined && { format }),
    },
  };
}

/** Without tools only a choice that demands none makes sense. */
function choiceIn({ tool_choice: choice }: Body, tools: readonly ModelTool[]): ToolChoice | undefined {
  if (choice == null) return undefined;
  if (choice === 'auto' || choice === 'none') return choice;
  if (choice === 'required') {
    if (tools.length > 0) return choice;
    throw invalid('tool_choice', 'needs tools');
  }
  if (!isObject(choice)) throw invalid('tool_choice', 'must be auto, none, required or an object');
  const { type } = choice;
  if (type !== 'function' && type !== 'custom')
    throw invalid('tool_choice.type', 'must be function or custom');
  const named = objectAt(choice[type], `tool_choice.${type}`);
  const name = nameAt(named['name'], `tool_choice.${type}.name`);
  if (tools.some((tool) => nameOf(tool) === name)) return { type: 'function', function: { name } };
  throw invalid(`tool_choice.${type}.name`, 'must be the name of one of the tools');
}

function nameOf(tool: ModelTool): string {
  return tool.type === 'custom' ? tool.custom.name : tool.function.name;
}
