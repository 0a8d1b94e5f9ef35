import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionToolMessageParam,
} from 'openai/resources/chat/completions/completions';
import type { Warning } from '../../../../../generated/types.gen.ts';
import { ServiceError } from '../../../../contract/errors.ts';
import {
  type AudioPart,
  type DocumentPart,
  type ImagePart,
  isThinkingOf,
  type ModelMessage,
  type Part,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
} from '../../../../model/parts.ts';
import type { ModelCall } from '../../../../model/port.ts';
import { Adaptations, byMessage, type ProviderSettings } from '../../../upstream/settings.ts';
import { wrappedInput } from '../../../upstream/tool-calls.ts';
import { joinedFields, type ThinkingFields, thinkingFields } from './thinking.ts';

/** The conversation as this wire says it. Throws `invalid_request` for parts for which it has no place. */
export function chatMessages(
  conversation: readonly ModelMessage[],
  target: Target,
): { readonly messages: ChatCompletionMessageParam[]; readonly warnings: readonly Warning[] } {
  const writer = new MessageWriter(target);
  for (const [index, message] of conversation.entries()) writer.take(message, `messages[${index}]`);
  return writer.written();
}

class MessageWriter {
  readonly #target: Target;
  readonly #messages: ChatCompletionMessageParam[] = [];
  /** What stands in results of tools and has to follow them in a message of the user. */
  #shown: ChatCompletionContentPart[] = [];
  #thinkingRemoved = false;
  #moved = false;
  #uncited = false;

  constructor(target: Target) {
    this.#target = target;
  }

