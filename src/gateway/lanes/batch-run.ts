import type { BatchOwner, OpenBatches } from '../../background/vendor-objects/open-batches.ts';
import { type ServiceError, toServiceError } from '../../contract/errors.ts';
import type { WireCall, WireOperationId, WireReply } from '../../contract/wire-operations.ts';
import { type ByteBudget, Holding } from '../../lib/byte-budget.ts';
import { ulid } from '../../lib/ids.ts';
import { isObject, objectIn, parseRequest } from '../../lib/json.ts';
import { sleep } from '../../lib/timers.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import { vendorSaid } from '../upstream/native-reply.ts';
import { embeddingWires } from './embeddings.ts';
import { forward } from './forward.ts';
import { type GenerationParts, generate } from './generation.ts';
import { generationWire } from './generation-wires.ts';
import type { VendorObject } from './vendor-files.ts';
import { conventionsOf } from './wire-conventions.ts';

/** How many requests of a batch run at once. */
const atOnce = 4;
/** How often a request that waits for a limit looks whether its batch still goes on, in milliseconds. */
const lookMs = 1000;

/** How a batch ends. */
export type BatchEnding =
  | { readonly status: 'completed' | 'cancelled' | 'expired' }
  | { readonly status: 'failed'; readonly problems: readonly BatchProblem[] };

export interface BatchRun {
  readonly key: { readonly tenantId: string; readonly id: string };
  readonly owner: BatchOwner;
  readonly operation: WireOperationId;
  readonly lines: readonly BatchLine[];
  readonly open: OpenBatches;
  /** The batch as it is now, and whose requests it makes; or how it ends, as it was cancelled, say. */
  readonly look: () => Promise<{ readonly caller: Caller } | BatchEnding>;
}

/**
 * Carries out the requests of a batch that are not answered yet, each in the place of the key that made the batch. An answer is kept
 * as soon as it has come, and is not asked for again; a request that was under way when its process ended is, and both are in the
 * ledger. Rejects with the signal's reason, and where the database cannot be used.
 */
export async function runBatch(
  parts: BatchRequestParts,
  { key, owner, operation, lines, open, look }: BatchRun,
  stop: AbortSignal,
): Promise<BatchEnding> {
  const answered = await open.answered(key);
  const left = lines.map((_, index) => index).filter((index) => !answered.has(index));
  const failed = new AbortController();
  const signal = AbortSignal.any([stop, failed.signal]);
  let ending: BatchEnding | null = null;
  const callerNow = async (): Promise<Caller | null> => {
    if (ending !== null) return null;
    signal.throwIfAborted();
    const now = await look();
    if ('caller' in now) return now.caller;
    ending = now;
    return null;
  };
  const answer = async (index: number): Promise<void> => {
    for (let caller = await callerNow(); caller !== null; caller = await callerNow()) {
      const line = lines[index] as BatchLine;
      const { tagsHeader } = owner;
      const outcome = await carryOut(parts, { operation, line, caller, tagsHeader, signal });
      if ('text' in outcome) return open.answer(key, { line: index, ...outcome });
      for (let { waitMs } = outcome; waitMs > 0 && (await callerNow()) !== null; waitMs -= lookMs)
        await sleep(Math.min(waitMs, lookMs), signal);
    }
  };
  const worker = async () => {
    try {
      for (let index = left.shift(); index !== undefined && ending === null; index = left.shift())
        await answer(index);
    } catch (thrown) {
      // The requests of the other workers are repeated with the rest.
      failed.abort(thrown);
      throw thrown;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  signal.throwIfAborted();
  for (const one of workers) if (one.status === 'rejected') throw one.reason;
  return ending ?? { status: 'completed' };
}

const over = new Set(['completed', 'failed', 'cancelled', 'expired']);

/** Whether a batch has ended. */
export function isOver({ status }: VendorObject): boolean {
  return over.has(String(status));
}

/** Maximum number of requests in a batch of the sandbox. */
const maxLines = 100;

/** The endpoints that a batch can call. */
export const batchEndpoints: Readonly<Record<string, WireOperationId>> = {
  '/v1/chat/completions': 'createChatCompletion',
  '/v1/completions': 'createCompletion',
  '/v1/responses': 'createResponse',
  '/v1/embeddings': 'createEmbedding',
};

/** A request of a batch. */
export interface BatchLine {
  readonly customId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Why a batch has failed, in OpenAI's form. */
export interface BatchProblem {
  readonly code: string;
  /** From 1; null: it is about none. */
  readonly line: number | null;
  readonly message: string;
  readonly param: string | null;
}

/** The requests of a file, a line each, and what is wrong with it. */
export function linesOf(
  text: string,
  endpoint: string,
): { readonly lines: readonly BatchLine[]; readonly problems: readonly BatchProblem[] } {
  const lines: BatchLine[] = [];
  const problems: BatchProblem[] = [];
  const ids = new Set<string>();
  let count = 0;
  for (const [index, one] of text.split('\n').entries()) {
    if (one.trim() === '') continue;
    count += 1;
    if (count > maxLines) {
      const message = `The sandbox takes at most ${maxLines} requests in a batch.`;
      const problem = { code: 'too_many_requests', line: index + 1, message, param: null };
      return { lines: [], problems: [problem] };
    }
    const wrong = (param: string | null, message: string) =>
      problems.push({ code: 'invalid_request', line: index + 1, message, param });
    const read = objectIn(one, parseRequest);
    const { custom_id: id, url, method, body } = read ?? {};
    if (read === null) wrong(null, 'A line must be a JSON object of at most 500 levels.');
    else if (typeof id !== 'string' || ids.has(id))
      wrong('custom_id', 'custom_id must be a text of its own.');
    else if (method !== 'POST') wrong('method', 'method must be POST.');
    else if (url !== endpoint) wrong('url', `url must be ${endpoint}, as the batch has it.`);
    else if (!isObject(body) || typeof body['model'] !== 'string')
      wrong('body', 'body must be a request with a model.');
    else if (body['stream'] === true) wrong('body.stream', 'A batch has no streams.');
    else lines.push({ customId: id, body });
    if (typeof id === 'string') ids.add(id);
  }
  if (count === 0)
    problems.push({ code: 'empty_file', line: 1, message: 'The file has no requests.', param: null });
  return { lines, problems };
}

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

/** The outcome of a request: its result, or how long it has to wait after a refusal by a limit of a minute. */
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

/** A vendor's error for a request, in whatever form it has. */
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
/** There is no reply whose headers could carry them. */
const tellLimits = () => undefined;
