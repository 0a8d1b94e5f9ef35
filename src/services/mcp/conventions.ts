import type { ServiceError } from '../../contract/errors.ts';
import type { WireConventions } from '../../contract/wire-operations.ts';
import type { RpcFailure } from './plain-call.ts';
import type { Sdk } from './remote.ts';

/** How MCP says what goes wrong before a message is read: as JSON-RPC errors, and how to authenticate as RFC 9728 has it. */
export function mcpConventions(publicUrl: string): WireConventions {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`;
  return {
    error(error, requestId) {
      const challenge = challengeOf(error);
      return {
        // As MCP has it for a page of a foreign origin.
        status: error.code === 'host_not_allowed' ? 403 : error.info.status,
        body: messageOf(error, requestId),
        headers: challenge === undefined ? {} : { 'www-authenticate': `${challenge}, ${metadata}` },
      };
    },
    headers: () => ({}),
    brokenOff: (error, requestId) =>
      `event: message\ndata: ${JSON.stringify(messageOf(error, requestId))}\n\n`,
    breaksOff: false,
    framed: (body) => `event: message\ndata: ${body}\n\n`,
    ping: ': ping\n\n',
  };
}

/** The challenge to a client, to which the address of its instructions is added. */
function challengeOf({ code, headers }: ServiceError): string | undefined {
  if (code === 'insufficient_scope')
    return 'Bearer realm="switchyard", error="insufficient_scope", scope="mcp"';
  return headers['www-authenticate'];
}

/** JSON-RPC's numbers for our codes, where it has some (https://www.jsonrpc.org/specification#error_object). */
const numbers: Partial<Record<ServiceError['code'], number>> = {
  malformed_json: -32_700,
  missing_body: -32_700,
  malformed_request: -32_600,
  invalid_request: -32_600,
  not_found: -32_601,
  internal_error: -32_603,
};

function messageOf(error: ServiceError, requestId: string): object {
  const { code, message, param, retryable, details } = error;
  const data = {
    code,
    param,
    request_id: requestId,
    retryable,
    ...(details.length > 0 && { details }),
    ...(error.retryAfter !== undefined && { retry_after: error.retryAfter }),
  };
  return { jsonrpc: '2.0', id: null, error: { code: numbers[code] ?? -32_000, message, data } };
}

const requests: ReadonlyMap<unknown, keyof Sdk['specTypeSchemas']> = new Map([
  ['completion/complete', 'CompleteRequest'],
  ['initialize', 'InitializeRequest'],
  ['prompts/get', 'GetPromptRequest'],
  ['prompts/list', 'ListPromptsRequest'],
  ['resources/list', 'ListResourcesRequest'],
  ['resources/read', 'ReadResourceRequest'],
  ['resources/templates/list', 'ListResourceTemplatesRequest'],
  ['tools/call', 'CallToolRequest'],
  ['tools/list', 'ListToolsRequest'],
]);

const types: ReadonlyMap<unknown, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['string', 'a text'],
]);

/** The problem of a request's parameters, in words: the SDK would answer with its schema's own output. Null: nothing. */
export async function wrongParameters(
  { specTypeSchemas, INVALID_PARAMS }: Sdk,
  body: { readonly method?: unknown },
): Promise<RpcFailure | null> {
  const schema = requests.get(body.method);
  const { issues } = (schema && (await specTypeSchemas[schema]['~standard'].validate(body))) ?? {};
  if (!issues || issues.length === 0) return null;
  const problems = issues.slice(0, 10).map(({ path = [], ...issue }) => {
    const type = types.get((issue as { readonly expected?: unknown }).expected);
    return `${path.join('.')} ${type ? `must be ${type}` : 'does not have the form that the method takes'}`;
  });
  return { code: INVALID_PARAMS, message: `${problems.join('; ')}.` };
}
