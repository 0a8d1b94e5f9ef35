import type { Client } from '@modelcontextprotocol/client';
import type { Server } from '@modelcontextprotocol/server';
import { afterAwake } from '../../lib/timers.ts';
import type { RemoteServer } from '../agents/tools/mcp.ts';
import { ToolError } from '../agents/tools/tool.ts';
import type { RpcFailure } from './plain-call.ts';

/** The official SDK, which is loaded with the first request. */
export type Sdk = typeof import('@modelcontextprotocol/server');

/** Of JSON-RPC: an error that the protocol has no number for. */
export const serverError = -32_000;

/** How long the lists of all servers wait for one, in milliseconds: some clients wait 10 seconds for theirs. */
const patienceMs = 5000;
/** The same for one that failed when it was last asked. */
const lostPatienceMs = 1000;
const partMs = 500;

/** Since when servers have kept others waiting, on the clock of `performance.now()`. */
const slowSince = new WeakMap<RemoteServer, number>();

/** The answer of one of several servers; `otherwise` if it keeps the others waiting for too long. */
export async function inTime<Result>(
  one: RemoteServer,
  asked: Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  const since = slowSince.get(one) ?? performance.now();
  slowSince.set(one, since);
  const patience = one.failure === null ? patienceMs : lostPatienceMs;
  const left = Math.max(0, since + patience - performance.now());
  const late = Promise.withResolvers<Result>();
  // In whole parts of the time, as all that wait for as long share a clock.
  const cancel = afterAwake(Math.ceil(left / partMs) * partMs, () => late.resolve(otherwise));
  try {
    return await Promise.race([asked.finally(() => slowSince.delete(one)), late.promise]);
  } finally {
    cancel();
  }
}

/** The capabilities of a remote server beside tools; null where it cannot be reached. */
export const about = (remote: RemoteServer): Promise<About | null> =>
  remote.ask(async (client) => aboutOf(client)).catch(() => null);

/** The client's method for each request that is passed on, by the capability that a server needs for it. */
const passed = {
  completions: { 'completion/complete': 'complete' },
  prompts: { 'prompts/list': 'listPrompts', 'prompts/get': 'getPrompt' },
  resources: {
    'resources/list': 'listResources',
    'resources/templates/list': 'listResourceTemplates',
    'resources/read': 'readResource',
  },
} as const;

type Call = (params: unknown, options: object) => Promise<never>;

/** Passes prompts and resources of a remote server on as they are. */
export function passOn(sdk: Sdk, server: Server, remote: RemoteServer, has: About): void {
  for (const [kind, methods] of Object.entries(passed))
    for (const [method, name] of has[kind as keyof typeof passed] ? Object.entries(methods) : [])
      server.setRequestHandler(method as 'prompts/get', ({ params }) =>
        passing(
          sdk,
          remote.ask((client, options) =>
            (client[name as 'getPrompt'] as Call).call(client, params, options),
          ),
        ),
      );
}

export type About = ReturnType<typeof aboutOf>;

function aboutOf(client: Client) {
  const { prompts, resources, completions } = client.getServerCapabilities() ?? {};
  return {
    prompts: prompts !== undefined,
    resources: resources !== undefined,
    completions: completions !== undefined,
    instructions: client.getInstructions(),
  };
}

/** An answer of another server; an error that it answers with is one of ours toward the client. */
export async function passing<Result>(sdk: Sdk, asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof ToolError) throw new sdk.ProtocolError(serverError, thrown.message);
    const protocolError = protocolErrorOf(thrown);
    throw protocolError
      ? new sdk.ProtocolError(protocolError.code, protocolError.message, protocolError.data)
      : thrown;
  }
}

/** The error of the protocol that another server answered with; null: it is none. */
export function protocolErrorOf(thrown: unknown): RpcFailure | null {
  if (!(thrown instanceof Error)) return null;
  const { code, data } = thrown as Error & { readonly code?: unknown; readonly data?: unknown };
  if (typeof code !== 'number') return null;
  // The SDK's client puts the number into the text, and so does its server.
  return {
    code,
    message: thrown.message.replace(/^MCP error -?\d+: /, ''),
    ...(data !== undefined && { data }),
  };
}

/** A response that calls `done` when it has been read, or its reader has disconnected. */
export function whenRead(response: Response, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done: over, value } = await reader.read().catch((error: unknown) => {
        done();
        throw error;
      });
      if (value) controller.enqueue(value);
      if (!over) return;
      controller.close();
      done();
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
