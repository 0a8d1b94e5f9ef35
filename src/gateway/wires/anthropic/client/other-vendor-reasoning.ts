import { isObject } from '../../../../lib/json.ts';
import { systemText } from '../../../../model/parts.ts';
import { unwrapThinking } from '../../envelope.ts';
import type { Body } from '../../wire.ts';

/**
 * Whether a body may hold thinking of another vendor, or of one that signs none, which a client got earlier in its
 * conversation. Claude refuses a conversation with it.
 */
export function mayHoldForeignThinking(bytes: Buffer): boolean {
  return bytes.includes('"sy1.') || bytes.includes('"signature":""') || bytes.includes('"signature": ""');
}

/**
 * The body without such thinking; null where there is none in it. Everything else stays as it is.
 * @param unsigned whether unsigned thinking is foreign
 */
export function withoutForeignThinking(body: Body, unsigned: boolean): Body | null {
  const { messages } = body;
  if (!Array.isArray(messages)) return null;
  let removed = false;
  const kept = messages.flatMap((message: unknown) => {
    if (!isObject(message) || !Array.isArray(message['content'])) return [message];
    const content = message['content'].filter((block) => !isForeign(block, unsigned));
    if (content.length === message['content'].length) return [message];
    removed = true;
    return content.length > 0 ? [{ ...message, content }] : [];
  });
  return removed ? { ...body, messages: kept } : null;
}

function isForeign(block: unknown, unsigned: boolean): boolean {
  if (!isObject(block)) return false;
  const { type, signature, data } = block;
  const mark = type === 'thinking' ? signature : type === 'redacted_thinking' ? data : null;
  if (mark === '') return unsigned;
  return typeof mark === 'string' && unwrapThinking(mark) !== null;
}

/** The messages of a body with its system messages as what the user says; null where there is none. */
export function withSystemAsUser({ messages }: Body): readonly unknown[] | null {
  if (!Array.isArray(messages) || !messages.some(isSystem)) return null;
  return messages.map((message: unknown) => {
    if (!isObject(message) || !isSystem(message)) return message;
    const { content } = message;
    const instructions = Array.isArray(content) ? content.map(asSystemBlock) : asSystemText(content);
    return { ...message, role: 'user', content: instructions };
  });
}

function isSystem(message: unknown): boolean {
  return isObject(message) && message['role'] === 'system';
}

function asSystemBlock(block: unknown): unknown {
  return isObject(block) ? { ...block, text: asSystemText(block['text']) } : block;
}

function asSystemText(text: unknown): unknown {
  return typeof text === 'string' ? systemText(text) : text;
}
