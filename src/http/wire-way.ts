import type { Context } from 'koa';
import { type BodyInfo, type OperationInfo, operations } from '../../generated/operations.gen.ts';
import { toServiceError } from '../contract/errors.ts';
import { type Form, formValues } from '../contract/form.ts';
import type { ReplyCheck } from '../contract/reply-check.ts';
import {
  type StreamedWireReply,
  streamedAs,
  type WholeWireReply,
  type WireCall,
  type WireConventions,
  type WireHandler,
  type WireOperationId,
  type WireReply,
} from '../contract/wire-operations.ts';
import { withMembers } from '../lib/json-splice.ts';
import { readWireBody, type WireBody } from './body.ts';
import { check } from './check-request.ts';
import type { Exchange } from './exchange.ts';
import { corsHeaders } from './headers.ts';
import { type KeyedCall, sendKept } from './keyed-request.ts';
import { turnOf } from './message-exchange.ts';
import { readForm, type Uploads } from './multipart.ts';
import type { Recording } from './recording.ts';
import { send, sendHead } from './send.ts';
import { endInTime, eventStreamHeaders, headFlushed, pipe, type StreamOptions } from './sse.ts';

export interface WireWayParts {
  readonly replyCheck: ReplyCheck | null;
  readonly stream: StreamOptions;
  readonly handler: WireHandler;
  readonly conventions: (call: Pick<WireCall, 'operation' | 'query'>) => WireConventions;
  /** Adds headers with the state of the caller's limits to the reply. */
  readonly setLimitHeaders: (exchange: Exchange) => Promise<void> | undefined;
  readonly uploads: Uploads;
  /** Whether bodies in Brotli can be decoded; as this Node.js has it if left out. */
  readonly brotli?: boolean;
}

/** A request on its way to a foreign interface. */
export interface WireRequest {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly params: WireCall['path'];
  /** The call of its `Idempotency-Key`; null without one. */
  readonly keyed: KeyedCall | null;
}

/** A body that was read; a form has no bytes in memory. */
type ReadBody = WireBody & { readonly form?: Form };

const none = Buffer.alloc(0);
const noBody: ReadBody = { bytes: none, value: {} };

/**
 * The way of a request to a foreign interface, from where its caller is known: body, then only what we use of it is checked, then
 * the handler. Nothing else is refused: clients differ in what they accept and in what they add to the query.
 */
export async function answerWire(
  id: WireOperationId,
  info: OperationInfo,
  { context, exchange, params, keyed }: WireRequest,
  parts: WireWayParts,
): Promise<void> {
  const wrongPath = info.path.includes('{') ? check(id, 'path', params, context) : undefined;
  if (wrongPath) await wrongPath;
  const read = info.body ? await readBody(context, exchange, info.body, parts, keyed) : noBody;
  const { model } = params;
  // Azure's clients name the model in the path, where the interface itself has it in the body.
  const { value: body, bytes } =
    model === undefined || info.path.includes('{model}') ? read : naming(model, read);
  const wrongBody = info.body ? check(id, 'body', body, context) : undefined;
  if (wrongBody) await wrongBody;
  const turn = turnOf(context.req);
  const call: WireCall = {
    operation: id,
    path: params,
    query: new URLSearchParams(context.querystring),
    body,
    bytes,
    ...(read.form && { form: read.form }),
    ...(turn && { turn }),
    headers: context.headers,
  };
  const kept = keyed ? await keyed.claim() : null;
  if (kept) {
    await setHeaders(exchange, call, parts);
    return sendKept(context, exchange, kept);
  }
  // The report of a dry run is never streamed.
  const mediaType = exchange.dryRun ? null : streamedAs(call);
  const reply = parts.handler(call, exchange);
  if (mediaType === null) return writeWire(context, exchange, id, await reply, call, parts);
  if (await comesWithin(reply, parts.stream.pingMs))
    return writeWire(context, exchange, id, await reply, call, parts);
  const conventions = parts.conventions(call);
  return writeChunks(
    context,
    exchange,
    begunEarly(mediaType, reply, conventions, exchange.recording),
    call,
    parts,
  );
}

/** A JSON body, or a form, whose files are deleted when the request is over. */
async function readBody(
  context: Context,
  exchange: Exchange,
  { mediaTypes, maxBytes }: BodyInfo,
  { uploads, brotli }: Pick<WireWayParts, 'uploads' | 'brotli'>,
  keyed: KeyedCall | null,
): Promise<ReadBody> {
  if (!mediaTypes.includes('multipart/form-data'))
    return readWireBody(context, exchange.memory, maxBytes, keyed?.fingerprint, brotli);
  const form = await readForm(context, exchange.memory, uploads, keyed?.fingerprint, brotli);
  const close = () => void form.close().catch((error: unknown) => exchange.report(toServiceError(error)));
  if (context.res.closed) close();
  // A request that is recorded goes on without its client.
  else context.res.once('close', () => (exchange.recording ? exchange.recording.over.then(close) : close()));
  return { bytes: none, value: formValues(form), form };
}

/** The body of a request for the model that its path names, which is what it says and what it is as bytes. */
function naming(model: string, { bytes, value, form }: ReadBody): WireBody {
  if (value['model'] === model) return { bytes, value };
  const named = form ? bytes : withMembers(bytes, { model: JSON.stringify(model) });
  return { bytes: named, value: { ...value, model } };
}

