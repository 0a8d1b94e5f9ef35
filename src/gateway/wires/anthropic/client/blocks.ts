import type {
  RedactedThinkingBlock,
  TextCitation,
  ThinkingBlock,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { parseExactly } from '../../../../lib/exact-json.ts';
import { isObject } from '../../../../lib/is-object.ts';
import type { Citation, ThinkingPart } from '../../../../model/parts.ts';
import { wrapThinking } from '../../envelope.ts';

/**
 * Thinking as clients of this wire know it: that of Claude as it came, that of another vendor with an envelope in place of
 * the signature, and as a whole in an envelope where all of it is hidden.
 */
export function thinkingBlock({ text, sealed }: ThinkingPart): ThinkingBlock | RedactedThinkingBlock | null {
  if (sealed?.wire === 'anthropic') return sealed.value as unknown as ThinkingBlock | RedactedThinkingBlock;
  if (sealed && text === '') return { type: 'redacted_thinking', data: wrapThinking(sealed) };
  if (!sealed && text === '') return null;
  return { type: 'thinking', thinking: text, signature: sealed ? wrapThinking(sealed) : '' };
}

/** A page of the web, which is what other vendors cite. */
export function citationOnWire({ url = '', title, citedText = '' }: Citation): TextCitation {
  return {
    type: 'web_search_result_location',
    url,
    title: title ?? null,
    cited_text: citedText,
    encrypted_index: '',
  };
}

/** The input of a call. Arguments that are no JSON object, which the model got wrong, are shown as they came. */
export function inputOf(json: string): object {
  try {
    const value: unknown = parseExactly(json);
    if (isObject(value)) return value;
  } catch {
    // Shown below.
  }
  return { unparsed: json };
}
