import { isTooDeep, parseAnswer } from '../../lib/json.ts';
import { redact } from '../../lib/redact.ts';
import { shorten } from '../../lib/static-text.ts';
import { ProviderError } from './provider-error.ts';

/** Who is on the other side, as far as error messages go. */
export interface Vendor {
  readonly id: string;
  /** To be kept out of every message. */
  readonly apiKey: string | null;
}

/** The vendor's reply is invalid. `received` is for the operator's log. */
export function invalidReply(vendor: Vendor, what: string, received: unknown): ProviderError {
  const message = `The provider ${JSON.stringify(vendor.id)} sent ${what}.`;
  const cause = received instanceof Error ? received : new Error(`Received: ${excerpt(vendor, received)}`);
  return new ProviderError('provider_invalid_response', message, { outage: true, cause });
}

/** The vendor stopped in the middle of an answer. */
export function interrupted(vendor: Vendor, cause?: unknown): ProviderError {
  const message = `The provider ${JSON.stringify(vendor.id)} broke off in the middle of the answer.`;
  return new ProviderError('provider_stream_interrupted', message, { outage: true, cause });
}

/** An excerpt of the vendor's data, safe to log: redacted and short. */
export function excerpt(vendor: Vendor, received: unknown): string {
  const text = typeof received === 'string' ? received : (JSON.stringify(received) ?? String(received));
  return shorten(redact(text.slice(0, 20_000), vendor.apiKey), 2000);
}

/**
 * The value of a JSON text that the vendor sent, at most `deepestJson` levels deep, so that it can be written again.
 * Throws `ProviderError` for any other text.
 * @param what the text, for the message: a reply, an event
 */
export function parseJson(vendor: Vendor, text: string, what: string): unknown {
  if (isTooDeep(text)) throw invalidReply(vendor, `${what} that is nested too deeply`, text);
  try {
    return parseAnswer(text);
  } catch {
    throw invalidReply(vendor, `${what} that is not valid JSON`, text);
  }
}

/**
 * A vendor's type as far as it can be relied on: the fields have these names, but each may be missing, null or of
 * another type. Values are `unknown` until they are checked; objects can be looked into with `?.`.
 */
export type Untrusted<T> = T extends null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Untrusted<Item>[] | null | undefined
    : T extends object
      ? { readonly [Field in keyof T]?: Untrusted<T[Field]> } | null | undefined
      : unknown;
