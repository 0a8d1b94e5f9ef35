import { isDeepStrictEqual } from 'node:util';
import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { shorten } from '../../../lib/static-text.ts';
import type { McpServerSettings } from '../settings.ts';
import { type Ask, connectMcp, httpStatusOf, type McpConnection, networkFailure } from './mcp-connection.ts';
import type { McpAuthorization } from './mcp-oauth.ts';
import { McpUnauthorized } from './mcp-oauth-client.ts';
import { outputCheck } from './mcp-passing.ts';
import { type CallOptions, resultOf, type Values } from './mcp-results.ts';
import { agentTools, placeholders, usableTools } from './mcp-tools.ts';
import { type AgentTool, ToolError } from './tool.ts';

const noTools: readonly Tool[] = [];

/** A server that did not answer is left alone for so long, in milliseconds. */
const pauseMs = 15_000;
/** A program that ends is started again after a pause, the longer the more often it has ended within a minute of its start. */
const firstPauseMs = 1000;
const lastPauseMs = 60_000;
/** Minimum time between two updates after lists have changed, in milliseconds. */
const changesMs = 300;

/** A remote server, of whose tools agents have what models can be offered, and clients of MCP all that the operator allows. */
export type RemoteServer = ReturnType<typeof mcpSource>;

interface Listed {
  readonly connection: McpConnection;
  /** All that the operator allows. */
  readonly allowed: readonly Tool[];
  readonly usable: readonly Tool[];
  readonly tools: readonly AgentTool[];
}

/** A list of a server that is not what it was. */
export interface ToolsChange {
  /** Null: the servers themselves have been exchanged. */
  readonly server: string | null;
  readonly kind: 'tools' | 'prompts' | 'resources';
}

export interface SourceOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Left out: it takes the headers that are set for it. */
  readonly authorization?: McpAuthorization | null;
  readonly onChange?: (change: ToolsChange) => void;
}

/**
 * The tools of a remote server. Nothing is connected before a run needs it, and each run asks for the list, as a server may change
 * its tools or be another one by then; a list that the server says has changed is asked for at once. One that cannot be reached is asked again later: its tools show as not available meanwhile.
 */
