import type { CallToolResult, Progress, Tool } from '@modelcontextprotocol/server';
import type { CallContext } from '../../model/port.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';

/** A call of a tool by a client of MCP, and whose it is. */
export type McpContext = MeteredRequest &
  CallContext & {
    /** The address of the client. */
    readonly client: string;
    /** Adds a field to the log line of the request. */
    note(field: string, value: unknown): void;
  };

export interface OfferContext extends McpContext {
  /** Reports the progress of the call to the client; left out: it does not want to know. */
  readonly onprogress?: ((progress: Progress) => void) | undefined;
}

export interface Offer {
  readonly tool: Tool;
  /** Maximum time of a call, in milliseconds, where it has one of its own. */
  readonly maxMs?: number;
  /**
   * Admits the call, carries it out and accounts for it. Throws `ToolError` for a failure that the model should see,
   * `ServiceError` for a refusal, and the protocol's own errors of the server that has the tool.
   */
  call(values: Readonly<Record<string, unknown>>, context: OfferContext): Promise<CallToolResult>;
}

/** A result whose text is JSON, for models, and which is there as a value, for programs. */
export function structured(value: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
  };
}
