import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  CallToolResult,
  Client,
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  Tool,
} from '@modelcontextprotocol/client';
import { parseExactly } from '../../../lib/json.ts';
import type { McpServerSettings } from '../settings.ts';
import { bounded } from './mcp-http.ts';
import type { McpAuthorization } from './mcp-oauth.ts';
import { clientInfo, type PassedResult, passingOver } from './mcp-passing.ts';
import { McpProcess } from './mcp-process.ts';
import {
  type CallOptions,
  callAsTask,
  progressOfTasks,
  type TaskProgress,
  type Values,
} from './mcp-results.ts';

/** How a server says with a JSON-RPC error that it does not know the session. */
const sessionNotFound = -32001;

/** A connection with a remote server. Servers of 2026-07-28 keep no session; older ones may forget the one that they gave. */
export type McpConnection = Awaited<ReturnType<typeof connectMcp>>;

/** A request to a server by its client. Throws the errors of the server and the network. */
export type Ask<Result> = (client: Client, options: { readonly timeout: number }) => Promise<Result>;

export interface ConnectionOptions {
  /** Gives connecting and listing up when it is aborted. */
  readonly signal: AbortSignal;
  readonly authorization: McpAuthorization | null;
  /** Called with the reason why a program has ended; null: the connection was closed. */
  readonly onClose: (why: Error | null) => void;
  /** Called when the server says that a list has changed. */
  readonly onChange: (kind: 'tools' | 'prompts' | 'resources') => void;
}

export async function connectMcp(settings: McpServerSettings, options: ConnectionOptions) {
  const { timeoutMs } = settings;
  const { client, transport, ofTasks } = await opened(settings, options);
  client.onclose = () => options.onClose(transport instanceof McpProcess ? transport.problem : null);
  let running = 0;
  let retired = false;
  const closeIfDone = async () => {
    if (retired && running === 0) await client.close().catch(() => undefined);
  };

  const held = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      void closeIfDone();
    }
  };

  /** Names of tools that can be called as a task only, which revisions after 2025-11-25 do not have. */
  let asTasks: ReadonlySet<string> = new Set();
  const call = (name: string, values: Values, { signal, onprogress }: CallOptions): Promise<CallToolResult> =>
    held(() =>
      asTasks.has(name)
        ? callAsTask(client, { name, arguments: { ...values } }, { signal, onprogress, ofTasks, timeoutMs })
        : client.callTool(
            { name, arguments: { ...values } },
            { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal, ...(onprogress && { onprogress }) },
          ),
    );
  const direct =
    transport instanceof McpProcess ? null : passingOver(client, transport, settings, options.authorization);
  return {
    /** The tools of the server; one of 2026-07-28 says how long its list holds. Throws whatever the server or the network fails with. */
    async list(): Promise<readonly Tool[]> {
      const { tools } = await client.listTools(undefined, { timeout: timeoutMs, signal: options.signal });
      const only = tools.filter(({ execution }) => execution?.taskSupport === 'required');
      asTasks = new Set(client.getProtocolEra() === 'modern' ? [] : only.map(({ name }) => name));
      return tools;
    },
    /** Throws whatever the server or the network fails with. */
    call,
    /** The same with arguments that are JSON already, and a result that stays it. */
    async pass(tool: Tool, args: Buffer, options: CallOptions): Promise<PassedResult> {
      const passed = direct && (await held(() => direct(tool, args, options.signal)));
      if (passed) return passed;
      const values = parseExactly(args.toString()) as Values;
      const result = await call(tool.name, values, options);
      return { result, json: Buffer.from(JSON.stringify(result)) };
    },
    ask: <Result>(what: Ask<Result>) => held(() => what(client, { timeout: timeoutMs })),
    /** Whether a request failed since the server does not know the session: it has done nothing, and may be asked again in another. */
    isForgotten: (error: unknown) =>
      !(transport instanceof McpProcess) && transport.sessionId !== undefined && saysForgotten(error),
    /** Closes it when the calls that are under way have ended. */
    async retire() {
      retired = true;
      await closeIfDone();
    },
  };
}

async function opened(settings: McpServerSettings, options: ConnectionOptions) {
  if (!settings.command) {
    // By default the client speaks the revisions up to 2025-11-25 only, which newer servers may refuse.
    return connected(settings, options, await httpTransport(settings, options.authorization), 'auto');
  }
  // Programs of older revisions end when they are asked anything before they are greeted.
  try {
    return await connected(settings, options, new McpProcess(settings.command), 'legacy');
  } catch (error) {
    if (typeof (error as { code?: unknown }).code !== 'number') throw error;
    return await connected(settings, options, new McpProcess(settings.command), 'auto');
  }
}

