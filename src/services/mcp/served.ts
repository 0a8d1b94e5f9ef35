import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { toServiceError } from '../../contract/errors.ts';
import { genAi } from '../../lib/gen-ai-conventions.ts';
import { beginSpan, traced } from '../../lib/trace.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { McpAccessRule } from '../agents/settings.ts';
import type { Toolbox } from '../agents/toolbox.ts';
import type { RemoteServer } from '../agents/tools/mcp.ts';
import { distinctName, functionNames, mayBeOf } from '../agents/tools/mcp-tools.ts';
import { ToolError } from '../agents/tools/tool.ts';
import type { McpContext, Offer, OfferContext } from './offer.ts';
import { checkedOffer, countedCall, type OwnParts, ownOffers, ownServer } from './own-tools.ts';
import type { RpcFailure } from './plain-call.ts';
import { inTime, protocolErrorOf, serverError } from './remote.ts';

/** Of the operator's rules, which are few: each is compiled once. */
const patterns = new Map<string, RegExp>();

/** The servers at one address, for one request. */
export interface Served {
  readonly context: McpContext;
  readonly toolbox: Toolbox;
  /** Whether its key may call a tool, named `server/tool`. */
  readonly may: (tool: string) => boolean;
  /** The one server that the address names; null: all of them. */
  readonly server: RemoteServer | null;
  readonly servers: readonly RemoteServer[];
  readonly all: boolean;
}

/** @param serverId null: all servers */
export function servedAt(
  serverId: string | null,
  context: McpContext,
  toolbox: Toolbox,
  rules: readonly McpAccessRule[],
): Served {
  const all = serverId === null;
  const server = all ? null : (toolbox.servers.get(serverId) ?? null);
  const servers = all ? [...toolbox.servers.values()] : server ? [server] : [];
  return { context, toolbox, may: mayCall(rules, context.caller), server, servers, all };
}

/** The one tool of a remote server that has a name, as far as is known without asking; null: that has to be found out. */
export function knownTool(
  { may, servers, all }: Served,
  name: string,
): { readonly one: RemoteServer; readonly tool: Tool } | null {
  const found = servers.flatMap((one) => {
    const tool = byName(one, all).get(name);
    return tool ? [{ one, tool }] : [];
  });
  const [first] = found;
  if (!first || found.length > 1 || !may(`${first.one.id}/${first.tool.name}`)) return null;
  return first;
}

/** The result for a tool of an unreachable server; null: there is no such server, and so no such tool. */
export function awayTool({ may, servers, all }: Served, name: string): CallToolResult | null {
  for (const { id, failure } of servers) {
    if (failure === null || (all && !mayBeOf(id, name))) continue;
    if (!may(`${id}/${all ? name.slice(id.length + 1) : name}`)) continue;
    return failedWith(`The server ${JSON.stringify(id)} ${failure}.`);
  }
  return null;
}

const failedWith = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/**
 * By the names that the client knows them by.
 * @param wanted the one that is called, for which only servers are asked that may have it; left out: all
 */
export async function offersOf(
  parts: OwnParts,
  { context, toolbox, may, server, servers: found, all }: Served,
  wanted?: string,
): Promise<ReadonlyMap<string, Offer>> {
  const servers = found.filter(({ id }) => !all || wanted === undefined || mayBeOf(id, wanted));
  const forList = all && wanted === undefined;
  await Promise.all(servers.map((one) => (forList ? inTime(one, one.refresh(), undefined) : one.refresh())));
  const offers = new Map<string, Offer>();
  const taken = new Set<string>();
  for (const one of servers) {
    const isAway = one.tools() !== one.lastTools();
    for (const [plain, tool] of byName(one, all)) {
      if (!may(`${one.id}/${tool.name}`)) continue;
      const name = taken.has(plain) ? distinctName(plain, `${one.id}_${tool.name}`) : plain;
      // Clients know a tool by its name also while its server is away.
      taken.add(name);
      if (!isAway) offers.set(name, remoteOffer(parts, one, tool, name));
    }
  }
  if (server === null)
    for (const offer of ownOffers(parts, toolbox.plain, context.caller)) {
      const { name } = offer.tool;
      if (!may(`${ownServer}/${name}`)) continue;
      // A server's tool of the same name was there before.
      const own = taken.has(name) ? distinctName(name, `${ownServer}_${name}`) : name;
      offers.set(own, { ...checkedOffer(offer), tool: { ...offer.tool, name: own } });
    }
  return offers;
}

