import { type ServiceError, toServiceError } from '../../contract/errors.ts';
import type { WireCall, WireOperationId, WireReply } from '../../contract/wire-operations.ts';
import { type ByteBudget, Holding } from '../../lib/byte-budget.ts';
import { ulid } from '../../lib/ids.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import { vendorSaid } from '../upstream/native-reply.ts';
import type { BatchLine } from './batch-lines.ts';
import { embeddingWires } from './embeddings.ts';
import { forward } from './forward.ts';
import { type GenerationParts, generate } from './generation.ts';
import { generationWire } from './generation-wires.ts';
import { conventionsOf } from './wire-conventions.ts';

export interface BatchRequestParts extends GenerationParts {
  /** The memory for everything in flight. */
  readonly budget: ByteBudget;
}

/** A request of a batch, and whose it is. */
export interface BatchRequest {
  readonly operation: WireOperationId;
  readonly line: BatchLine;
  readonly caller: Caller;
  readonly tagsHeader: string | null;
  readonly signal: AbortSignal;
}

export interface BatchResult {
  readonly ok: boolean;
  /** A line of the results. */
  readonly text: string;
}

/** What comes of a request: its result, or for how long it is to wait, as a limit of a minute has refused it. */
export type BatchOutcome = BatchResult | { readonly waitMs: number };

/**
 * Carries out a request of a batch on the ordinary way of its model. Rejects with the signal's reason, and where the database
 * cannot be used or the server stops, which say nothing about the request.
 */
export async function carryOut(
  parts: BatchRequestParts,
  { operation, line: { customId, body }, caller, tagsHeader, signal }: BatchRequest,
): Promise<BatchOutcome> {
  const requestId = `req_${ulid()}`;
  const memory = new Holding(parts.budget);
  const bytes = Buffer.from(JSON.stringify(body));
  const call: WireCall = {
    operation,
    path: {},
    query: new URLSearchParams(),
    body,
    bytes,
    headers: {},
  };
  const context = { caller, requestId, tagsHeader, operation, signal, memory, headers: {}, tellLimits };
  try {
    const reply = await answerOf(parts, call, context);
    if ('chunks' in reply) throw new Error('A request that is no stream was answered by one.');
    return resultOf(customId, requestId, reply.status, JSON.parse(String(reply.body)));
  } catch (thrown) {
    signal.throwIfAborted();
    const said = vendorSaid(thrown);
    if (said !== null) return resultOf(customId, requestId, said.status, jsonOr(String(said.body)));
    const error = toServiceError(thrown);
    if (error.code === 'storage_unavailable' || error.code === 'shutting_down') throw thrown;
    const waitMs = waitOf(error);
    if (waitMs !== null) return { waitMs };
    const { status, body: answer } = conventionsOf(call).error(error, requestId);
    return resultOf(customId, requestId, status, answer);
  } finally {
    memory.release();
  }
}

/** The line of a request that was not carried out. */
export function notCarriedOut({ customId }: BatchLine, code: string, message: string): string {
  return JSON.stringify({ id: newResultId(), custom_id: customId, response: null, error: { code, message } });
}

/** Only our own limits are waited for, and of them only those that have room again within a minute or so. */
function waitOf({ code, shouldRetry, retryAfter }: ServiceError): number | null {
  return code === 'rate_limited' && shouldRetry === true && retryAfter !== undefined
    ? retryAfter * 1000
    : null;
}

function resultOf(customId: string, requestId: string, status: number, body: unknown): BatchResult {
  const response = { status_code: status, request_id: requestId, body };
  const line = { id: newResultId(), custom_id: customId, response, error: null };
  return { ok: status === 200, text: JSON.stringify(line) };
}

/** What a vendor says against a request, in whatever form it has. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function answerOf(
  parts: BatchRequestParts,
  call: WireCall,
  context: Parameters<typeof generate>[3],
): Promise<WireReply> {
  const wire = generationWire(call);
  return wire === null
    ? forward(parts, embeddingWires.createEmbedding, call, context)
    : generate(parts, wire, call, context);
}

const newResultId = () => `batch_req_${ulid().toLowerCase()}`;
/** There is no reply to tell them in. */
const tellLimits = () => undefined;
