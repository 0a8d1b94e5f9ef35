import type { Hmac } from 'node:crypto';
import type { Context } from 'koa';
import { ServiceError } from '../contract/errors.ts';
import type { Idempotency, KeptAnswer } from '../contract/idempotency.ts';
import type { OperationId } from '../contract/registry.ts';
import type { Exchange } from './exchange.ts';
import { Recording } from './recording.ts';
import type { Match } from './routes.ts';
import { send } from './send.ts';

/** As Stripe's: long enough for any name, short enough for any log. */
const plain = /^[\x21-\x7e]{1,255}$/;

/** A string of structured fields (RFC 9651, section 3.3.3), without blanks and parameters, which mean nothing here. */
const quoted = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

/** Headers that change what a request asks for. */
const telling = ['anthropic-version', 'anthropic-beta', 'openai-beta', 'x-switchyard-provider'] as const;
/** A parameter of the query that says who asks. */
const keyParameter = 'key';

/** A request with an `Idempotency-Key`, from where its caller is known. */
export interface KeyedCall {
  /** Takes the body while it is read. */
  readonly fingerprint: Hmac;
  /**
   * Claims the key when everything else about the request has been found right; from then on what is answered is recorded.
   * Gives the answer that is kept; null: the work is to be done. Rejects with `ServiceError`, `StoreError`.
   */
  claim(): Promise<KeptAnswer | null>;
}

interface Called {
  readonly id: OperationId;
  readonly context: Context;
  readonly exchange: Exchange;
  readonly params: Match['params'];
}

/**
 * The key of a request that has one; null where its tenant wants none of it. Throws
 * `ServiceError('idempotency_key_invalid')`.
 */
export function keyedCall(idempotency: Idempotency, called: Called): KeyedCall | null {
  const { context, exchange } = called;
  const owner = idempotency.ownerOf(exchange.principal);
  if (owner === null) return null;
  const key = readIdempotencyKey(context.headers['idempotency-key'] ?? '');
  // The head contains no line break, so head and body cannot be confused in the fingerprint.
  const fingerprint = idempotency.fingerprint().update(`${headOf(called)}\n`);
  return {
    fingerprint,
    async claim() {
      const claim = await idempotency.claim({ owner, key, fingerprint: fingerprint.digest('base64url') });
      if ('kept' in claim) return claim.kept;
      const recording = new Recording(claim.claimed, exchange.memory, idempotency.maxAnswerBytes);
      exchange.recording = recording;
      // Its client went away meanwhile, and nothing has begun.
      if (exchange.signal.aborted) {
        await recording.free();
        throw exchange.signal.reason;
      }
      return null;
    },
  };
}

/** The parts that identify a request, without its body. A form's boundary differs each time it is sent. */
function headOf({ id, context, exchange, params }: Called): string {
  const query = new URLSearchParams(context.querystring);
  query.delete(keyParameter);
  const [type = ''] = (context.headers['content-type'] ?? '').split(';');
  return JSON.stringify([
    context.method,
    id,
    params,
    String(query),
    exchange.mediaType,
    type.trim().toLowerCase(),
    telling.map((name) => context.headers[name] ?? null),
  ]);
}

/** Gives an answer once more. */
export function sendKept(context: Context, exchange: Exchange, { status, headers, body }: KeptAnswer): void {
  exchange.note('idempotent_replayed', true);
  const all = { ...headers, 'idempotent-replayed': 'true' };
  send(context, status, all, body.length === 0 ? null : body);
}

/**
 * The key that a header names: in quotes, as draft-ietf-httpapi-idempotency-key-header has it, or plain, as clients of Stripe
 * send it; both are the same key. Throws `ServiceError('idempotency_key_invalid')`.
 */
function readIdempotencyKey(header: string | readonly string[]): string {
  const text = String(header).trim();
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text;
  if (key !== undefined && plain.test(key)) return key;
  throw new ServiceError(
    'idempotency_key_invalid',
    'The Idempotency-Key must have 1 to 255 printable ASCII characters without spaces, plain or in quotes.',
  );
}