  take(message: ModelMessage, path: string): void {
    const { role, content, name } = message;
    const named = name !== undefined && { name };
    if (role === 'tool') {
      for (const [index, part] of content.entries())
        if (part.type === 'tool_result')
          this.#messages.push({ ...this.#result(part, `${path}.content[${index}]`), ...named });
      return;
    }
    this.#flush();
    if (role === 'user') this.#messages.push({ role, content: this.#userContent(content, path), ...named });
    else if (role === 'assistant') {
      const answer = this.#answer(content, path);
      if (answer) this.#messages.push({ ...answer, ...named });
    } else {
      const text = joinedTexts(content, '\n\n');
      if (text === null) throw cannotTake(this.#target.model, 'takes text only as instructions', path);
      this.#messages.push({
        role: role === 'developer' && !this.#target.openAi ? 'system' : role,
        content: text,
        ...named,
      });
    }
  }

  written() {
    this.#flush();
    const notes = new Adaptations(this.#target.model, byMessage);
    if (this.#thinkingRemoved)
      notes.tell(
        'thinking_removed',
        'messages',
        'cannot use the thinking of another model; it was left out.',
      );
    if (this.#moved) notes.tell('content_adapted', 'messages', moved);
    if (this.#uncited) notes.tell('content_adapted', 'messages', uncited);
    return { messages: this.#messages, warnings: notes.warnings };
  }

  #userContent(content: readonly Part[], path: string): string | ChatCompletionContentPart[] {
    const text = joinedTexts(content, '\n\n');
    if (text !== null) return text;
    return content.map((part, index) => contentPart(this.#target.model, part, `${path}.content[${index}]`));
  }

  /** An answer that the model gave; null where nothing of it is left. */
  #answer(content: readonly Part[], path: string): ChatCompletionAssistantMessageParam | null {
    let text: string | null = null;
    let refusal: string | null = null;
    const calls: ChatCompletionMessageToolCall[] = [];
    let thinking: ThinkingFields | null = null;
    for (const part of content) {
      if (part.type === 'text') {
        text = (text ?? '') + part.text;
        this.#uncited ||= part.citations !== undefined;
        // Only OpenAI has a member for it; others refuse what they do not know.
      } else if (part.type === 'refusal' && !this.#target.openAi) text = (text ?? '') + part.text;
      else if (part.type === 'refusal') refusal = (refusal ?? '') + part.text;
      else if (part.type === 'tool_call') calls.push(this.#call(part));
      else if (part.type === 'thinking') {
        const own = this.#ownThinking(part);
        if (own) thinking = joinedFields(thinking, own);
      } else throw cannotTake(this.#target.model, `takes no ${part.type} in an assistant message`, path);
    }
    if (text === null && refusal === null && calls.length === 0 && content.length > 0) return null;
    return {
      role: 'assistant',
      // OpenAI wants null where calls stand in place of a text; templates of others fail at it.
      content: text ?? (this.#target.openAi && (refusal !== null || calls.length > 0) ? null : ''),
      ...(refusal !== null && { refusal }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...thinking,
    };
  }

  /** The fields of the message in which the same model of the same vendor had told its thinking. */
  #ownThinking({ sealed }: ThinkingPart): ThinkingFields | null {
    const fields = isThinkingOf(sealed, 'openai-chat', this.#target) ? thinkingFields(sealed) : null;
    this.#thinkingRemoved ||= fields === null;
    return fields;
  }

  #call({ id, name, arguments: text, custom, extraContent }: ToolCallPart): ChatCompletionMessageToolCall {
    const extra = extraContent && { extra_content: extraContent };
    if (custom && this.#target.openAi) return { id, type: 'custom', custom: { name, input: text }, ...extra };
    const json = custom ? wrappedInput(text) : text;
    return { id, type: 'function', function: { name, arguments: json }, ...extra };
  }

  #result({ callId, content, isError }: ToolResultPart, path: string): ChatCompletionToolMessageParam {
    const texts: string[] = [];
    let shown = 0;
    for (const [index, part] of content.entries()) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'document' && part.source.type === 'text') texts.push(part.source.text);
      else {
        if (shown === 0) this.#shown.push({ type: 'text', text: `From the result of ${callId}:` });
        shown += 1;
        this.#shown.push(contentPart(this.#target.model, part, `${path}.content[${index}]`));
      }
    }
    if (shown > 0) texts.push(`(${shown === 1 ? 'A file follows' : `${shown} files follow`} below.)`);
    const text = texts.join('\n');
    return {
      role: 'tool',
      tool_call_id: callId,
      content: isError ? `Error: ${text}` : text,
    };
  }

  /** All results have to come before anything else is said. */
  #flush(): void {
    if (this.#shown.length === 0) return;
    this.#messages.push({ role: 'user', content: this.#shown });
    this.#shown = [];
    this.#moved = true;
  }
}

const moved =
  'takes text only as results of tools; images and files of them follow in a message of the user.';
const uncited = 'cannot be shown the citations of an earlier answer; they were left out.';

/** The text of parts that are text and nothing else, which every vendor on this wire takes as a string; else null. */
function joinedTexts(content: readonly Part[], separator: string): string | null {
  const texts: string[] = [];
  for (const part of content) {
    if (part.type !== 'text') return null;
    texts.push(part.text);
  }
  return texts.join(separator);
}

/** A part of a user's message. Throws `invalid_request`, with its path, for one that this wire cannot say. */
function contentPart(model: string, part: Part, path: string): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'image') return imagePart(model, part, path);
  if (part.type === 'document') return documentPart(model, part, path);
  if (part.type === 'audio') return audioPart(part);
  throw cannotTake(model, `takes no ${part.type} in a message of the user`, path);
}

function imagePart(model: string, { source, detail }: ImagePart, path: string): ChatCompletionContentPart {
  if (source.type === 'file')
    throw cannotTake(model, 'takes images as data or by their address, not by the id of a file', path);
  const url = source.type === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
  const closely = detail !== undefined && { detail: detail as 'auto' | 'low' | 'high' };
  return { type: 'image_url', image_url: { url, ...closely } };
}

/** PDFs go as files, texts as text: no other file is taken. */
function documentPart(
  model: string,
  { source, filename, title }: DocumentPart,
  path: string,
): ChatCompletionContentPart {
  if (source.type === 'url') throw cannotTake(model, 'takes documents as data, not by their address', path);
  if (source.type === 'file') return { type: 'file', file: { file_id: source.id } };
  const name = filename ?? title;
  if (source.type === 'text') return { type: 'text', text: titled(name, source.text) };
  if (/^text\//i.test(source.mediaType))
    return { type: 'text', text: titled(name, Buffer.from(source.data, 'base64').toString()) };
  const file_data = `data:${source.mediaType};base64,${source.data}`;
  return { type: 'file', file: { filename: name ?? 'document.pdf', file_data } };
}

function titled(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}:\n\n${text}`;
}

function audioPart({ data, format }: AudioPart): ChatCompletionContentPart {
  return { type: 'input_audio', input_audio: { data, format: format as 'wav' | 'mp3' } };
}

/** What of a conversation a model on this wire cannot be told. */
function cannotTake(model: string, what: string, path: string): ServiceError {
  return new ServiceError('invalid_request', `${model} ${what}.`, { param: path });
}

/** Whom a request goes to. */
export interface Target {
  readonly provider: string;
  readonly model: string;
  /** OpenAI itself, which knows the role `developer` and custom tools; vendors that speak its wire do not. */
  readonly openAi: boolean;
}

export function targetOf(
  { model }: Pick<ModelCall, 'model'>,
  { id, maxTokensField }: Pick<ProviderSettings, 'id' | 'maxTokensField'>,
): Target {
  // `max_completion_tokens` has been OpenAI's name since its reasoning models; the others have kept `max_tokens`.
  return { provider: id, model, openAi: maxTokensField === 'max_completion_tokens' };
}
