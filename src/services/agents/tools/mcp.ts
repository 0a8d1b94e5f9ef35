import type { Client } from '@modelcontextprotocol/client';
import { shorten } from '../../../lib/static-text.ts';
import type { McpServerSettings } from '../settings.ts';
import { type AgentTool, type JsonSchema, ToolError, type ToolSource } from './tool.ts';

/** Maximum number of tools that are taken from a server, and the maximum length of their schemas in characters of JSON. */
const maxTools = 100;
const maxSchemaLength = 64 * 1024;
/** Maximum size of a reply, in bytes. */
const maxReplyBytes = 4 * 1024 * 1024;
/** A server that did not answer is left alone for so long, in milliseconds. */
const pauseMs = 15_000;

interface Connection {
  readonly client: Client;
  readonly tools: readonly AgentTool[];
}

/**
 * The tools of a remote server. Nothing is connected before a run needs it, and one that cannot be reached is asked
 * again later: its tools show as not available meanwhile.
 */
export function mcpSource(
  settings: McpServerSettings,
  onError: (error: unknown, server: string) => void,
): ToolSource {
  let connection: Connection | null = null;
  let connecting: Promise<void> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  const lost = () => {
    connection = null;
  };
  const connect = async () => {
    try {
      const made = await open(settings, lost);
      if (closed) await made.client.close();
      else connection = made;
    } catch (error) {
      failedAt = performance.now();
      onError(error, settings.id);
    } finally {
      connecting = null;
    }
  };

  return {
    id: settings.id,
    list: () => connection?.tools ?? placeholders(settings),
    async refresh() {
      if (closed || connection || performance.now() - failedAt < pauseMs) return;
      connecting ??= connect();
      await connecting;
    },
    async close() {
      closed = true;
      await connecting;
      await connection?.client.close().catch(() => undefined);
      connection = null;
    },
  };
}

async function open(settings: McpServerSettings, onClose: () => void): Promise<Connection> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'switchyard', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(settings.url), {
    requestInit: { headers: { ...settings.headers } },
    fetch: boundedFetch,
  });
  const limits = { timeout: settings.timeoutMs };
  try {
    await client.connect(transport, limits);
    client.onclose = onClose;
    const { tools } = await client.listTools(undefined, limits);
    const wanted = tools.filter(({ name }) => settings.tools === null || settings.tools.includes(name));
    const usable = wanted.slice(0, maxTools).flatMap((tool) => {
      const small = JSON.stringify(tool.inputSchema).length <= maxSchemaLength;
      return small ? [toolOf(settings, client, tool.name, tool.description, tool.inputSchema)] : [];
    });
    return { client, tools: usable };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

function toolOf(
  settings: McpServerSettings,
  client: Client,
  name: string,
  description: string | undefined,
  parameters: JsonSchema,
): AgentTool {
  return {
    name: functionName(settings.id, name),
    description: shorten(description ?? name, 2000),
    parameters: { ...parameters, type: 'object' },
    available: true,
    passesOn: true,
    async run(values, { signal }) {
      let result: Awaited<ReturnType<Client['callTool']>>;
      try {
        result = await client.callTool(
          { name, arguments: { ...values } },
          { timeout: settings.timeoutMs, maxTotalTimeout: settings.timeoutMs, signal },
        );
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const why = shorten(error instanceof Error ? error.message : String(error), 300);
        throw new ToolError(`The server ${JSON.stringify(settings.id)} failed: ${why}`);
      }
      const text = result.content.map(textOf).join('\n');
      if (result.isError) throw new ToolError(text || 'The tool failed.');
      return text || (result.structuredContent ? JSON.stringify(result.structuredContent) : '');
    },
  };
}

function textOf(block: { readonly type: string; readonly text?: unknown }): string {
  return block.type === 'text' && typeof block.text === 'string' ? block.text : `[${block.type}]`;
}

/** What stands for tools that cannot be called now. */
function placeholders({ id, tools }: McpServerSettings): readonly AgentTool[] {
  return (tools ?? ['tools']).map((name) => ({
    name: functionName(id, name),
    description: `A tool of the server ${id}, which cannot be reached at the moment.`,
    parameters: { type: 'object', properties: {} },
    available: false,
    async run() {
      throw new ToolError(`The server ${JSON.stringify(id)} cannot be reached at the moment.`);
    },
  }));
}

/** A function's name has no dots and blanks, and at most 64 characters. */
export function functionName(server: string, tool: string): string {
  return `${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
}

/** `fetch` whose replies end with an error when they grow too large. */
async function boundedFetch(input: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.body) return response;
  let size = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxReplyBytes) controller.error(new Error('The reply is larger than 4 MiB.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
}
