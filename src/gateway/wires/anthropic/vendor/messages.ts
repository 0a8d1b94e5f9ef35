import type {
  ContentBlockParam,
  MessageParam,
  RedactedThinkingBlockParam,
  ThinkingBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import {
  isThinkingOf,
  type ModelMessage,
  type Part,
  type SealedThinking,
  type TextPart,
  type ToolCallPart,
} from '../../../../model/parts.ts';
import { argumentsAt } from '../../../upstream/tool-calls.ts';
import { type ContentContext, marked, onlyText, refused, resultBlock, shownBlock } from './content.ts';

export interface AnthropicMessages {
  readonly messages: MessageParam[];
  readonly system: TextPart[];
  /**
   * Whether the model is in the middle of a turn that it began without thinking. Models that think by budget refuse to
   * begin with it there.
   */
  readonly unthoughtTurn: boolean;
}

export interface Conversation extends ContentContext {
  /** Who is asked: thinking that another provider or model made is left out. */
  readonly provider: string;
  /** Whether system messages within the conversation stay there. */
  readonly systemStays?: boolean;
}

/**
 * The conversation as this wire says it. System messages go before it. The results of calls go into one message of the
 * user, before anything else that the user says next
 * (https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use).
 */
export function anthropicMessages(
  conversation: readonly ModelMessage[],
  context: Conversation,
): AnthropicMessages {
  const { model, adaptations } = context;
  const messages: MessageParam[] = [];
  const system: TextPart[] = [];
  let moved = 0;
  /** The results that the next message of the user joins. */
  let results: ContentBlockParam[] | null = null;

  for (const [index, message] of conversation.entries()) {
    const path = `messages[${index}]`;
    if (message.name !== undefined) {
      adaptations.tell('parameter_ignored', 'name', 'knows no names of speakers; they were left out.');
    }
    if (message.role === 'system' || message.role === 'developer') {
      const texts = systemTexts(message.content, path, model);
      if (messages.length > 0 && context.systemStays) {
        messages.push({
          role: 'system',
          content: texts.map((part) => ({ type: 'text', text: part.text, ...marked(part) })),
        });
        results = null;
        continue;
      }
      system.push(...texts);
      if (messages.length > 0) moved += 1;
      continue;
    }
    if (message.role === 'tool') {
      if (!results) {
        results = [];
        messages.push({ role: 'user', content: results });
      }
      for (const [at, part] of message.content.entries()) {
        if (part.type !== 'tool_result')
          throw refused(`${path}.content[${at}]`, 'A tool gives results only.');
        results.push(resultBlock(part, `${path}.content[${at}]`, context));
      }
      continue;
    }
    const content =
      message.role === 'assistant'
        ? saidByModel(message.content, index, context)
        : saidByUser(message.content, path, context);
    if (message.role === 'user' && results) results.push(...blocksOf(content));
    // Nothing is left of a message that was all thinking of another model.
    else if (message.content.length === 0 || content.length > 0)
      messages.push({ role: message.role, content });
    results = null;
  }
  if (moved > 0) adaptations.tell('system_messages_merged', 'messages', movedMessage(moved));
  return { messages, system, unthoughtTurn: isUnthought(messages) };
}

function movedMessage(moved: number): string {
  const which = moved === 1 ? '1 message further down was' : `${moved} messages further down were`;
  return `takes system messages only before the conversation; ${which} moved there.`;
}

function systemTexts(content: readonly Part[], path: string, model: string): TextPart[] {
  return content.map((part, index) => {
    if (part.type === 'text') return part;
    throw refused(`${path}.content[${index}]`, `${model} takes only text as instructions.`);
  });
}

type Content = string | ContentBlockParam[];

function blocksOf(content: Content): ContentBlockParam[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

function saidByUser(content: readonly Part[], path: string, context: Conversation): Content {
  if (content.length === 0) return '';
  const text = onlyText(content);
  if (text && !text.cache) return text.text;
  return content
    .map((part, index) => shownBlock(part, `${path}.content[${index}]`, context))
    .filter((block) => block !== null);
}

function saidByModel(content: readonly Part[], index: number, context: Conversation): Content {
  if (content.length === 0) return '';
  const text = onlyText(content);
  if (text && !text.citations && !text.cache) return text.text;
  const blocks: ContentBlockParam[] = [];
  let calls = 0;
  for (const [at, part] of content.entries()) {
    const block = blockOf(part, at);
    if (block) blocks.push(block);
  }
  return blocks;

  function blockOf(part: Part, at: number): ContentBlockParam | null {
    if (part.type === 'tool_call') {
      const path = `messages[${index}].tool_calls[${calls}].function.arguments`;
      calls += 1;
      return useBlock(part, path, context);
    }
    if (part.type === 'thinking') return thinkingBlock(part.sealed, context);
    if (part.type === 'text' && part.citations) {
      const said = 'cannot be shown the citations of an earlier answer; they were left out.';
      context.adaptations.tell('content_adapted', 'citations', said);
    }
    return shownBlock(part, `messages[${index}].content[${at}]`, context);
  }
}

/** Thinking as it came, where it came from this model; it is never changed. */
function thinkingBlock(
  sealed: SealedThinking | null,
  asked: Conversation,
): ThinkingBlockParam | RedactedThinkingBlockParam | null {
  if (isThinkingOf(sealed, 'anthropic', asked) && isThinkingBlock(sealed.value))
    return sealed.value as unknown as ThinkingBlockParam | RedactedThinkingBlockParam;
  const said = 'cannot read the thinking of another model; it was left out.';
  asked.adaptations.tell('thinking_removed', 'messages', said);
  return null;
}

/** A client may have made it up: only what has the form of thinking goes into the conversation. */
function isThinkingBlock({ type, thinking, signature, data }: SealedThinking['value']): boolean {
  if (type === 'redacted_thinking') return typeof data === 'string';
  // Some vendors on this wire sign nothing.
  return type === 'thinking' && typeof thinking === 'string' && typeof (signature ?? '') === 'string';
}

function useBlock(call: ToolCallPart, path: string, { adaptations }: Conversation): ToolUseBlockParam {
  if (call.extraContent) adaptations.leftOut('extraContent');
  const input = call.custom ? { input: call.arguments } : argumentsAt(call.arguments, path);
  return { type: 'tool_use', id: call.id, name: call.name, input };
}

function isUnthought(messages: readonly MessageParam[]): boolean {
  const last = messages.at(-1);
  const answered = Array.isArray(last?.content) && last.content.some(({ type }) => type === 'tool_result');
  const content = answered ? messages.at(-2)?.content : null;
  if (!Array.isArray(content)) return false;
  return content[0]?.type !== 'thinking' && content[0]?.type !== 'redacted_thinking';
}
