import type { Tool, ToolChoice } from '../../../../../generated/types.gen.ts';
import type { UnroutedCall } from '../../../../model/port.ts';
import { invalid, listAt, nameAt, objectAt, optional, textAt } from '../../check.ts';
import type { Body } from '../../wire.ts';

type ToolFields = Pick<UnroutedCall, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** What the model may call. Throws `invalid_request`. */
export function readTools(body: Body): ToolFields {
  const tools = optional(body['tools'], 'tools', listAt)?.flatMap(readTool) ?? [];
  const names = new Set<string>();
  for (const [index, { function: called }] of tools.entries()) {
    if (names.has(called.name))
      throw invalid(`tools[${index}].name`, 'must differ from the names of the other tools');
    names.add(called.name);
  }
  const choice = optional(body['tool_choice'], 'tool_choice', objectAt);
  if (tools.length === 0) {
    if (choice && choice['type'] !== 'none' && choice['type'] !== 'auto')
      throw invalid('tool_choice', 'needs tools');
    return {};
  }
  const toolChoice = choice && readChoice(choice, names);
  return {
    tools,
    ...(toolChoice && { toolChoice }),
    ...(choice?.['disable_parallel_tool_use'] === true && { parallelToolCalls: false }),
  };
}

function readTool(value: unknown, index: number): Tool[] {
  const path = `tools[${index}]`;
  const tool = objectAt(value, path);
  const type = optional(tool['type'], `${path}.type`, textAt) ?? 'custom';
  // Other models know all tools from the beginning and need not search for them.
  if (type.startsWith('tool_search_tool_')) return [];
  if (type !== 'custom') throw invalid(`${path}.type`, 'must be custom: only Claude knows this tool');
  const description = optional(tool['description'], `${path}.description`, textAt);
  const { strict } = tool;
  return [
    {
      type: 'function',
      function: {
        name: nameAt(tool['name'], `${path}.name`),
        ...(description !== undefined && { description }),
        parameters: schemaAt(tool['input_schema'], `${path}.input_schema`),
        ...(typeof strict === 'boolean' && { strict }),
      },
    },
  ];
}

/** A schema of an object, as it came. */
function schemaAt(value: unknown, path: string): NonNullable<Tool['function']['parameters']> {
  const schema = objectAt(value, path);
  if (schema['type'] !== 'object') throw invalid(`${path}.type`, 'must be object');
  return { ...schema, type: 'object' };
}

function readChoice(choice: Body, names: ReadonlySet<string>): ToolChoice {
  switch (choice['type']) {
    case 'auto':
      return 'auto';
    case 'any':
      return 'required';
    case 'none':
      return 'none';
    case 'tool': {
      const name = nameAt(choice['name'], 'tool_choice.name');
      if (!names.has(name)) throw invalid('tool_choice.name', 'must name one of the tools');
      return { type: 'function', function: { name } };
    }
    default:
      throw invalid('tool_choice.type', 'must be one of auto, any, tool, none');
  }
}