async function connected<T extends McpProcess | StreamableHTTPClientTransport>(
  { timeoutMs }: McpServerSettings,
  { onChange, signal }: ConnectionOptions,
  transport: T,
  mode: 'auto' | 'legacy',
): Promise<{ readonly client: Client; readonly transport: T; readonly ofTasks: TaskProgress }> {
  const { Client } = await import('@modelcontextprotocol/client');
  const listenerOf = (kind: Parameters<typeof onChange>[0]) => ({
    autoRefresh: false,
    // One that says so all the time would otherwise never be heard.
    debounceMs: 0,
    onChanged: () => onChange(kind),
  });
  const client = new Client(clientInfo, {
    versionNegotiation: { mode },
    // We check a tool's results ourselves: a pattern of a server's schema could run for ever.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
    // For a server of 2026-07-28 this opens a subscription to the changes that it can announce.
    listChanged: {
      tools: listenerOf('tools'),
      prompts: listenerOf('prompts'),
      resources: listenerOf('resources'),
    },
  });
  const giveUp = () => void transport.close();
  signal.addEventListener('abort', giveUp, { once: true });
  const keepApart = transport instanceof McpProcess ? () => undefined : answersOf(transport);
  try {
    await client.connect(transport, { timeout: timeoutMs });
    keepApart();
    return { client, transport, ofTasks: progressOfTasks(transport) };
  } catch (error) {
    await client.close().catch(() => undefined);
    if (!(transport instanceof McpProcess) || typeof (error as { code?: unknown }).code === 'number')
      throw error;
    throw transport.problem;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** The id of the request whose reply is read, also where its stream is resumed; null: there is none. */
const answering = new AsyncLocalStorage<string | number | null>();

/**
 * The client finds the request of an answer, and of progress, by its id alone, so one that came on the reply to another request would
 * reach whoever made the first, who can be another tenant. Such an answer becomes an error of the request on whose reply it came.
 * @returns what begins to do so, once the client reads the transport
 */
function answersOf(transport: StreamableHTTPClientTransport): () => void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const id = 'method' in message && 'id' in message ? message.id : null;
    return answering.run(id, () => send(message, options));
  };
  return () => {
    const read = transport.onmessage;
    transport.onmessage = <Message extends JSONRPCMessage>(message: Message) => {
      const id = answering.getStore() ?? null;
      if (id !== null && isProgressOfAnother(message, id)) return;
      if ('method' in message || (id !== null && String(message.id) === String(id))) read?.(message);
      else if (id !== null) read?.({ jsonrpc: '2.0', id, error: otherAnswer });
    };
  };
}

/** Those of tasks have tokens of another kind, and come on any stream. */
function isProgressOfAnother(message: JSONRPCMessage, id: string | number): boolean {
  if (!('method' in message) || message.method !== 'notifications/progress') return false;
  const { progressToken } = message.params ?? {};
  return typeof progressToken === 'number' && progressToken !== id;
}

/** -32603 is "internal error" of JSON-RPC. */
const otherAnswer = { code: -32_603, message: 'It answered with the id of another request.' };

async function httpTransport(
  { url, headers }: McpServerSettings,
  authorization: McpAuthorization | null,
): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: async (input, init) => {
      const reply = bounded(await fetch(input, init));
      const sent = new Headers(init?.headers);
      const other = await authorization?.tell(reply, sent.get('authorization'));
      if (!other) return reply;
      await reply.body?.cancel();
      sent.set('authorization', other);
      const again = bounded(await fetch(input, { ...init, headers: sent }));
      await authorization?.tell(again, other);
      return again;
    },
    ...(authorization && { authProvider: authorization }),
  });
}

/**
 * 404 is how a server has to answer to a session that it does not know; some answer 400 and name the session in words.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
function saysForgotten(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = httpStatusOf(error);
  if (status === 404) return true;
  const { code } = error as Error & { readonly code?: unknown };
  return (status === 400 || code === sessionNotFound) && /\bsession\b/i.test(error.message);
}

/** The status of the reply that an error of the client is about; null: it is about none. */
export function httpStatusOf(error: unknown): number | null {
  const { data } = (error ?? {}) as { readonly data?: { readonly status?: unknown } };
  return typeof data?.status === 'number' ? data.status : null;
}

/**
 * The message for a client, as the end of a sentence about the server, if a request failed at the network and not at the
 * server: never an address of the operator's network, which the error names. Null: it did not.
 */
export function networkFailure(error: unknown): string | null {
  const { cause = error } = (error ?? {}) as { readonly cause?: unknown };
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (typeof code !== 'string' || !/^(?:E[A-Z_]{4,}|UND_ERR_\w+)$/.test(code)) return null;
  const mayHaveCome = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code);
  return mayHaveCome ? 'failed: The connection broke off.' : 'cannot be reached at the moment.';
}
