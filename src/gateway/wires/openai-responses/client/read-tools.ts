import { createHash } from 'node:crypto';
import type { Tool, ToolChoice } from '../../../../../generated/types.gen.ts';
import { given, isObject } from '../../../../lib/json.ts';
import { nameOf } from '../../../../model/contract-form.ts';
import type { CustomTool, ModelTool } from '../../../../model/port.ts';
import { booleanIn, invalid, listAt, nameAt, objectAt, objectIn, textIn } from '../../check.ts';
import type { Body } from '../../wire.ts';

/** Maximum length of a function's name on every wire. */
const maxLength = 64;

/**
 * The tools of one request, each with one name that differs from all others: other wires know no namespaces. A name depends
 * on nothing but the request's tools, so that the next request, which begins alike, has the same ones for the vendor's cache.
 */
export class ToolNames {
  readonly #joined = new Map<string, string>();
  readonly #originals = new Map<string, ToolName>();

  /** The one name of a tool. Tools without a namespace have to come first: they keep theirs. */
  joined(tool: ToolName): string {
    const { name, namespace } = tool;
    if (namespace === undefined) {
      // A name without its namespace in the conversation is still the tool that the client has declared.
      if (!this.#originals.has(name)) this.#originals.set(name, tool);
      return name;
    }
    const key = `${namespace}\n${name}`;
    const known = this.#joined.get(key);
    if (known !== undefined) return known;
    const simple = `${namespace}__${name}`;
    const fits = simple.length <= maxLength && !this.#originals.has(simple);
    const digest = () => createHash('sha256').update(key).digest('hex').slice(0, 12);
    const joined = fits ? simple : `${simple.slice(0, maxLength - 13)}_${digest()}`;
    this.#joined.set(key, joined);
    this.#originals.set(joined, tool);
    return joined;
  }

  /** The name of the function by which a model searches for the tools that the client holds back; null: there is none. */
  search: string | null = null;

  /** The tool behind a name that a model has called; one that it made up is named as it is. */
  original(joined: string): ToolName {
    return this.#originals.get(joined) ?? { name: joined };
  }
}

/** A tool as the model that found it calls it, in words. */
export function foundTools(tools: unknown, path: string, names: ToolNames): string {
  const found = entriesOf(tools ?? [], path).map(({ tool, namespace }) =>
    names.joined({ name: String(tool['name']), ...(namespace !== undefined && { namespace }) }),
  );
  return found.length === 0 ? 'No tool was found.' : `These tools can be called now: ${found.join(', ')}.`;
}

/** A list of tools, and its path in the request. */
export interface ToolList {
  readonly tools: unknown;
  readonly path: string;
}

/** A tool as the client sent it. */
interface Entry {
  readonly tool: Body;
  readonly path: string;
  readonly namespace?: string;
}

/** The functions and custom tools of a request, those of namespaces under joined names. Throws `invalid_request`. */
export function readTools(lists: readonly ToolList[], names: ToolNames): ModelTool[] {
  const entries = lists.flatMap(({ tools, path }) => entriesOf(tools ?? [], path));
  const search = lists.flatMap(({ tools }) => (Array.isArray(tools) ? tools.filter(isClientSearch) : []))[0];
  for (const { tool, path, namespace } of entries)
    if (namespace === undefined) names.joined({ name: nameAt(tool['name'], `${path}.name`) });
  const read = new Map<string, ModelTool>();
  for (const { tool, path, namespace } of entries) {
    const name = nameAt(tool['name'], `${path}.name`);
    const joined = names.joined({ name, ...(namespace !== undefined && { namespace }) });
    if (!read.has(joined))
      read.set(
        joined,
        tool['type'] === 'custom' ? customTool(tool, path, joined) : functionTool(tool, path, joined),
      );
    // Tools among the items may be declared again.
    else if (path.startsWith('tools'))
      throw invalid(`${path}.name`, `must differ from those of other tools: ${JSON.stringify(name)}`);
  }
  if (search === undefined) return [...read.values()];
  names.search = [searchName, `${searchName}_`].find((name) => !read.has(name)) ?? searchName;
  return [...read.values(), functionTool({ parameters: anyQuery, ...search }, 'tools', names.search)];
}

const searchName = 'tool_search';
const anyQuery = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };

/**
 * Codex holds the tools of MCP servers back until the model searches for them, and searches itself; OpenAI's own search, which needs
 * no client, is left out (https://developers.openai.com/api/docs/guides/tools-tool-search).
 */
function isClientSearch(tool: unknown): tool is Body {
  return isObject(tool) && tool['type'] === 'tool_search' && tool['execution'] === 'client';
}

/**
 * Tools that the table of fields leaves out: the model knows all tools from the beginning, so that it need not search for
 * them, and can answer without OpenAI's search of the web.
 */
const unneeded: ReadonlySet<string> = new Set([
  'tool_search',
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
]);

function entriesOf(tools: unknown, path: string, namespace?: string): Entry[] {
  return listAt(tools, path).flatMap((given, index) => {
    const at = `${path}[${index}]`;
    const tool = objectAt(given, at);
    const { type } = tool;
    if (type === 'function' || type === 'custom')
      return [{ tool, path: at, ...(namespace !== undefined && { namespace }) }];
    if (typeof type === 'string' && unneeded.has(type)) return [];
    if (type === 'namespace' && namespace === undefined)
      return entriesOf(tool['tools'], `${at}.tools`, nameAt(tool['name'], `${at}.name`));
    const reason = `${JSON.stringify(type)} works with OpenAI's own models only`;
    throw invalid(`${at}.type`, `must be function, custom or namespace; ${reason}`);
  });
}

/** @param name in place of its own */
export function functionTool(tool: Body, path: string, name?: string): Tool {
  const said = given({
    description: textIn(tool, 'description', `${path}.description`),
    parameters: objectIn(tool, 'parameters', `${path}.parameters`),
    strict: booleanIn(tool, 'strict', `${path}.strict`),
  });
  const definition = { name: name ?? nameAt(tool['name'], `${path}.name`), ...said };
  return { type: 'function', function: definition as Tool['function'] };
}

/** @param name in place of its own */
export function customTool(tool: Body, path: string, name?: string): CustomTool {
  const said = given({
    description: textIn(tool, 'description', `${path}.description`),
    format: objectIn(tool, 'format', `${path}.format`),
  });
  return { type: 'custom', custom: { name: name ?? nameAt(tool['name'], `${path}.name`), ...said } };
}

/** The tools that the model may or must call. */
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

/** A tool as clients of this wire name it: on its own or in a namespace. */
interface ToolName {
  readonly name: string;
  readonly namespace?: string;
}
