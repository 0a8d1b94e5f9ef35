import type {
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { ServiceError } from '../../contract/errors.ts';
import { isTooDeep } from '../../lib/json-depth.ts';
import { type ModelMessage, type Part, textOf } from '../parts.ts';

export interface AnthropicMessages {
  readonly messages: MessageParam[];
  readonly system: string[];
  /** System messages that stood further down and were moved to the others. */
  readonly moved: number;
  /** Whether calls carried `extra_content`, for which there is no place. */
  readonly extraIgnored: boolean;
}

/**
 * The conversation as this wire says it. The results of calls go into one message of the user, before anything else
 * that the user says next (https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use).
 */
export function anthropicMessages(conversation: readonly ModelMessage[]): AnthropicMessages {
  const messages: MessageParam[] = [];
  const system: string[] = [];
  let moved = 0;
  let extraIgnored = false;
  /** The results that the next message of the user joins. */
  let results: ContentBlockParam[] | null = null;

  for (const [index, message] of conversation.entries()) {
    if (message.role === 'system' || message.role === 'developer') {
      system.push(textOf(message));
      if (messages.length > 0) moved += 1;
      continue;
    }
    if (message.role === 'tool') {
      if (!results) {
        results = [];
        messages.push({ role: 'user', content: results });
      }
      for (const part of message.content)
        if (part.type === 'tool_result') results.push(resultOf(part.callId, textOf(part)));
      continue;
    }
    if (message.content.some(({ type }) => type === 'tool_call')) {
      extraIgnored ||= message.content.some((part) => part.type === 'tool_call' && part.extraContent);
      messages.push({ role: 'assistant', content: blocksOf(message.content, index) });
    } else if (message.role === 'user' && results) {
      results.push({ type: 'text', text: textOf(message) });
    } else {
      messages.push({ role: message.role, content: textOf(message) });
    }
    results = null;
  }
  return { messages, system, moved, extraIgnored };
}

function resultOf(id: string, content: string): ToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: vendorId(id), ...(content !== '' && { content }) };
}

function blocksOf(content: readonly Part[], index: number): ContentBlockParam[] {
  const text = textOf({ content });
  const calls = content.flatMap((part) => (part.type === 'tool_call' ? [part] : []));
  const uses = calls.map((call, n): ToolUseBlockParam => {
    const path = `messages[${index}].tool_calls[${n}].function.arguments`;
    return {
      type: 'tool_use',
      id: vendorId(call.id),
      name: call.name,
      input: inputOf(call.arguments, path),
    };
  });
  return text ? [{ type: 'text', text }, ...uses] : uses;
}

/** Ids here are letters, digits, `_` and `-`; other vendors use more, such as `functions.search:0`. */
function vendorId(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

function inputOf(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = isTooDeep(text) ? null : JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Refused below.
  }
  const message = `${path} must be a JSON object for this model.`;
  throw new ServiceError('invalid_request', message, {
    details: [{ path, code: 'json', message: 'must be a JSON object for this model' }],
  });
}
