import type { AgentService } from '../agents/service.ts';
import type { RemoteServer } from '../agents/tools/mcp.ts';
import type { McpAuthorization } from '../agents/tools/mcp-oauth.ts';

/** How an MCP server stands, for the operator. */
interface McpServerState {
  readonly id: string;
  readonly address: string;
  readonly tools: number;
  /** Why it has none, as the end of a sentence about it; null: nothing has failed. */
  readonly failure: string | null;
  /** Whether somebody has allowed the access; null: nobody has to. */
  readonly connected: boolean | null;
  /** The scope that it wants beyond the one that was granted; null: none. */
  readonly missing: string | null;
}

/** The MCP servers of the configuration, and the way to the tokens that a person has to allow. */
export class McpServers {
  /** Where an authorization server sends browsers back to. */
  readonly callbackPath = '/admin/mcp/callback';
  readonly #agents: Pick<AgentService, 'holdTools'>;
  readonly #callback: string;
  readonly #now: () => number;

  /** @param now milliseconds since the epoch */
  constructor(agents: Pick<AgentService, 'holdTools'>, publicUrl: string, now: () => number) {
    this.#agents = agents;
    this.#callback = publicUrl + this.callbackPath;
    this.#now = now;
  }

  /** Asks each for its tools. */
  list(): Promise<readonly McpServerState[]> {
    return this.#with(async (servers) => {
      const all = [...servers.values()];
      await Promise.all(all.map((server) => server.refresh()));
      return Promise.all(
        all.map(async ({ id, url, authorization, failure, tools }) => ({
          id,
          address: url,
          tools: tools().length,
          failure,
          ...(authorization?.byPerson ? await authorization.state() : { connected: null, missing: null }),
        })),
      );
    });
  }

  /** Begins to ask for access, and says where the browser goes. Throws for a server that needs none or cannot be reached. */
  begin(id: string, session: string): Promise<URL> {
    return this.#of(id, ({ authorization }) => authorization.begin(this.#callback, session, this.#now()));
  }

  /** Ends what was begun by the same session, and gives the server's id. Throws for what does not fit. */
  async finish(query: URLSearchParams, session: string): Promise<string> {
    const [id = ''] = (query.get('state') ?? '').split('.');
    await this.#of(id, async ({ server, authorization }) => {
      await authorization.finish(query, this.#callback, session, this.#now());
      server.retry();
    });
    return id;
  }

  /** Gives the tokens of a server up. */
  forget(id: string): Promise<void> {
    return this.#of(id, ({ authorization }) => authorization.forget());
  }

  #of<Result>(
    id: string,
    work: (found: { server: RemoteServer; authorization: McpAuthorization }) => Promise<Result>,
  ): Promise<Result> {
    return this.#with(async (servers) => {
      const server = servers.get(id);
      if (!server?.authorization?.byPerson) throw new Error('There is no such server to connect.');
      return work({ server, authorization: server.authorization });
    });
  }

  async #with<Result>(
    work: (servers: ReadonlyMap<string, RemoteServer>) => Promise<Result>,
  ): Promise<Result> {
    const { toolbox, release } = this.#agents.holdTools();
    try {
      return await work(toolbox.servers);
    } finally {
      release();
    }
  }
}
