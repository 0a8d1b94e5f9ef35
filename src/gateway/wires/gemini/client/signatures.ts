import type { SealedThinking } from '../../../../model/parts.ts';
import { unwrapThinking, wrapThinking } from '../../envelope.ts';

/**
 * Thinking of another vendor as a `thoughtSignature`. The field holds bytes: Google's clients in Python and Go decode it
 * from base64 and encode it again in either alphabet, so the envelope has to be base64 as a whole.
 */
export function signatureOf(sealed: SealedThinking): string {
  return Buffer.from(wrapThinking(sealed)).toString('base64');
}

/** Base64 of the first three characters of an envelope. */
const start = Buffer.from('sy1').toString('base64');

/** What is in such a signature; null for Google's own. */
export function sealedIn(signature: string): SealedThinking | null {
  return signature.startsWith(start) ? unwrapThinking(Buffer.from(signature, 'base64').toString()) : null;
}
