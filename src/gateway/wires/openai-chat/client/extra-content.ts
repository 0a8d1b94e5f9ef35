import { isObject } from '../../../../lib/is-object.ts';
import type { ThinkingPart, ToolCallPart } from '../../../../model/parts.ts';
import { unwrapThinking, wrapThinking } from '../../envelope.ts';
import type { Body } from '../../wire.ts';

/**
 * `extra_content` of a tool call is the one place in this wire's messages that clients give back without looking at it; it
 * came with Gemini's signatures (https://ai.google.dev/gemini-api/docs/thought-signatures). Sealed thinking of other vendors,
 * who want it back before the call that it led to, stands there under our name.
 */
const ours = 'switchyard';

/** `extra_content` of a call, with the sealed thinking that came before it; undefined where there is nothing. */
export function extraContentOf(
  { extraContent }: Pick<ToolCallPart, 'extraContent'>,
  thinking: readonly ThinkingPart[],
): Body | undefined {
  const sealed = thinking.flatMap(({ sealed }) => (sealed ? [wrapThinking(sealed)] : []));
  if (sealed.length === 0) return extraContent;
  return { ...extraContent, [ours]: { thinking: sealed } };
}

/** What such a field holds: the thinking, and what is not ours. */
export function readExtraContent(value: unknown): {
  readonly thinking: readonly ThinkingPart[];
  readonly extraContent?: Body;
} {
  if (!isObject(value)) return { thinking: [] };
  const { [ours]: own, ...others } = value;
  const texts = isObject(own) && Array.isArray(own['thinking']) ? own['thinking'] : [];
  const thinking = texts.flatMap((text: unknown) => {
    const sealed = typeof text === 'string' ? unwrapThinking(text) : null;
    return sealed ? [{ type: 'thinking' as const, text: '', sealed }] : [];
  });
  return Object.keys(others).length > 0 ? { thinking, extraContent: others } : { thinking };
}
