import { isObject } from '../../../../lib/json.ts';
import { readExtraContent } from './read-content.ts';

/**
 * The messages of a request without what calls of tools bear of another vendor's thinking, a field that OpenAI does not know;
 * null where there is none.
 */
export function withoutForeignExtraContent(messages: unknown): readonly unknown[] | null {
  if (!Array.isArray(messages)) return null;
  const kept = messages.map(withoutThinking);
  return kept.some((message, index) => message !== messages[index]) ? kept : null;
}

function withoutThinking(message: unknown): unknown {
  if (!isObject(message) || !Array.isArray(message['tool_calls'])) return message;
  const calls = message['tool_calls'];
  const kept = calls.map(ofCall);
  return kept.some((call, index) => call !== calls[index]) ? { ...message, tool_calls: kept } : message;
}

function ofCall(call: unknown): unknown {
  if (!isObject(call)) return call;
  const { extra_content: extra, ...rest } = call;
  const { thinking, extraContent } = readExtraContent(extra);
  if (thinking.length === 0) return call;
  return extraContent ? { ...rest, extra_content: extraContent } : rest;
}
