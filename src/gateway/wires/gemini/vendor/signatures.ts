import type { Part as GeminiPart } from '@google/genai';
import type { SealedThinking, ThinkingPart, ToolCallPart } from '../../../../model/parts.ts';

/**
 * Signatures of thoughts stand on the part of the answer that they belong to and must come back on that very part
 * (https://ai.google.dev/gemini-api/docs/thought-signatures). In a conversation of parts they are kept in two ways:
 *
 * - that of a call of a tool in its `extraContent`, in the form of Google's own OpenAI-compatible endpoint, and once more
 *   as sealed thinking before the call, for clients whose wire has a place for the latter only;
 * - that of a text as sealed thinking after the text, whose value is the part itself.
 */
export interface SignedPart {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature: string;
  /** For a call: which function it calls. The call itself stands in the conversation. */
  readonly functionCall?: { readonly name: string };
}

/** The signature as the `extra_content` of a call. */
export function extraContentOf(signature: string): Readonly<Record<string, unknown>> {
  return { google: { thought_signature: signature } };
}

/** The signature in the `extra_content` of a call; null where there is none. */
export function signatureIn(extraContent: ToolCallPart['extraContent']): string | null {
  const google = extraContent?.['google'];
  if (typeof google !== 'object' || google === null) return null;
  const signature = (google as Readonly<Record<string, unknown>>)['thought_signature'];
  return typeof signature === 'string' && signature !== '' ? signature : null;
}

/** Thinking that is a signed part. */
export function sealedPart(provider: string, model: string, text: string, part: SignedPart): ThinkingPart {
  return { type: 'thinking', text, sealed: { wire: 'gemini', provider, model, value: { ...part } } };
}

/** What is sealed, as a part of this wire; null for what is none. */
export function signedPartOf({ value }: Pick<SealedThinking, 'value'>): SignedPart | null {
  const { text, thought, thoughtSignature, functionCall } = value as GeminiPart;
  if (typeof thoughtSignature !== 'string' || thoughtSignature === '') return null;
  return {
    ...(typeof text === 'string' && { text }),
    ...(thought === true && { thought }),
    thoughtSignature,
    ...(typeof functionCall?.name === 'string' && { functionCall: { name: functionCall.name } }),
  };
}

/**
 * What stands in for the signature of a call that this model did not make; without any it would refuse the
 * conversation (https://ai.google.dev/gemini-api/docs/thought-signatures, "FAQs").
 */
export const foreignSignature = 'skip_thought_signature_validator';
