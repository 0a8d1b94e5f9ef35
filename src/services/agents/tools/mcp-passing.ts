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
import { postRpc, type RpcAnswer, type RpcMessage, type RpcRequest, RpcTimeout } from './mcp-http.ts';
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

/** How often in a row a stream that broke off is asked for in vain. */
const maxFailures = 3;
/** How long a server is left alone before that, whatever it says, in milliseconds. */
const minPauseMs = 50;

const prefix = 'io.modelcontextprotocol/';

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
    'accept-encoding': 'identity',
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
  return async (tool, args, signal) => {
    const { name, inputSchema, execution } = tool;
    if (execution?.taskSupport === 'required') return null;
    if (modern && (!plainName.test(name) || JSON.stringify(inputSchema).includes('"x-mcp-header"')))
      return null;
    lastId += 1;
    const id = lastId;
    const begin = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":`;
    const headersNow = async () => {
      const token = await authorization?.token();
      if (!modern && !token) return headers;
      return [
        ...headers,
        ...(modern ? ['mcp-name', name] : []),
        ...(token ? ['authorization', `Bearer ${token}`] : []),
      ];
    };
    const beganAt = performance.now();
    try {
      const request: RpcRequest = {
        url,
        headers: await headersNow(),
        id,
        body: Buffer.concat([Buffer.from(begin), args, Buffer.from(end)]),
        timeoutMs,
        signal,
        onOther: (message) => {
          // This call has not asked for progress, so it is about another.
          if (message['method'] === 'notifications/progress') return;
          transport.onmessage?.(message as Parameters<NonNullable<typeof transport.onmessage>>[0]);
        },
      };
      const { status, answer, said, resume } = await postRpc(request);
      if (status === 401 || status === 403 || (status >= 300 && status < 400)) return null;
      if (answer && status !== 404) return resultIn(answer);
      if (status >= 300) {
        const why = `HTTP status ${status}: ${shorten(said, 200) || 'it gave no reason.'}`;
        throw Object.assign(new Error(why), { data: { status } });
      }
      const leftMs = timeoutMs - (performance.now() - beganAt);
      if (resume) return resultIn(await goneOn({ ...request, resume }, headersNow, leftMs));
      throw new Error(said === '' ? 'It ended without an answer.' : 'It sent no answer to the call.');
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

/**
 * Gets the answer on streams that go on where one has ended too early, until the time of the call is over.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 * @param headersNow those of the call, with the token that there is by then
 */
async function goneOn(
  { timeoutMs, signal, ...request }: RpcRequest,
  headersNow: () => Promise<string[]>,
  leftMs: number,
): Promise<RpcAnswer> {
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)));
  const until = AbortSignal.any([signal, late]);
  let { resume = null } = request;
  let failures = 0;
  try {
    while (resume && failures < maxFailures) {
      await sleep(Math.max(resume.afterMs, minPauseMs), until);
      const headers = [...(await headersNow()), 'last-event-id', resume.lastEventId];
      const reply = await postRpc({ ...request, headers, body: null, resume, timeoutMs, signal: until });
      if (reply.answer) return reply.answer;
      const { status } = reply;
      failures = status === 200 ? 0 : failures + 1;
      // It may be back in a moment; any other status says that there is no such stream.
      resume = status === 200 || status === 0 || status === 401 || status >= 500 ? reply.resume : null;
    }
  } catch (error) {
    throw late.aborted && !signal.aborted ? new RpcTimeout(timeoutMs) : error;
  }
  throw new Error('It ended without an answer.');
}

/** How this server is called among clients. */
export const clientInfo = { name: 'switchyard', version: '1.0.0' };

/** The server's result. Throws its error, or one about an invalid answer. */
function resultIn({ message, bytes }: RpcAnswer): PassedResult {
  const { result, error } = message;
  if (isObject(error) && typeof error['code'] === 'number') {
    const { code, message, data } = error;
    throw Object.assign(new Error(String(message ?? 'It gave no reason.')), { code, data });
  }
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
    const reasons = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new Error(`The result does not fit the schema that the tool gives for its results: ${reasons}.`);
  };
}
