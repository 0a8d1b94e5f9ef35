import { isDeeperThan, isObject, objectIn, parseExactly } from '../../lib/json.ts';
import type { SealedThinking, VendorWire } from '../../model/parts.ts';
import { wires } from './fields/field-rows.ts';

/** The prefix of one wire's sealed thinking in a field of another; no vendor's own begins so. */
const prefix = 'sy1.';

/** No vendor's block of thinking is nested nearly as deeply. */
const maxDepth = 20;

/**
 * Sealed thinking as an opaque text, for a client whose wire is not that of the vendor: `encrypted_content` of Responses,
 * `signature` of Anthropic, `thoughtSignature` of Gemini. The client sends it back as it is.
 */
export function wrapThinking({ wire, provider, model, value }: SealedThinking): string {
  return wrapped({ wire, provider, model, value });
}

/**
 * The thinking in such a text; null for any other text. It comes from a client, who may have made it up: a vendor's adapter
 * sends the value on only if it has the form of thinking.
 */
export function unwrapThinking(text: string): SealedThinking | null {
  const content = unwrapped(text);
  if (content === null) return null;
  const { wire, provider, model, value } = content;
  if (
    !(wires as readonly unknown[]).includes(wire) ||
    !isNameOrNull(provider) ||
    !isNameOrNull(model) ||
    !isObject(value)
  )
    return null;
  return { wire: wire as VendorWire, provider, model, value };
}

/** A value as such a text, for what is no thinking and only its own wire reads. */
export function wrapped(value: Readonly<Record<string, unknown>>): string {
  return prefix + Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The value in such a text; null for any other text. */
export function unwrapped(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.startsWith(prefix)) return null;
  const value = objectIn(Buffer.from(text.slice(prefix.length), 'base64url').toString(), parseExactly);
  return value && !isDeeperThan(value, maxDepth) ? value : null;
}

function isNameOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