export function mcpSource(
  settings: McpServerSettings,
  onError: (error: unknown, server: string) => void,
  { now = () => performance.now(), authorization = null, onChange = () => undefined }: SourceOptions = {},
) {
  const server = JSON.stringify(settings.id);
  let listed: Listed | null = null;
  let known: Listed | null = null;
  let updating: Promise<void> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let waitMs = settings.command ? 0 : pauseMs;
  let failure = 'cannot be reached at the moment';
  const changing = new Set<ToolsChange['kind']>();
  let leftOutBefore: string | null = null;
  const closing = new AbortController();

  const leave = (connection: McpConnection) => {
    if (listed?.connection === connection) listed = null;
    void connection.retire();
  };
  const list = async (connection: McpConnection) => {
    const all = await connection.list();
    const allowed = all.filter(({ name }) => settings.tools === null || settings.tools.includes(name));
    const { usable, leftOut } = usableTools(allowed, settings);
    if (leftOut !== null && leftOut !== leftOutBefore) onError(new Error(leftOut), settings.id);
    leftOutBefore = leftOut;
    // Those that are the same keep the validators that have been made of their schemas.
    const tools = isDeepStrictEqual(usable, known?.usable) ? known?.tools : null;
    const changed = known !== null && !isDeepStrictEqual(allowed, known.allowed);
    known = { connection, allowed, usable, tools: tools ?? agentTools(settings.id, usable, call) };
    listed = known;
    if (changed) onChange({ server: settings.id, kind: 'tools' });
  };
  const fail = (error: unknown, why = failureOf(error)) => {
    if (closing.signal.aborted) return;
    failedAt = now();
    if (settings.command) waitMs = Math.min(Math.max(2 * waitMs, firstPauseMs), lastPauseMs);
    failure = why;
    onError(error, settings.id);
  };
  const changed = async (kind: ToolsChange['kind'], connection: McpConnection) => {
    changing.delete(kind);
    if (listed?.connection !== connection) return;
    if (kind !== 'tools') return onChange({ server: settings.id, kind });
    // A list under way may have been requested before the change.
    await updating;
    await refresh();
  };
  const connect = async () => {
    const beganAt = now();
    const ended = (why: Error | null) => {
      const unasked = listed?.connection === connection;
      leave(connection);
      if (why === null || !unasked) return;
      if (now() - beganAt > lastPauseMs) waitMs = 0;
      fail(why, 'has ended and is started again');
    };
    const connection = await connectMcp(settings, {
      signal: closing.signal,
      authorization,
      onClose: ended,
      onChange: (kind) => {
        if (changing.has(kind)) return;
        changing.add(kind);
        setTimeout(() => void changed(kind, connection), changesMs).unref();
      },
    });
    try {
      await list(connection);
    } catch (error) {
      leave(connection);
      throw error;
    }
    if (closing.signal.aborted) leave(connection);
  };
  const update = async () => {
    const before = listed?.connection;
    try {
      if (before) {
        try {
          return await list(before);
        } catch (error) {
          leave(before);
          if (!before.isForgotten(error)) throw error;
        }
      }
      await connect();
    } catch (error) {
      fail(error);
    }
  };
  const refresh = async () => {
    if (closing.signal.aborted) return;
    if (!listed && now() - failedAt < waitMs) return;
    updating ??= update().finally(() => {
      updating = null;
    });
    await updating;
  };

  /** A call that a restarted server refuses, as it does not know the session, is made once more in another session. */
  const asked = async <Result>(ask: (connection: McpConnection) => Promise<Result>, signal?: AbortSignal) => {
    for (let first = true; ; first = false) {
      if (!listed) await refresh();
      if (!listed) throw new ToolError(`The server ${server} ${failure}.`);
      const { connection } = listed;
      try {
        return await ask(connection);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        const forgotten = connection.isForgotten(error);
        if (forgotten || networkFailure(error) !== null) leave(connection);
        if (forgotten && first) continue;
        throw error;
      }
    }
  };
  const failed = (error: unknown): ToolError =>
    error instanceof ToolError && !(error instanceof McpUnauthorized)
      ? error
      : new ToolError(`The server ${server} ${reasonOf(error)}`);
  const checkOf = (name: string) => {
    const tool = known?.allowed.find((one) => one.name === name);
    return tool ? outputCheck(tool) : () => undefined;
  };
  const callOnce = async (name: string, values: Values, options: CallOptions) => {
    const check = await checkOf(name);
    const result = await asked((connection) => connection.call(name, values, options), options.signal);
    check(result);
    return result;
  };
  const call: Parameters<typeof agentTools>[2] = async (name, values, { signal }) => {
    let result: CallToolResult;
    try {
      result = await callOnce(name, values, { signal });
    } catch (error) {
      throw signal.aborted ? error : failed(error);
    }
    return resultOf(result);
  };
  const passOnce = async (tool: Tool, args: Buffer, options: CallOptions) => {
    const check = await outputCheck(tool);
    const passed = await asked((connection) => connection.pass(tool, args, options), options.signal);
    check(passed.result);
    return passed;
  };
  /** Errors of the protocol are passed on as they are. */
  const passed = <Result>(ask: Promise<Result>, signal?: AbortSignal) =>
    ask.catch((error: unknown) => {
      throw signal?.aborted || isOfProtocol(error) ? error : failed(error);
    });

  return {
    id: settings.id,
    url: settings.url,
    /** Null: it takes the headers that are set for it. */
    authorization,
    /** Why it has no tools, as the end of a sentence about it; null: nothing has failed. */
    get failure(): string | null {
      return listed || failedAt === Number.NEGATIVE_INFINITY ? null : failure;
    },
    /** Asks it at once the next time, though it did not answer before. */
    retry() {
      failedAt = Number.NEGATIVE_INFINITY;
    },
    list: () => listed?.tools ?? placeholders(settings, failure),
    /** As the server describes them; none where it cannot be reached. */
    tools: () => listed?.allowed ?? noTools,
    /** The same as they were when it could last be reached. */
    lastTools: () => known?.allowed ?? noTools,
    /** Throws `ToolError` where the server cannot be reached or fails, and the protocol's own error where it answers with one. */
    callTool: (name: string, values: Values, options: CallOptions) =>
      passed(callOnce(name, values, options), options.signal),
    /** The same with arguments that are JSON already, and a result that stays it. */
    passTool: (tool: Tool, args: Buffer, options: CallOptions) =>
      passed(passOnce(tool, args, options), options.signal),
    /** The same for whatever else it is asked. */
    ask: <Result>(what: Ask<Result>) => passed(asked((connection) => connection.ask(what))),
    refresh,
    async close() {
      closing.abort();
      await updating;
      const connection = listed?.connection;
      listed = null;
      await connection?.retire();
    },
  };
}

/** How a sentence about the server ends. */
function failureOf(error: unknown): string {
  if (error instanceof McpUnauthorized) return error.message;
  const status = httpStatusOf(error);
  if (status === 401 || status === 403)
    return `refuses the credentials that are set for it (HTTP status ${status})`;
  if (error instanceof Error && /^Invalid result for /.test(error.message))
    return 'gives a list of tools that cannot be read';
  // Of the SDK, which reads 64 pages.
  if ((error as { readonly code?: unknown } | null)?.code === 'LIST_PAGINATION_EXCEEDED')
    return 'gives a list of tools that has no end';
  return 'cannot be reached at the moment';
}

/** Whether the server answered with an error of JSON-RPC, which has a number for a code. */
function isOfProtocol(error: unknown): boolean {
  return error instanceof Error && typeof (error as Error & { code?: unknown }).code === 'number';
}

/** How a sentence about the server ends of which a call failed. */
function reasonOf(error: unknown): string {
  const message = shorten(error instanceof Error ? error.message : String(error), 300);
  return error instanceof McpUnauthorized ? message : (networkFailure(error) ?? `failed: ${message}`);
}