export function remoteOffer(parts: OwnParts, server: RemoteServer, tool: Tool, name: string): Offer {
  // A call that can only be made as a task is made as one here: its client calls it as any other.
  const { execution: _, ...described } = tool;
  return {
    tool: { ...described, name },
    call: (values, context) =>
      counted(parts, server, tool, context, () => server.callTool(tool.name, values, context)),
  };
}

export function counted<Result>(
  { admissions }: OwnParts,
  server: RemoteServer,
  tool: Tool,
  context: OfferContext,
  work: () => Promise<Result>,
) {
  return countedCall(admissions, context, { provider: server.id, model: tool.name }, work);
}

/** @param shown the tool's name, which the client may have made up: not of any length */
export function tracedCall<Result>(
  shown: string,
  context: McpContext,
  work: () => Promise<Result>,
): Promise<Result> {
  context.note('mcp_tool', shown);
  const span = beginSpan(`execute_tool ${shown}`, 'internal', () => ({
    [genAi.operation]: 'execute_tool',
    [genAi.toolName]: shown,
    [genAi.toolType]: 'function',
  }));
  return traced(span, work, (thrown) =>
    thrown instanceof ToolError ? 'tool_error' : toServiceError(thrown).code,
  );
}

/** A failure that the model should see is a result; a refusal is an error of the protocol. */
export function outcomeOf(
  thrown: unknown,
  tool: string,
  signal: AbortSignal,
  onFault: (error: unknown, what: string) => void,
): { readonly result: CallToolResult } | { readonly failure: RpcFailure } {
  if (signal.aborted) throw signal.reason;
  if (thrown instanceof ToolError) return { result: failedWith(thrown.message) };
  const ofServer = protocolErrorOf(thrown);
  if (ofServer) return { failure: ofServer };
  const error = toServiceError(thrown);
  if (error.code === 'internal_error') onFault(thrown, `the tool ${tool}`);
  const { code, message, retryable, retryAfter } = error;
  const data = { code, retryable, ...(retryAfter !== undefined && { retry_after: retryAfter }) };
  return { failure: { code: serverError, message, data } };
}

type ToolsByName = ReadonlyMap<string, Tool>;
/** By their lists, at the address of all servers and at that of one: a list stays the same until it is requested again. */
const namedAmongAll = new WeakMap<readonly Tool[], ToolsByName>();
const namedAlone = new WeakMap<readonly Tool[], ToolsByName>();

/** The tools of a server by their names among those of all servers, or by those that the server gives them. */
function byName({ id, lastTools }: RemoteServer, all: boolean): ToolsByName {
  const tools = lastTools();
  const known = all ? namedAmongAll : namedAlone;
  let found = known.get(tools);
  if (!found) {
    const own = tools.map(({ name }) => name);
    const names = all ? functionNames(id, own) : null;
    found = new Map(tools.map((tool) => [names?.get(tool.name) ?? tool.name, tool]));
    known.set(tools, found);
  }
  return found;
}

/**
 * Whether a key may call a tool, named `server/tool`: by the first of the operator's rules that the key fits, and without one it may.
 * A server without a tool for the key has an empty list.
 */
export function mayCall(rules: readonly McpAccessRule[], caller: Caller): (tool: string) => boolean {
  const rule = rules.find((one) => fits(one, caller));
  if (!rule) return () => true;
  const { allow, deny } = rule;
  return (tool) => allow.some((one) => isOf(one, tool)) && !deny.some((one) => isOf(one, tool));
}

function fits(
  { keys, tenants, plans, tags }: McpAccessRule,
  { keyId, tenantId, plan, tags: own = {} }: Caller,
): boolean {
  return (
    (keys === null || keys.includes(keyId)) &&
    (tenants === null || tenants.includes(tenantId)) &&
    (plans === null || plans.includes(plan)) &&
    Object.entries(tags).every(([name, value]) => own[name] === value)
  );
}

function isOf(pattern: string, tool: string): boolean {
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
    patterns.set(pattern, compiled);
  }
  return compiled.test(tool);
}
