import type {
  CallToolResult,
  McpHttpHandler,
  McpServerFactory,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { contractVersion } from '../../../generated/operations.gen.ts';
import { ServiceError, toServiceError } from '../../contract/errors.ts';
import { genAi } from '../../lib/gen-ai-conventions.ts';
import { once } from '../../lib/once.ts';
import { shorten } from '../../lib/static-text.ts';
import { beginSpan, traced } from '../../lib/trace.ts';
import type { Toolbox } from '../agents/toolbox.ts';
import type { RemoteServer } from '../agents/tools/mcp.ts';
import { distinctName, functionNames } from '../agents/tools/mcp-tools.ts';
import { ToolError } from '../agents/tools/tool.ts';
import { mayCall } from './access.ts';
import type { McpContext, Offer, OfferContext } from './offer.ts';
import { checkedOffer, countedCall, type OwnParts, ownOffers, ownServer, readAppFor } from './own-tools.ts';
import { about, passOn, protocolErrorOf, type Sdk, serverError, whenRead } from './remote.ts';
import { passOnAll } from './resources.ts';
import { maxSubscriptions, Subscriptions } from './subscriptions.ts';

/** Of a tool's name, in characters, as logs and messages show it; the protocol allows no more. */
const maxNameLength = 128;

export interface McpParts extends OwnParts {
  /** Is told of faults that no client is told of. */
  readonly onFault: (error: unknown, what: string) => void;
}

/** What is served at one address, for one request. */
interface Served {
  readonly context: McpContext;
  readonly toolbox: Toolbox;
  /** Whether its key may call a tool, named `server/tool`. */
  readonly may: (tool: string) => boolean;
  /** The one server that the address names; null: all of them. */
  readonly server: RemoteServer | null;
  readonly all: boolean;
}

/**
 * This server as a server of MCP: the tools of the operator's servers and its own, for both generations of the protocol, without
 * sessions. The protocol is the official SDK's; what is here is which tools there are, who may call them and what a call counts.
 */
export class McpService {
  readonly #parts: McpParts;
  readonly #handler: () => Promise<McpHttpHandler>;

  readonly #subscriptions = new Subscriptions();

  constructor(parts: McpParts) {
    this.#parts = parts;
    this.#handler = once(() => this.#open());
    parts.agents.watchTools(({ server, kind }) => {
      // Servers that nobody has asked yet could not say that they change.
      if (server === null && this.#subscriptions.size > 0) void this.#refreshAll();
      this.#subscriptions.tell(server, kind);
    });
  }

  /**
   * Answers one request of a client.
   * @param serverId null: the tools of all servers
   * Throws `ServiceError`: `not_found` for a server that there is not.
   */
  async answer(
    serverId: string | null,
    request: Request,
    parsedBody: unknown,
    context: McpContext,
  ): Promise<Response> {
    const { toolbox, access, release } = this.#parts.agents.holdTools();
    try {
      const server = serverId === null ? null : (toolbox.servers.get(serverId) ?? null);
      if (serverId !== null && server === null && serverId !== ownServer)
        throw new ServiceError(
          'not_found',
          `There is no MCP server of this name. There are ${[...toolbox.servers.keys(), ownServer].join(', ')}.`,
          { param: 'server' },
        );
      const may = mayCall(access, context.caller);
      const served: Served = { context, toolbox, may, server, all: serverId === null };
      const { fetch } = await this.#handler();
      const given = {
        parsedBody,
        authInfo: { token: '', clientId: context.caller.keyId, scopes: [], extra: { served } },
      };
      if (isListening(parsedBody)) {
        const response = await this.#listening(serverId, context, parsedBody, () => fetch(request, given));
        // It lasts, and needs none of the tools.
        release();
        return response;
      }
      return whenRead(await fetch(request, given), release);
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Opens a stream of changes. A client that opens one after the other leaves room for others. */
  async #listening(
    serverId: string | null,
    { caller }: McpContext,
    { id = null }: { readonly id?: unknown },
    open: () => Promise<Response>,
  ): Promise<Response> {
    if (!this.#subscriptions.hasRoomFor(caller.tenantId)) {
      const error = { code: -32_603, message: 'Subscription limit reached' };
      return Response.json({ jsonrpc: '2.0', id, error });
    }
    await this.#refreshAll();
    const mayUse = (one: string) => {
      const { toolbox, access, release } = this.#parts.agents.holdTools();
      const may = mayCall(access, caller);
      const tools = toolbox.servers.get(one)?.tools() ?? [];
      release();
      return tools.length === 0 || tools.some(({ name }) => may(`${one}/${name}`));
    };
    return this.#subscriptions.runAs({ tenantId: caller.tenantId, serverId, mayUse }, open);
  }

  async #refreshAll(): Promise<void> {
    const { toolbox, release } = this.#parts.agents.holdTools();
    await Promise.all([...toolbox.servers.values()].map((server) => server.refresh()));
    release();
  }

  async #open(): Promise<McpHttpHandler> {
    const sdk = await import('@modelcontextprotocol/server');
    const factory: McpServerFactory = ({ authInfo, era }) =>
      this.#serverFor(sdk, authInfo?.extra?.['served'] as Served, era === 'modern');
    return sdk.createMcpHandler(factory, {
      maxSubscriptions,
      bus: this.#subscriptions,
      onerror: () => undefined,
    });
  }

  /** @param listChanged whether its client can be told of changes, which takes a session in older revisions */
  async #serverFor(sdk: Sdk, served: Served, listChanged: boolean): Promise<Server> {
    const { server: remote, may, context } = served;
    const isOpen = (one: RemoteServer) =>
      may(`${one.id}/*`) || one.tools().some(({ name }) => may(`${one.id}/${name}`));
    const told = remote && isOpen(remote) ? await about(remote) : null;
    const others = served.all ? [...served.toolbox.servers.values()].filter(isOpen) : [];
    const server = new sdk.Server(
      { name: remote?.id ?? ownServer, title: remote ? remote.id : 'Switchyard', version: contractVersion },
      {
        capabilities: {
          tools: { listChanged },
          ...((told?.prompts ?? others.length > 0) && { prompts: { listChanged } }),
          ...((told?.resources ?? !remote) && { resources: { listChanged } }),
          ...((told?.completions ?? others.length > 0) && { completions: {} }),
        },
        ...(told?.instructions && { instructions: told.instructions }),
      },
    );
    server.setRequestHandler('tools/list', async () => ({
      tools: [...(await this.#offers(served)).values()].map(({ tool }) => tool),
    }));
    server.setRequestHandler('tools/call', ({ params }, given) => this.#call(sdk, served, params, given));
    if (remote && told) passOn(sdk, server, remote, told);
    if (!remote) passOnAll(sdk, server, others, readAppFor(this.#parts.factory, context.caller));
    return server;
  }

  /** The one tool of a remote server that has a name, as far as is known without asking; null: that has to be found out. */
  #known({ toolbox, may, server, all }: Served, name: string): Offer | null {
    const found = (all ? [...toolbox.servers.values()] : server ? [server] : []).flatMap((one) => {
      const tool = all ? byName(one).get(name) : one.tools().find((tool) => tool.name === name);
      return tool ? [{ one, tool }] : [];
    });
    const [first] = found;
    if (!first || found.length > 1 || !may(`${first.one.id}/${first.tool.name}`)) return null;
    return this.#remoteOffer(first.one, first.tool, name);
  }

  /** By the names that the client knows them by. */
  async #offers({ context, toolbox, may, server, all }: Served): Promise<ReadonlyMap<string, Offer>> {
    const servers = all ? [...toolbox.servers.values()] : server ? [server] : [];
    await Promise.all(servers.map((one) => one.refresh()));
    const offers = new Map<string, Offer>();
    for (const one of servers) {
      const tools = all ? byName(one) : new Map(one.tools().map((tool) => [tool.name, tool]));
      for (const [wanted, tool] of tools) {
        if (!may(`${one.id}/${tool.name}`)) continue;
        const name = offers.has(wanted) ? distinctName(wanted, `${one.id}_${tool.name}`) : wanted;
        offers.set(name, this.#remoteOffer(one, tool, name));
      }
    }
    if (server === null)
      for (const offer of ownOffers(this.#parts, toolbox.plain, context.caller)) {
        const { name } = offer.tool;
        if (!may(`${ownServer}/${name}`)) continue;
        // A server's tool of the same name was there before.
        const own = offers.has(name) ? distinctName(name, `${ownServer}_${name}`) : name;
        offers.set(own, { ...checkedOffer(offer), tool: { ...offer.tool, name: own } });
      }
    return offers;
  }

  #remoteOffer(server: RemoteServer, tool: Tool, name: string): Offer {
    // Of a call that can only be made as a task the result would come by a way that this server does not have.
    const { execution: _, ...described } = tool;
    return {
      tool: { ...described, name },
      call: (values, context) =>
        countedCall(this.#parts.admissions, context, { provider: server.id, model: tool.name }, () =>
          server.callTool(tool.name, values, context),
        ),
    };
  }

  async #call(
    sdk: Sdk,
    served: Served,
    {
      name,
      arguments: values = {},
    }: { readonly name: string; readonly arguments?: Record<string, unknown> | undefined },
    { mcpReq }: ServerContext,
  ): Promise<CallToolResult> {
    const { context } = served;
    // The client may have made it up, and of any length.
    const shown = shorten(name, maxNameLength);
    context.note('mcp_tool', shown);
    const offer = this.#known(served, name) ?? (await this.#offers(served)).get(name);
    if (!offer) throw new sdk.ProtocolError(sdk.INVALID_PARAMS, `There is no tool ${JSON.stringify(shown)}.`);
    const progressToken = mcpReq._meta?.progressToken;
    const signal = AbortSignal.any([mcpReq.signal, context.signal ?? mcpReq.signal]);
    const given: OfferContext = {
      ...context,
      signal,
      ...(progressToken !== undefined && {
        onprogress: (progress) =>
          void mcpReq
            .notify({ method: 'notifications/progress', params: { ...progress, progressToken } })
            .catch(() => undefined),
      }),
    };
    const span = beginSpan(`execute_tool ${shown}`, 'internal', () => ({
      [genAi.operation]: 'execute_tool',
      [genAi.toolName]: shown,
      [genAi.toolType]: 'function',
    }));
    try {
      return await traced(
        span,
        () => offer.call(values, given),
        (thrown) => (thrown instanceof ToolError ? 'tool_error' : toServiceError(thrown).code),
      );
    } catch (thrown) {
      return this.#failed(sdk, thrown, shown, signal);
    }
  }

  /** A failure that the model should be told is a result; what is refused is an error of the protocol. */
  #failed(sdk: Sdk, thrown: unknown, tool: string, signal: AbortSignal): CallToolResult {
    if (signal.aborted) throw signal.reason;
    if (thrown instanceof ToolError)
      return { content: [{ type: 'text', text: thrown.message }], isError: true };
    const ofServer = protocolErrorOf(sdk, thrown);
    if (ofServer) throw ofServer;
    const error = toServiceError(thrown);
    if (error.code === 'internal_error') this.#parts.onFault(thrown, `the tool ${tool}`);
    const { code, message, retryable, retryAfter } = error;
    throw new sdk.ProtocolError(serverError, message, {
      code,
      retryable,
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
    });
  }
}

function isListening(body: unknown): body is { readonly id?: unknown } {
  return (body as { readonly method?: unknown } | null)?.method === 'subscriptions/listen';
}

/** By the lists that they are made of: a server's list stays one as long as nobody asks for it again. */
const named = new WeakMap<readonly Tool[], ReadonlyMap<string, Tool>>();

/** The tools of a server by their names among those of all servers. */
function byName(server: RemoteServer): ReadonlyMap<string, Tool> {
  const tools = server.tools();
  let found = named.get(tools);
  if (!found) {
    const names = functionNames(
      server.id,
      tools.map(({ name }) => name),
    );
    found = new Map(tools.map((tool) => [names.get(tool.name) ?? tool.name, tool]));
    named.set(tools, found);
  }
  return found;
}
