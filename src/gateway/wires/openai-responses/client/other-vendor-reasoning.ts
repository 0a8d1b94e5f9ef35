import { isObject } from '../../../../lib/json.ts';
import { unwrapped } from '../../envelope.ts';

/**
 * The input of a request without reasoning that another vendor's model sealed, which OpenAI would refuse; null where there is
 * none in it. Everything else stays as it is.
 */
export function withoutForeignReasoning(input: unknown): readonly unknown[] | null {
  if (!Array.isArray(input)) return null;
  const kept = input.filter((item: unknown) => !isForeign(item));
  return kept.length === input.length ? null : kept;
}

function isForeign(item: unknown): boolean {
  if (!isObject(item) || item['type'] !== 'reasoning') return false;
  const { encrypted_content: encrypted } = item;
  return typeof encrypted === 'string' && unwrapped(encrypted) !== null;
}
