import { isObject } from '../../../../lib/json.ts';
import { unwrapped } from '../../envelope.ts';
import { summaryIn } from './compaction.ts';

/**
 * The input of a request for OpenAI itself: reasoning that another vendor's model sealed is left out, as OpenAI would refuse it, and
 * a conversation that was compacted here is a message. Null where there is neither; everything else stays as it is.
 */
export function withoutForeignReasoning(
  input: unknown,
): { readonly input: readonly unknown[]; readonly removed: boolean } | null {
  if (!Array.isArray(input)) return null;
  let changed = false;
  const kept: unknown[] = [];
  for (const item of input) {
    if (isForeign(item)) continue;
    const summary = summaryIn(item);
    changed ||= summary !== null;
    kept.push(summary === null ? item : { type: 'message', role: 'user', content: summary });
  }
  const removed = kept.length < input.length;
  return changed || removed ? { input: kept, removed } : null;
}

function isForeign(item: unknown): boolean {
  if (!isObject(item) || item['type'] !== 'reasoning') return false;
  const { encrypted_content: encrypted } = item;
  return typeof encrypted === 'string' && unwrapped(encrypted) !== null;
}
