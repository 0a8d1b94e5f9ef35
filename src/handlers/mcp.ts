import {
  type Handlers,
  streamedAs,
  type WireCall,
  type WireHandler,
  type WireReply,
} from '../contract/wire-operations.ts';
import { parseExactly } from '../lib/json.ts';
import type { McpContext } from '../services/mcp/offer.ts';
import type { McpService } from '../services/mcp/service.ts';
import { ok } from './replies.ts';
import { wireContext } from './wires.ts';

/**
 * The tools of this server for clients of MCP.
 * @param issuers whose tokens are taken beside keys
 */
export function mcpHandlers(mcp: McpService, publicUrl: string, issuers: () => readonly string[]) {
  const call: WireHandler = async (asked, scope) => {
    const note: McpContext['note'] = (field, value) => scope.note(field, value);
    const context: McpContext = { ...wireContext(asked, scope), client: scope.client, note };
    const serverId = asked.path['server_id'] ?? null;
    const plain = await mcp.answerPlainly(serverId, asked, context);
    if (plain) return { status: 200, mediaType: 'application/json', body: plain };
    const request = new Request(`${publicUrl}/mcp`, {
      method: 'POST',
      headers: headersOf(asked),
      signal: scope.signal,
    });
    // Numbers that JavaScript would round reach the tools as they came.
    const body: unknown = parseExactly(asked.bytes.toString());
    return replyOf(await mcp.answer(serverId, request, body, context), streamedAs(asked) !== null);
  };
  return {
    callMcp: call,
    callMcpServer: call,
    getMcpResourceMetadata: async () => {
      const servers = issuers();
      return ok({
        resource: `${publicUrl}/mcp`,
        resource_name: 'Switchyard',
        resource_documentation: `${publicUrl}/docs`,
        ...(servers.length > 0 && { authorization_servers: [...servers] }),
        bearer_methods_supported: ['header'],
        scopes_supported: ['mcp'],
      });
    },
  } satisfies Partial<Handlers>;
}

/** The client's headers that the protocol reads: not the key. `Accept` does not decide the form of an answer. */
function headersOf({ headers }: WireCall): Headers {
  const passed = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const [name, value] of Object.entries(headers))
    if (/^(?:mcp-[\w-]+|last-event-id)$/.test(name) && typeof value === 'string') passed.set(name, value);
  return passed;
}

async function replyOf(response: Response, streaming: boolean): Promise<WireReply> {
  const { status, body } = response;
  const mediaType = response.headers.get('content-type');
  const ofEvents = mediaType?.startsWith('text/event-stream');
  if (status === 200 && ofEvents && body && streaming)
    return { mediaType: 'text/event-stream', chunks: chunksOf(body) };
  const text = Buffer.from(await response.arrayBuffer());
  return ofEvents
    ? { status, mediaType: 'application/json', body: lastMessage(text.toString()) }
    : { status, mediaType, body: text };
}

/** The answer in a stream, which is the last of its messages: progress comes before it, and the client has not asked for any. */
function lastMessage(events: string): string {
  const data = events.split('\n').filter((line) => line.startsWith('data: {'));
  return data.at(-1)?.slice('data: '.length) ?? '';
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
