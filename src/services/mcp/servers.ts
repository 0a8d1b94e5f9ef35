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
  /** Whether a person has granted access; null: no one has to. */
  readonly connected: boolean | null;
  /** The scope that it wants beyond the one that was granted; null: none. */
  readonly missing: string | null;
}

export type McpServers = ReturnType<typeof mcpServers>;

/**
 * The MCP servers of the configuration, and the way to the tokens that a person has to allow.
 * @param now milliseconds since the epoch
 */
export function mcpServers(agents: Pick<AgentService, 'holdTools'>, publicUrl: string, now: () => number) {
  const callbackPath = '/admin/mcp/callback';
  const callback = publicUrl + callbackPath;

  async function withServers<Result>(
    work: (servers: ReadonlyMap<string, RemoteServer>) => Promise<Result>,
  ): Promise<Result> {
    const { toolbox, release } = agents.holdTools();
    try {
      return await work(toolbox.servers);
    } finally {
      release();
    }
  }

  const withServer = <Result>(
    id: string,
    work: (authorization: McpAuthorization, server: RemoteServer) => Promise<Result>,
  ): Promise<Result> =>
    withServers(async (servers) => {
      const server = servers.get(id);
      if (!server?.authorization?.byPerson) throw new Error('There is no such server to connect.');
      return work(server.authorization, server);
    });

  return {
    /** Where an authorization server sends browsers back to. */
    callbackPath,

    /** Asks each for its tools. */
    list: (): Promise<readonly McpServerState[]> =>
      withServers(async (servers) => {
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
      }),

    /** Begins to ask for access, and says where the browser goes. Throws for a server that needs none or cannot be reached. */
    begin: (id: string, session: string): Promise<URL> =>
      withServer(id, (authorization) => authorization.begin(callback, session, now())),

    /** Ends what was begun by the same session, and gives the server's id. Throws for what does not fit. */
    async finish(query: URLSearchParams, session: string): Promise<string> {
      const [id = ''] = (query.get('state') ?? '').split('.');
      await withServer(id, async (authorization, server) => {
        await authorization.finish(query, callback, session, now());
        server.retry();
      });
      return id;
    },

    /** Deletes the tokens of a server. */
    forget: (id: string): Promise<void> => withServer(id, (authorization) => authorization.forget()),
  };
}
