import type { Tool, ToolChoice } from '../../../generated/types.gen.ts';
import type { ModelTool } from '../../models/port.ts';
import type { Body } from '../wire.ts';
import { booleanIn, invalid, isObject, listAt, nameAt, objectAt, objectIn, textIn } from './check.ts';
import type { ToolNames } from './tool-names.ts';

/** A list of tools, and where it stands in the request. */
export interface ToolList {
  readonly tools: unknown;
  readonly path: string;
}

/** The functions and custom tools of a request, those of namespaces under joined names. Throws `invalid_request`. */
export function readTools(lists: readonly ToolList[], names: ToolNames): ModelTool[] {
  const entries = lists.flatMap(({ tools, path }) =>
    tools == null
      ? []
      : listAt(tools, path).map((tool, index) =>
          entryOf(objectAt(tool, `${path}[${index}]`), `${path}[${index}]`),
        ),
  );
  for (const { tool, path } of entries)
    if (tool['type'] !== 'namespace') names.joined({ name: nameAt(tool['name'], `${path}.name`) });
  const read: ModelTool[] = [];
  const seen = new Set<string>();
  const add = (tool: Body, path: string, namespace?: string) => {
    const name = nameAt(tool['name'], `${path}.name`);
    const joined = names.joined({ name, ...(namespace !== undefined && { namespace }) });
    if (seen.has(joined)) {
      // What is among the items may be told again.
      if (path.startsWith('input')) return;
      throw invalid(`${path}.name`, `must differ from other tools' names: ${JSON.stringify(name)}`);
    }
    seen.add(joined);
    read.push(tool['type'] === 'custom' ? customTool(tool, joined, path) : functionTool(tool, joined, path));
  };
  for (const { tool, path } of entries) {
    if (tool['type'] !== 'namespace') {
      add(tool, path);
      continue;
    }
    const namespace = nameAt(tool['name'], `${path}.name`);
    for (const [index, inner] of listAt(tool['tools'], `${path}.tools`).entries()) {
      const innerPath = `${path}.tools[${index}]`;
      const entry = entryOf(objectAt(inner, innerPath), innerPath);
      if (entry.tool['type'] === 'namespace') throw unknownType(innerPath, 'namespace');
      add(entry.tool, innerPath, namespace);
    }
  }
  return read;
}

function entryOf(tool: Body, path: string): { readonly tool: Body; readonly path: string } {
  const { type } = tool;
  if (type === 'function' || type === 'custom' || type === 'namespace') return { tool, path };
  throw unknownType(path, type);
}

function unknownType(path: string, type: unknown): Error {
  const found = `; ${JSON.stringify(type)} works with OpenAI's own models only`;
  return invalid(`${path}.type`, `must be function, custom or namespace${found}`);
}

function functionTool(tool: Body, name: string, path: string): Tool {
  const description = textIn(tool, 'description', `${path}.description`);
  const parameters = objectIn(tool, 'parameters', `${path}.parameters`);
  const strict = booleanIn(tool, 'strict', `${path}.strict`);
  const definition = {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    ...(strict !== undefined && { strict }),
  };
  return { type: 'function', function: definition as Tool['function'] };
}

function customTool(tool: Body, name: string, path: string): ModelTool {
  const description = textIn(tool, 'description', `${path}.description`);
  const format = objectIn(tool, 'format', `${path}.format`);
  return {
    type: 'custom',
    custom: {
      name,
      ...(description !== undefined && { description }),
      ...(format !== undefined && { format }),
    },
  };
}

/** What the model may or must call. */
export interface ChosenTools {
  readonly tools: readonly ModelTool[];
  readonly toolChoice?: ToolChoice;
}

/** Reads `tool_choice`. A choice of several tools leaves the others out. Throws `invalid_request`. */
export function chooseTools(choice: unknown, tools: readonly ModelTool[], names: ToolNames): ChosenTools {
  if (choice == null) return { tools };
  if (choice === 'auto' || choice === 'none' || choice === 'required') {
    if (choice === 'required' && tools.length === 0)
      throw invalid('tool_choice', 'needs tools to choose from');
    return { tools, toolChoice: choice };
  }
  if (!isObject(choice)) throw invalid('tool_choice', 'must be auto, none, required or an object');
  if (choice['type'] === 'allowed_tools') {
    const mode = choice['mode'];
    if (mode !== 'auto' && mode !== 'required') throw invalid('tool_choice.mode', 'must be auto or required');
    const allowed = new Set(
      listAt(choice['tools'], 'tool_choice.tools').map((tool, index) => {
        const path = `tool_choice.tools[${index}]`;
        return chosenName(objectAt(tool, path), path, tools, names);
      }),
    );
    return { tools: tools.filter((tool) => allowed.has(nameOf(tool))), toolChoice: mode };
  }
  return {
    tools,
    toolChoice: { type: 'function', function: { name: chosenName(choice, 'tool_choice', tools, names) } },
  };
}

function chosenName(choice: Body, path: string, tools: readonly ModelTool[], names: ToolNames): string {
  const { type } = choice;
  if (type !== 'function' && type !== 'custom') throw invalid(`${path}.type`, 'must be function or custom');
  const namespace = textIn(choice, 'namespace', `${path}.namespace`);
  const name = names.joined({
    name: nameAt(choice['name'], `${path}.name`),
    ...(namespace !== undefined && { namespace }),
  });
  if (tools.some((tool) => nameOf(tool) === name)) return name;
  throw invalid(`${path}.name`, 'must be the name of one of the tools');
}

function nameOf(tool: ModelTool): string {
  return tool.type === 'custom' ? tool.custom.name : tool.function.name;
}
