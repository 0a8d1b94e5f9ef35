import { ServiceError } from '../contract/errors.ts';

/** As Stripe's: long enough for any name, short enough for any log. */
const plain = /^[\x21-\x7e]{1,255}$/;
/** A string of structured fields (RFC 9651, section 3.3.3), without blanks and parameters, which mean nothing here. */
const quoted = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

/**
 * The key that a header names: in quotes, as draft-ietf-httpapi-idempotency-key-header has it, or plain, as clients of Stripe
 * send it; both are the same key. Throws `ServiceError('idempotency_key_invalid')`.
 */
export function readIdempotencyKey(header: string | readonly string[]): string {
  const text = String(header).trim();
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text;
  if (key !== undefined && plain.test(key)) return key;
  throw new ServiceError(
    'idempotency_key_invalid',
    'The Idempotency-Key must have 1 to 255 printable ASCII characters without spaces, plain or in quotes.',
  );
}
