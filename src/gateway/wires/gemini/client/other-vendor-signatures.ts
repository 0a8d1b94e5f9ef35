import { isObject } from '../../../../lib/json.ts';

import type { SealedThinking } from '../../../../model/parts.ts';
import { unwrapThinking, wrapThinking } from '../../envelope.ts';

/** How an envelope begins on this wire: base64 of its first three characters. */
export const envelopeStart = Buffer.from('sy1').toString('base64');

/**
 * Replaces the signature of a call that another model made; without any a newer model refuses the conversation
 * (https://ai.google.dev/gemini-api/docs/thought-signatures, "FAQs").
 */
const standIn = 'skip_thought_signature_validator';

/**
 * The contents of a request without signatures that another vendor's model made, which Google would refuse; null where there is
 * none. A call keeps a stand-in, as newer models refuse one without.
 */
export function withoutForeignSignatures(contents: unknown): readonly unknown[] | null {
  if (!Array.isArray(contents)) return null;
  let removed = false;
  const kept = contents.flatMap((content: unknown) => {
    if (!isObject(content) || !Array.isArray(content['parts'])) return [content];
    const parts = content['parts'].flatMap((part: unknown) => {
      const field = isObject(part) ? signatureIn(part) : null;
      if (field === null || !isObject(part)) return [part];
      removed = true;
      const { [field]: _, ...rest } = part;
      if ('functionCall' in rest || 'function_call' in rest) return [{ ...rest, thoughtSignature: standIn }];
      // A part that held nothing but the signature would be refused.
      return rest['text'] === '' ? [] : [rest];
    });
    return parts.length > 0 ? [{ ...content, parts }] : [];
  });
  return removed ? kept : null;
}

/** The field of a part that holds the signature of another vendor's model; null: none does. */
function signatureIn(part: Readonly<Record<string, unknown>>): string | null {
  for (const field of ['thoughtSignature', 'thought_signature']) {
    const signature = part[field];
    if (typeof signature === 'string' && sealedIn(signature) !== null) return field;
  }
  return null;
}

/**
 * Thinking of another vendor as a `thoughtSignature`. The field holds bytes: Google's clients in Python and Go decode it
 * from base64 and encode it again in either alphabet, so the envelope has to be base64 as a whole.
 */
export function signatureOf(sealed: SealedThinking): string {
  return Buffer.from(wrapThinking(sealed)).toString('base64');
}

/** The content of such a signature; null for Google's own. */
export function sealedIn(signature: string): SealedThinking | null {
  return signature.startsWith(envelopeStart)
    ? unwrapThinking(Buffer.from(signature, 'base64').toString())
    : null;
}
