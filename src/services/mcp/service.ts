import type {
  CallToolResult,
  McpHttpHandler,
  McpServerFactory,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { contractVersion } from '../../../generated/operations.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { WatchKey } from '../../contract/registry.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import { once } from '../../lib/once.ts';
import { shorten } from '../../lib/static-text.ts';
import type { RemoteServer } from '../agents/tools/mcp.ts';
import { wrongParameters } from './conventions.ts';
import type { McpContext, OfferContext } from './offer.ts';
import { missingScope, type OwnParts, ownServer, readAppFor } from './own-tools.ts';
import { answerTo, failureTo, newest, plainCall } from './plain-call.ts';
import { about, inTime, passOn, type Sdk, whenRead } from './remote.ts';
import { passOnAll } from './resources.ts';
import {
  awayTool,
  counted,
  knownTool,
  mayCall,
  offersOf,
  outcomeOf,
  remoteOffer,
  type Served,
  servedAt,
  tracedCall,
} from './served.ts';
import { maxSubscriptions, Subscriptions } from './subscriptions.ts';

/** Of a tool's name, in characters, as logs and messages show it; the protocol allows no more. */
const maxNameLength = 128;

export interface McpParts extends OwnParts {
  /** Called with faults that no client sees. */
  readonly onFault: (error: unknown, what: string) => void;
  /** Ends streams of changes whose key is revoked. */
  readonly watchKey: WatchKey;
}

/**
 * This server as a server of MCP: the tools of the operator's servers and its own, for both generations of the protocol, without
 * sessions. The protocol is the official SDK's; this decides which tools there are, who may call them and how a call counts.
 */
export class McpService {
  readonly #parts: McpParts;
  readonly #handler: () => Promise<McpHttpHandler & { readonly sdk: Sdk }>;

  readonly #subscriptions = new Subscriptions();

  constructor(parts: McpParts) {
    this.#parts = parts;
    this.#handler = once(() => this.#open());
    parts.agents.watchTools(({ server, kind }) => {
      // Servers that were never asked could not announce their changes.
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
      const served = servedAt(serverId, context, toolbox, access);
      if (serverId !== null && served.server === null && serverId !== ownServer)
        throw new ServiceError(
          'not_found',
          `There is no MCP server of this name. There are ${[...toolbox.servers.keys(), ownServer].join(', ')}.`,
          { param: 'server_id' },
        );
      const { fetch, sdk } = await this.#handler();
      const id = idOf(parsedBody);
      const wrong = id === undefined ? null : await wrongParameters(sdk, parsedBody as object);
      if (wrong) {
        release();
        return Response.json({ jsonrpc: '2.0', id, error: wrong });
      }
      const given = {
        parsedBody,
        authInfo: { token: '', clientId: context.caller.keyId, scopes: [], extra: { served } },
      };
      if (isListening(parsedBody)) {
        const response = await this.#listening(serverId, context, parsedBody, (signal) =>
          fetch(new Request(request, { signal }), given),
        );
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

  /**
   * Answers a call that needs nothing of the protocol but its envelope, without the SDK, which takes twice as long. Null, having done
   * nothing, for any other request.
   */
  async answerPlainly(serverId: string | null, asked: WireCall, context: McpContext): Promise<Buffer | null> {
    const call = context.dryRun ? null : plainCall(asked);
    if (call === null) return null;
    const { toolbox, access, release } = this.#parts.agents.holdTools();
    try {
      const found = knownTool(servedAt(serverId, context, toolbox, access), call.name);
      if (!found) return null;
      const { one, tool } = found;
      const about = aboutServer(serverId ?? ownServer);
      const work = () => one.passTool(tool, call.args, context);
      const once = () => counted(this.#parts, one, tool, context, work);
      try {
        const passed = await tracedCall(shorten(call.name, maxNameLength), context, once);
        return answerTo(call, passed, about);
      } catch (thrown) {
        const outcome = outcomeOf(thrown, tool.name, context.signal, this.#parts.onFault);
        if ('failure' in outcome) return failureTo(call, outcome.failure);
        const { result } = outcome;
        return answerTo(call, { result, json: Buffer.from(JSON.stringify(result)) }, about);
      }
    } finally {
      release();
    }
  }

  /** Opens a stream of changes. A client that opens one after the other leaves room for others. */
  async #listening(
    serverId: string | null,
    { caller, signal }: McpContext,
    { id = null }: { readonly id?: unknown },
    open: (signal: AbortSignal) => Promise<Response>,
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
    const revoked = new AbortController();
    const watchKey = () => this.#parts.watchKey(caller, () => revoked.abort());
    const ends = AbortSignal.any([revoked.signal, ...(signal ? [signal] : [])]);
    const subscriber = { tenantId: caller.tenantId, serverId, mayUse, watchKey };
    return this.#subscriptions.runAs(subscriber, () => open(ends));
  }

  async #refreshAll(): Promise<void> {
    const { toolbox, release } = this.#parts.agents.holdTools();
    await Promise.all([...toolbox.servers.values()].map((one) => inTime(one, one.refresh(), undefined)));
    release();
  }

  async #open(): Promise<McpHttpHandler & { readonly sdk: Sdk }> {
    const sdk = await import('@modelcontextprotocol/server');
    const factory: McpServerFactory = ({ authInfo, era }) =>
      this.#serverFor(sdk, authInfo?.extra?.['served'] as Served, era === 'modern');
    const handler = sdk.createMcpHandler(factory, {
      maxSubscriptions,
      bus: this.#subscriptions,
      onerror: () => undefined,
    });
    return { ...handler, sdk };
  }

  /** @param listChanged whether its client can be notified of changes, which takes a session in older revisions */
  async #serverFor(sdk: Sdk, served: Served, listChanged: boolean): Promise<Server> {
    const { server: remote, may, context } = served;
    const isOpen = (one: RemoteServer) =>
      may(`${one.id}/*`) || one.tools().some(({ name }) => may(`${one.id}/${name}`));
    const info = remote && isOpen(remote) ? await about(remote) : null;
    const others = served.all ? [...served.toolbox.servers.values()].filter(isOpen) : [];
    const server = new sdk.Server(aboutServer(remote?.id ?? ownServer), {
      capabilities: {
        tools: { listChanged },
        ...((info?.prompts ?? others.length > 0) && { prompts: { listChanged } }),
        ...((info?.resources ?? !remote) && { resources: { listChanged } }),
        ...((info?.completions ?? others.length > 0) && { completions: {} }),
      },
      ...(info?.instructions && { instructions: info.instructions }),
      // Named in the error for an unknown revision; older clients get what they can speak all the same.
      supportedProtocolVersions: [newest, ...sdk.SUPPORTED_PROTOCOL_VERSIONS],
    });
    server.setRequestHandler('tools/list', async () => ({
      tools: [...(await offersOf(this.#parts, served)).values()].map(({ tool }) => tool),
    }));
    server.setRequestHandler('tools/call', ({ params }, given) => this.#call(sdk, served, params, given));
    if (remote && info) passOn(sdk, server, remote, info);
    if (!remote) passOnAll(sdk, server, others, readAppFor(this.#parts.factory, context.caller));
    return server;
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
    const shown = shorten(name, maxNameLength);
    const found = knownTool(served, name);
    const offer = found
      ? remoteOffer(this.#parts, found.one, found.tool, name)
      : (await offersOf(this.#parts, served, name)).get(name);
    if (!offer) context.note('mcp_tool', shown);
    const away = offer ? null : awayTool(served, name);
    if (away) return away;
    if (!offer) {
      const quoted = JSON.stringify(shown);
      const open = served.server === null && served.may(`${ownServer}/${name}`);
      const scope = open ? missingScope(this.#parts, context.caller, name) : null;
      const message =
        scope === null
          ? `There is no tool ${quoted}.`
          : `The tool ${quoted} needs the scope "${scope}", which the API key does not hold.`;
      throw new sdk.ProtocolError(sdk.INVALID_PARAMS, message);
    }
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
    try {
      return await tracedCall(shown, context, () => offer.call(values, given));
    } catch (thrown) {
      const outcome = outcomeOf(thrown, shown, signal, this.#parts.onFault);
      if ('result' in outcome) return outcome.result;
      const { code, message, data } = outcome.failure;
      throw new sdk.ProtocolError(code, message, data);
    }
  }
}

/** The id of a request; undefined for a notification and for what is no message. */
function idOf(body: unknown): string | number | undefined {
  const { id } = (body ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function isListening(body: unknown): body is { readonly id?: unknown } {
  return (body as { readonly method?: unknown } | null)?.method === 'subscriptions/listen';
}

function aboutServer(id: string) {
  return { name: id, title: id === ownServer ? 'Switchyard' : id, version: contractVersion };
}
