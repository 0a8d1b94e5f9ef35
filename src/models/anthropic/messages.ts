import type {
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { ToolCall } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isTooDeep } from '../../lib/json-depth.ts';
import type { ModelMessage } from '../port.ts';

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
    if (message.role === 'system') {
      system.push(message.content);
      if (messages.length > 0) moved += 1;
      continue;
    }
    if (message.role === 'tool') {
      if (!results) {
        results = [];
        messages.push({ role: 'user', content: results });
      }
      results.push(resultOf(message.tool_call_id, message.content));
      continue;
    }
    if (message.role === 'assistant' && message.tool_calls) {
      extraIgnored ||= message.tool_calls.some((call) => call.extra_content);
      messages.push({ role: 'assistant', content: blocksOf(message.content, message.tool_calls, index) });
    } else if (message.role === 'user' && results) {
      results.push({ type: 'text', text: message.content });
    } else {
      messages.push({ role: message.role, content: message.content ?? '' });
    }
    results = null;
  }
  return { messages, system, moved, extraIgnored };
}

function resultOf(id: string, content: string): ToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: vendorId(id), ...(content !== '' && { content }) };
}

function blocksOf(
  content: string | null | undefined,
  calls: readonly ToolCall[],
  index: number,
): ContentBlockParam[] {
  const uses = calls.map((call, n): ToolUseBlockParam => {
    const path = `messages[${index}].tool_calls[${n}].function.arguments`;
    return {
      type: 'tool_use',
      id: vendorId(call.id),
      name: call.function.name,
      input: inputOf(call.function.arguments, path),
    };
  });
  return content ? [{ type: 'text', text: content }, ...uses] : uses;
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
