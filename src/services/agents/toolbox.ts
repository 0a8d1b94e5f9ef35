import { nearest } from '../../lib/nearest.ts';
import type { Agent } from './settings.ts';
import type { RemoteServer } from './tools/mcp.ts';
import { distinctName } from './tools/mcp-tools.ts';
import type { AgentTool, ToolSource } from './tools/tool.ts';

/** All tools that there are, and which of them an agent has. */
export class Toolbox {
  readonly #tools: ReadonlyMap<string, AgentTool>;
  readonly #sources: ReadonlyMap<string, ToolSource>;

  /** The operator's MCP servers, by their ids. */
  readonly servers: ReadonlyMap<string, RemoteServer>;

  constructor(
    tools: readonly AgentTool[],
    sources: readonly ToolSource[],
    servers: readonly RemoteServer[] = [],
  ) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.servers = new Map(servers.map((server) => [server.id, server]));
    this.#sources = new Map([...sources, ...servers].map((source) => [source.id, source]));
  }

  /** The tools that come from no source. */
  get plain(): readonly AgentTool[] {
    return [...this.#tools.values()];
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
    for (const tool of new Set(tools.flatMap((reference) => this.#find(reference)))) {
      // Such as `c` of the server `a_b` beside `b_c` of `a`.
      const name = found.has(tool.name)
        ? distinctName(tool.name, tool.ownName ?? tool.description)
        : tool.name;
      found.set(name, name === tool.name ? tool : { ...tool, name });
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
    return name === '*'
      ? all
      : all.filter((tool) => [name, `${id}_${name}`].includes(tool.name) || tool.ownName === name);
  }
}

/** `docs` of `docs/search` and `docs/*`; null for the plain name of a tool. */
function sourceIn(reference: string): string | null {
  const slash = reference.indexOf('/');
  return slash < 0 ? null : reference.slice(0, slash);
}
