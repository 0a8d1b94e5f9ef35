import type {
  CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  Tool,
} from '@modelcontextprotocol/client';
import { isObject } from '../../../lib/json.ts';
import { membersOf, withMembers } from '../../../lib/json-splice.ts';
import { shorten } from '../../../lib/static-text.ts';
import { sleep } from '../../../lib/timers.ts';
import type { McpServerSettings } from '../settings.ts';
import { postRpc, type RpcAnswer, type RpcMessage, type RpcReply, RpcTimeout } from './mcp-http.ts';
import type { McpAuthorization } from './mcp-oauth.ts';
import { compileLoosely, detailsOf } from './schemas.ts';

/** A result of a tool, as its server has written it. */
export interface PassedResult {
  readonly json: Buffer;
  readonly result: CallToolResult;
}

/** Far from those of the SDK, which counts from 0 in the same session. */
const firstId = 1_000_000_000;

/** Names that stand in a header as they are. */
const plainName = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const prefix = 'io.modelcontextprotocol/';

/** An error of JSON-RPC that the server answered with. */
class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A reply with a status that says enough. */
class RefusedPost extends Error {
  readonly data: { readonly status: number };

  constructor(status: number, said: string) {
    super(`HTTP status ${status}: ${said || 'it gave no reason.'}`);
    this.data = { status };
  }
}

export type PassCall = (tool: Tool, args: Buffer, signal: AbortSignal) => Promise<PassedResult | null>;

/**
 * Calls tools over a connection of the SDK, but past it: of what the server answers only the envelope is read, and what the result of
 * a tool has to have. Whatever else comes on the stream is the SDK's. Gives null, having done nothing, where the SDK has to make the
 * call: for headers of a tool's own, tasks, and what wants another token or address. Throws what the server or the network fails with.
 */
export function passingOver(
  client: Client,
  transport: StreamableHTTPClientTransport,
  settings: McpServerSettings,
  authorization: McpAuthorization | null,
): PassCall {
  const { timeoutMs } = settings;
  const url = new URL(settings.url);
  const version = client.getNegotiatedProtocolVersion() ?? '';
  const modern = client.getProtocolEra() === 'modern';
  const session = transport.sessionId;
  const headers = Object.entries({
    ...Object.fromEntries(
      Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    ...(session !== undefined && { 'mcp-session-id': session }),
    ...(modern && { 'mcp-method': 'tools/call' }),
  }).flat();
  const about = {
    [`${prefix}protocolVersion`]: version,
    [`${prefix}clientInfo`]: clientInfo,
    [`${prefix}clientCapabilities`]: {},
  };
  const end = modern ? `,"_meta":${JSON.stringify(about)}}}` : '}}';
  let lastId = firstId;
  /** Who waits for an answer on a stream that the SDK has opened again. */
  const waiting = new Map<unknown, (message: RpcMessage) => void>();
  const deliver = transport.onmessage?.bind(transport);
  transport.onmessage = (message) => {
    const take = 'method' in message ? undefined : waiting.get(message.id);
    if (take) take(message);
    else deliver?.(message);
  };

  const resumed = async (
    id: number,
    { lastEventId, afterMs }: NonNullable<RpcReply['resume']>,
    signal: AbortSignal,
  ): Promise<RpcAnswer> => {
    const message = new Promise<RpcMessage>((resolve, reject) => {
      waiting.set(id, resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      sleep(afterMs, signal)
        .then(() => transport.resumeStream(lastEventId))
        .catch(reject);
    });
    const found = await message.finally(() => waiting.delete(id));
    return { message: found, bytes: Buffer.from(JSON.stringify(found)) };
  };

  return async (tool, args, signal) => {
    const { name, inputSchema, execution } = tool;
    if (execution?.taskSupport === 'required') return null;
    if (modern && (!plainName.test(name) || JSON.stringify(inputSchema).includes('"x-mcp-header"')))
      return null;
    lastId += 1;
    const id = lastId;
    const token = await authorization?.token();
    const begin = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":`;
    const own = [
      ...(modern ? ['mcp-name', name] : []),
      ...(token ? ['authorization', `Bearer ${token}`] : []),
    ];
    const deadline = performance.now() + timeoutMs;
    try {
      const reply = await postRpc({
        url,
        headers: own.length > 0 ? [...headers, ...own] : headers,
        id,
        body: Buffer.concat([Buffer.from(begin), args, Buffer.from(end)]),
        timeoutMs,
        signal,
        onOther: (message) => transport.onmessage?.(message as Parameters<NonNullable<typeof deliver>>[0]),
      });
      const { status, answer, said, resume } = reply;
      if (status === 401 || status === 403 || (status >= 300 && status < 400)) return null;
      if (answer && status !== 404) return resultIn(answer);
      if (status >= 300) throw new RefusedPost(status, shorten(said, 200));
      if (resume === null)
        throw new Error(said === '' ? 'It ended without an answer.' : 'It sent no answer to the call.');
      const left = AbortSignal.timeout(Math.max(1, deadline - performance.now()));
      const until = AbortSignal.any([signal, left]);
      return resultIn(
        await resumed(id, resume, until).catch((error: unknown) => {
          throw left.aborted ? new RpcTimeout(timeoutMs) : error;
        }),
      );
    } catch (error) {
      // Servers of 2026-07-28 see that the stream has ended.
      if (!modern && (signal.aborted || error instanceof RpcTimeout))
        void client
          .notification({ method: 'notifications/cancelled', params: { requestId: id, reason: 'Given up.' } })
          .catch(() => undefined);
      throw error;
    }
  };
}

/** How this server is called among clients. */
export const clientInfo = { name: 'switchyard', version: '1.0.0' };

/** What the server has answered. Throws its error, or what is wrong with its answer. */
function resultIn({ message, bytes }: RpcAnswer): PassedResult {
  const { result, error } = message;
  if (isObject(error) && typeof error['code'] === 'number')
    throw new RpcError(error['code'], String(error['message'] ?? 'It gave no reason.'), error['data']);
  const what = isObject(result) ? faultOf(result) : 'no result';
  if (what !== null) throw new Error(`It answered the call with ${what}.`);
  const json = membersOf(bytes).findLast(({ name }) => name === 'result')?.value ?? bytes;
  const { content = [] } = result as Partial<CallToolResult>;
  return {
    json: 'content' in (result as object) ? json : withMembers(json, { content: '[]' }),
    result: { ...(result as CallToolResult), content },
  };
}

function faultOf({ resultType = 'complete', content = [] }: RpcMessage): string | null {
  if (resultType !== 'complete')
    return `a result of the kind ${shorten(JSON.stringify(resultType), 50)}, which is not passed on`;
  const blocks =
    Array.isArray(content) && content.every((block) => isObject(block) && typeof block['type'] === 'string');
  return blocks ? null : 'a result whose `content` is no list of blocks';
}

/** Sees that a result is what the tool says that it gives. Throws what is wrong, and for a schema that is none before the call. */
export async function outputCheck({ outputSchema }: Tool): Promise<(result: CallToolResult) => void> {
  if (outputSchema === undefined) return () => undefined;
  const validate = await compileLoosely(outputSchema).catch((cause: unknown) => {
    throw new Error(`The schema of the tool's results is none: ${shorten(String(cause), 200)}`, { cause });
  });
  return ({ structuredContent, isError }) => {
    if (isError || validate(structuredContent)) return;
    const problems = detailsOf(validate.errors, 'structuredContent').slice(0, 5);
    const told = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new Error(`The result does not fit the schema that the tool gives for its results: ${told}.`);
  };
}
