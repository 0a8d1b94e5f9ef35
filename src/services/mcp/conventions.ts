import type { ServiceError } from '../../contract/errors.ts';
import type { WireConventions } from '../../contract/wire-operations.ts';

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

/** What a client is asked for, before where it is told how to get it. */
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
