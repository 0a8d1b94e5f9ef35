import { isDeepStrictEqual } from 'node:util';
import type { Tool } from '@modelcontextprotocol/client';
import { shorten } from '../../../lib/static-text.ts';
import type { McpServerSettings } from '../settings.ts';
import { connectMcp, httpStatusOf, isOfNetwork, type McpConnection } from './mcp-connection.ts';
import { resultOf } from './mcp-results.ts';
import { agentTools, placeholders, usableTools } from './mcp-tools.ts';
import { type AgentTool, ToolError, type ToolSource } from './tool.ts';

/** A server that did not answer is left alone for so long, in milliseconds. */
const pauseMs = 15_000;

interface Listed {
  readonly connection: McpConnection;
  readonly usable: readonly Tool[];
  readonly tools: readonly AgentTool[];
}

/**
 * The tools of a remote server. Nothing is connected before a run needs it, and each run asks for the list, as a server may change
 * its tools or be another one by then. One that cannot be reached is asked again later: its tools show as not available meanwhile.
 * @param now milliseconds of a clock that never goes back
 */
export function mcpSource(
  settings: McpServerSettings,
  onError: (error: unknown, server: string) => void,
  now: () => number = () => performance.now(),
): ToolSource {
  const server = JSON.stringify(settings.id);
  let listed: Listed | null = null;
  let known: Listed | null = null;
  let updating: Promise<void> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let failure = 'cannot be reached at the moment';
  let leftOutBefore: string | null = null;
  let closed = false;

  const leave = (connection: McpConnection) => {
    if (listed?.connection === connection) listed = null;
    void connection.retire();
  };
  const list = async (connection: McpConnection) => {
    const { usable, leftOut } = usableTools(await connection.list(), settings);
    if (leftOut !== null && leftOut !== leftOutBefore) onError(new Error(leftOut), settings.id);
    leftOutBefore = leftOut;
    // Those that are the same keep the validators that have been made of their schemas.
    const tools = isDeepStrictEqual(usable, known?.usable) ? known?.tools : null;
    known = { connection, usable, tools: tools ?? agentTools(settings.id, usable, call) };
    listed = known;
  };
  const connect = async () => {
    const connection = await connectMcp(settings, () => leave(connection));
    try {
      await list(connection);
    } catch (error) {
      leave(connection);
      throw error;
    }
    if (closed) leave(connection);
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
      failedAt = now();
      failure = failureOf(error);
      onError(error, settings.id);
    }
  };
  const refresh = async () => {
    if (closed) return;
    if (!listed && now() - failedAt < pauseMs) return;
    updating ??= update().finally(() => {
      updating = null;
    });
    await updating;
  };

  /** A call that a restarted server refuses, as it does not know the session, is made once more in another session. */
  const call: Parameters<typeof agentTools>[2] = async (name, values, { signal }) => {
    for (let first = true; ; first = false) {
      if (!listed) await refresh();
      if (!listed) throw new ToolError(`The server ${server} ${failure}.`);
      const { connection } = listed;
      let result: Awaited<ReturnType<McpConnection['call']>>;
      try {
        result = await connection.call(name, values, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const forgotten = connection.isForgotten(error);
        if (forgotten || isOfNetwork(error)) leave(connection);
        if (forgotten && first) continue;
        throw new ToolError(`The server ${server} failed: ${shorten(messageOf(error), 300)}`);
      }
      return resultOf(result);
    }
  };

  return {
    id: settings.id,
    list: () => listed?.tools ?? placeholders(settings, failure),
    refresh,
    async close() {
      closed = true;
      await updating;
      if (listed) leave(listed.connection);
    },
  };
}

/** How a sentence about the server ends. */
function failureOf(error: unknown): string {
  const status = httpStatusOf(error);
  if (status === 401 || status === 403)
    return `refuses the credentials that are set for it (HTTP status ${status})`;
  return 'cannot be reached at the moment';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
