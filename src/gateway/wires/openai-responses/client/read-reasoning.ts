import { isObject } from '../../../../lib/is-object.ts';
import type { ThinkingPart } from '../../../../model/parts.ts';
import { textIn } from '../../check.ts';
import { unwrapped, unwrapThinking } from '../../envelope.ts';
import type { Body } from '../../wire.ts';

/** The thinking in a `reasoning` item; null where there is none. */
export function readReasoning(item: Body, path: string): ThinkingPart | null {
  const text = [...textsIn(item['summary']), ...textsIn(item['content'])].join('\n\n');
  const encrypted = textIn(item, 'encrypted_content', `${path}.encrypted_content`);
  if (encrypted === undefined) return text === '' ? null : { type: 'thinking', text, sealed: null };
  if (callsIn(encrypted)) return null;
  const sealed = unwrapThinking(encrypted) ?? {
    wire: 'openai-responses',
    provider: null,
    model: null,
    value: item,
  };
  return { type: 'thinking', text, sealed };
}

function textsIn(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isObject).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

/**
 * What vendors need to see again with calls of tools, by the calls' ids. Items of calls have no place for it that clients
 * keep, so it travels in a `reasoning` item of its own (`extraContentItem`).
 */
export function extraContentIn(items: readonly Body[]): ReadonlyMap<string, Body> {
  let found: Map<string, Body> | null = null;
  for (const { type, encrypted_content: encrypted } of items) {
    const calls = type === 'reasoning' && typeof encrypted === 'string' ? callsIn(encrypted) : null;
    if (!calls) continue;
    found ??= new Map();
    for (const [id, extra] of Object.entries(calls)) if (isObject(extra)) found.set(id, extra);
  }
  return found ?? none;
}

const none: ReadonlyMap<string, Body> = new Map();

function callsIn(encrypted: string): Body | null {
  const calls = unwrapped(encrypted)?.['calls'];
  return isObject(calls) ? calls : null;
}
