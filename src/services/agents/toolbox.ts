import { nearest } from '../../lib/nearest.ts';
import type { Agent } from './settings.ts';
import type { AgentTool, ToolSource } from './tools/tool.ts';

/** All tools that there are, and which of them an agent has. */
export class Toolbox {
  readonly #tools: ReadonlyMap<string, AgentTool>;
  readonly #sources: ReadonlyMap<string, ToolSource>;

  constructor(tools: readonly AgentTool[], sources: readonly ToolSource[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#sources = new Map(sources.map((source) => [source.id, source]));
  }

  /** Why a reference leads nowhere; null: it does not. */
  problem(reference: string): string | null {
    const source = sourceIn(reference);
    if (source === null && this.#tools.has(reference)) return null;
    if (source !== null && this.#sources.has(source)) return null;
    const known = [...this.#tools.keys(), ...[...this.#sources.keys()].map((id) => `${id}/*`)];
    const meant = nearest(reference, known);
    return meant ? `did you mean \`${meant}\`?` : `expected one of ${known.join(', ')}.`;
  }

  /** The agent's tools as they are known now. No two have the same name. */
  toolsOf({ tools }: Pick<Agent, 'tools'>): readonly AgentTool[] {
    const found = new Map<string, AgentTool>();
    for (const reference of tools) {
      for (const tool of this.#find(reference)) if (!found.has(tool.name)) found.set(tool.name, tool);
    }
    return [...found.values()];
  }

  /** The same, after the sources have been brought up to date. */
  async freshToolsOf(agent: Pick<Agent, 'tools'>): Promise<readonly AgentTool[]> {
    const sources = new Set(agent.tools.map(sourceIn));
    await Promise.all(
      [...this.#sources.values()].map((source) => sources.has(source.id) && source.refresh()),
    );
    return this.toolsOf(agent);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sources.values()].map((source) => source.close()));
  }

  #find(reference: string): readonly AgentTool[] {
    const id = sourceIn(reference);
    if (id === null) {
      const tool = this.#tools.get(reference);
      return tool ? [tool] : [];
    }
    const all = this.#sources.get(id)?.list() ?? [];
    const name = reference.slice(id.length + 1);
    return name === '*' ? all : all.filter((tool) => tool.name === name || tool.name === `${id}_${name}`);
  }
}

/** `docs` of `docs/search` and `docs/*`; null for the plain name of a tool. */
function sourceIn(reference: string): string | null {
  const slash = reference.indexOf('/');
  return slash < 0 ? null : reference.slice(0, slash);
}
