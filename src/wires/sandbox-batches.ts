import { ServiceError, toServiceError } from '../contract/errors.ts';
import type { WireCall, WireOperationId, WireReply } from '../contract/wire-operations.ts';
import type { KeptObject } from '../kept/kept-objects.ts';
import { ulid } from '../lib/ids.ts';
import { isObject } from '../lib/is-object.ts';
import { vendorSaid } from '../models/native-reply.ts';
import { sandboxId } from '../models/port.ts';
import { embeddingWires } from './embeddings.ts';
import { forward } from './forward.ts';
import { generate } from './generation.ts';
import { generationWire } from './generation-wires.ts';
import {
  batchKeepMs,
  type FilesParts,
  newBatchId,
  newFileId,
  noFile,
  type VendorObject,
} from './kept-files.ts';
import { mannersOf } from './manners.ts';
import { keepFile } from './sandbox-files.ts';
import type { WireContext } from './wire-context.ts';

/** Maximum number of requests in a batch of the sandbox, and how many of them run at once. */
const maxLines = 100;
const atOnce = 4;

/** What a batch can be made of. */
const endpoints: Readonly<Record<string, WireOperationId>> = {
  '/v1/chat/completions': 'createChatCompletion',
  '/v1/completions': 'createCompletion',
  '/v1/responses': 'createResponse',
  '/v1/embeddings': 'createEmbedding',
};

interface Line {
  readonly customId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface LineProblem {
  readonly code: string;
  readonly line: number;
  readonly message: string;
  readonly param: string | null;
}

/**
 * Carries out a batch of a file that the sandbox keeps, while its client waits: each request goes the way of its model, within the
 * limits of the tenant, and is accounted for by itself. Throws `ServiceError`.
 */
export async function runBatch(
  parts: FilesParts,
  input: KeptObject,
  { body }: WireCall,
  context: WireContext,
): Promise<VendorObject> {
  const { objects } = parts;
  const { tenantId } = context.caller;
  const endpoint = String(body['endpoint']);
  const operation = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  if (operation === undefined) {
    const message = `endpoint must be one of ${Object.keys(endpoints).join(', ')}.`;
    throw new ServiceError('invalid_request', message, { param: 'endpoint' });
  }
  const bytes = await objects.content(tenantId, input.id);
  if (bytes === null) throw noFile(input.id);
  const { lines, problems } = linesOf(Buffer.from(bytes).toString(), endpoint);
  const id = newBatchId();
  const startedAt = seconds(objects.now);
  const results = problems.length > 0 ? [] : await carryOut(parts, operation, lines, context);
  const good = results.filter(({ ok }) => ok).map(({ text }) => text);
  const bad = results.filter(({ ok }) => !ok).map(({ text }) => text);
  const keep = async (texts: readonly string[], filename: string) => {
    if (texts.length === 0) return null;
    const file = { id: newFileId(), filename, purpose: 'batch_output', keepMs: batchKeepMs };
    return (await keepFile(objects, tenantId, { ...file, bytes: Buffer.from(`${texts.join('\n')}\n`) })).id;
  };
  const failed = problems.length > 0;
  const batch = {
    id,
    object: 'batch',
    endpoint,
    errors: failed ? { object: 'list', data: problems } : null,
    input_file_id: input.id,
    completion_window: body['completion_window'],
    status: failed ? 'failed' : 'completed',
    output_file_id: await keep(good, `${id}_output.jsonl`),
    error_file_id: await keep(bad, `${id}_error.jsonl`),
    created_at: startedAt,
    in_progress_at: startedAt,
    ...(failed ? { failed_at: seconds(objects.now) } : { completed_at: seconds(objects.now) }),
    expires_at: startedAt + 86_400,
    request_counts: { total: results.length, completed: good.length, failed: bad.length },
    metadata: body['metadata'] ?? null,
  };
  const object = { provider: sandboxId, model: null, vendorId: id, data: batch, counted: true };
  await objects.record({ tenantId, kind: 'batch', id, ...object, keepMs: batchKeepMs });
  return batch;
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** The requests of a file, a line each, and what is wrong with it. */
function linesOf(text: string, endpoint: string): { lines: Line[]; problems: LineProblem[] } {
  const lines: Line[] = [];
  const problems: LineProblem[] = [];
  const ids = new Set<string>();
  const texts = text.split('\n').filter((line) => line.trim() !== '');
  if (texts.length === 0)
    problems.push({ code: 'empty_file', line: 1, message: 'The file has no requests.', param: null });
  if (texts.length > maxLines) {
    const message = `The sandbox takes at most ${maxLines} requests in a batch.`;
    return { lines, problems: [{ code: 'too_many_requests', line: maxLines + 1, message, param: null }] };
  }
  for (const [index, one] of texts.entries()) {
    const wrong = (param: string | null, message: string) =>
      problems.push({ code: 'invalid_request', line: index + 1, message, param });
    const { custom_id: id, url, method, body } = parsed(one) ?? {};
    if (typeof id !== 'string' || ids.has(id)) wrong('custom_id', 'custom_id must be a text of its own.');
    else if (method !== 'POST') wrong('method', 'method must be POST.');
    else if (url !== endpoint) wrong('url', `url must be ${endpoint}, as the batch has it.`);
    else if (!isObject(body) || typeof body['model'] !== 'string')
      wrong('body', 'body must be a request with a model.');
    else if (body['stream'] === true) wrong('body.stream', 'A batch has no streams.');
    else lines.push({ customId: id, body });
    if (typeof id === 'string') ids.add(id);
  }
  return { lines, problems };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

interface Result {
  readonly ok: boolean;
  /** A line of the results. */
  readonly text: string;
}

async function carryOut(
  parts: FilesParts,
  operation: WireOperationId,
  lines: readonly Line[],
  context: WireContext,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < lines.length; index = next++) {
      context.signal.throwIfAborted();
      results[index] = await resultOf(parts, operation, lines[index] as Line, context);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

async function resultOf(
  parts: FilesParts,
  operation: WireOperationId,
  { customId, body }: Line,
  context: WireContext,
): Promise<Result> {
  const requestId = `req_${ulid()}`;
  const query = new URLSearchParams();
  const bytes = Buffer.from(JSON.stringify(body));
  const call: WireCall = { operation, path: {}, query, body, bytes, headers: {} };
  const own: WireContext = { ...context, operation, requestId, headers: {}, tellLimits: () => undefined };
  let status: number;
  let answer: unknown;
  try {
    const reply = await answerOf(parts, call, own);
    if ('chunks' in reply) throw new Error('A request that is no stream was answered by one.');
    status = reply.status;
    answer = JSON.parse(String(reply.body));
  } catch (thrown) {
    context.signal.throwIfAborted();
    const said = vendorSaid(thrown);
    const told = said ?? mannersOf(call).error(toServiceError(thrown), requestId);
    status = told.status;
    answer = typeof told.body === 'string' ? JSON.parse(told.body) : told.body;
  }
  const response = { status_code: status, request_id: requestId, body: answer };
  const line = { id: `batch_req_${ulid().toLowerCase()}`, custom_id: customId, response, error: null };
  return { ok: status === 200, text: JSON.stringify(line) };
}

function answerOf(parts: FilesParts, call: WireCall, context: WireContext): Promise<WireReply> {
  const wire = generationWire(call);
  return wire === null
    ? forward(parts, embeddingWires.createEmbedding, call, context)
    : generate(parts, wire, call, context);
}