/** Resolves with whether a promise settles within the time. Its timer keeps nothing of the request once it has. */
function comesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false);
    const come = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(come, come);
  });
}

/** A stream that begins before its reply has come; a refusal then breaks off the stream. */
function begunEarly(
  mediaType: string,
  reply: Promise<WireReply>,
  conventions: WireConventions,
  recording: Recording | null,
): StreamedWireReply {
  let { brokenOff } = conventions;
  let ping = () => conventions.ping;
  async function* chunks(): AsyncGenerator<Buffer | string> {
    // There has been silence already, and some clients count only what comes of the body.
    yield conventions.ping;
    const come = await reply;
    if (!('chunks' in come)) {
      if (conventions.framed && come.status === 200) yield conventions.framed(String(come.body));
      else {
        recording?.fail(come.status);
        yield come.body;
      }
      return;
    }
    brokenOff = come.brokenOff ?? brokenOff;
    ping = come.ping ?? ping;
    yield* come.chunks;
  }
  return {
    mediaType,
    chunks: chunks(),
    brokenOff: (error, requestId) => brokenOff(error, requestId),
    ping: () => ping(),
  };
}

async function writeWire(
  context: Context,
  exchange: Exchange,
  id: WireOperationId,
  reply: WireReply,
  call: WireCall,
  parts: WireWayParts,
): Promise<void> {
  await setHeaders(exchange, call, parts);
  if ('chunks' in reply) return writeChunks(context, exchange, reply, call, parts);
  checkReply(id, reply, parts.replyCheck);
  const { status, mediaType, body, headers } = reply;
  const type = mediaType === null ? {} : { 'content-type': mediaType };
  send(context, status, { ...corsHeaders, 'cache-control': 'no-store', ...headers, ...type }, body);
}

/** Puts headers on the reply that belong to the request. */
async function setHeaders(
  exchange: Exchange,
  call: WireCall,
  { setLimitHeaders, conventions }: WireWayParts,
): Promise<void> {
  const asking = setLimitHeaders(exchange);
  if (asking) await asking;
  Object.assign(
    exchange.ownHeaders,
    conventions(call).headers(exchange.requestId, exchange.limitState ?? []),
  );
}

function checkReply(
  id: WireOperationId,
  { status, mediaType, body }: WholeWireReply,
  replyCheck: ReplyCheck | null,
): void {
  const type = mediaType?.split(';')[0] ?? null;
  // Errors of ours are thrown: this is what a vendor said against the request, in whatever form it has.
  if (status >= 400 && type !== null) replyCheck?.passed(id, status, type);
  else replyCheck?.reply(id, status, type, type === 'application/json' ? JSON.parse(String(body)) : null);
}

/**
 * Writes the chunks of a streamed reply, as fast as its reader takes them, a heartbeat in silence, and the terminal event
 * if it breaks off. Returns when all is written or the reader has disconnected.
 */
async function writeChunks(
  context: Context,
  exchange: Exchange,
  { mediaType, opaque = false, headers, chunks, brokenOff, ping }: StreamedWireReply,
  call: WireCall,
  { replyCheck, stream, conventions }: WireWayParts,
): Promise<void> {
  const { res } = context;
  const [named = mediaType] = mediaType.split(';');
  // The vendor chooses the media type of its sound or text; it is not checked.
  const declared = (operations[call.operation].mediaTypes as readonly string[]).includes(named);
  if (!opaque || declared) replyCheck?.passed(call.operation, 200, named);
  const usual = conventions(call);
  context.respond = false;
  const type =
    mediaType === 'text/event-stream'
      ? eventStreamHeaders
      : { 'content-type': mediaType, 'cache-control': 'no-store' };
  const { recording } = exchange;
  const head = { ...corsHeaders, ...headers, ...type };
  recording?.head(200, head);
  sendHead(context, 200, head);
  // Chunks that are there already go with it.
  process.nextTick(headFlushed(res));
  try {
    await pipe(res, chunks, {
      write: (chunk) => {
        recording?.chunk(chunk);
        return res.destroyed || res.write(chunk);
      },
      ping: opaque ? null : () => res.write(ping?.() ?? usual.ping),
      pingMs: stream.pingMs,
      writeTimeoutMs: stream.writeTimeoutMs,
      recording,
    });
  } catch (thrown) {
    const error = toServiceError(thrown);
    exchange.report(error);
    recording?.fail(error.info.status);
    if (opaque) {
      res.destroy();
      // Nothing of ours says that it is not whole.
      await recording?.free();
    } else if (!res.destroyed || recording) {
      const [last = '', ...parting] = [(brokenOff ?? usual.brokenOff)(error, exchange.requestId)].flat();
      recording?.chunk([last, ...parting].join(''));
      if (!res.destroyed) res.write(last);
      if (!res.destroyed && usual.breaksOff) {
        exchange.brokenOff = true;
        // A client with `fetch` loses what it has not read yet of a connection that breaks off, the error with it.
        const breakOff = () => res.write(parting.join(''), () => res.socket?.destroySoon());
        const breaking = setTimeout(breakOff, stream.breakOffMs ?? 250);
        res.once('close', () => clearTimeout(breaking));
      }
    }
  }
  await recording?.end();
  if (res.destroyed) return;
  if (exchange.brokenOff || res.writableNeedDrain) endInTime(res, stream.writeTimeoutMs);
  if (!exchange.brokenOff) res.end();
}
