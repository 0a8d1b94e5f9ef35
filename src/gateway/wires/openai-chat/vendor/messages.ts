import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionToolMessageParam,
} from 'openai/resources/chat/completions/completions';
import { ServiceError } from '../../../../contract/errors.ts';
import {
  type AudioPart,
  type DocumentPart,
  type ImagePart,
  isThinkingOf,
  type ModelMessage,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '../../../../model/parts.ts';
import type { Adaptations } from '../../../upstream/settings.ts';
import { wrappedInput } from '../../../upstream/tool-calls.ts';
import { joinedFields, type ThinkingFields, thinkingFields } from './thinking.ts';

/** The conversation as this wire says it. Throws `invalid_request` for parts for which it has no place. */
export function chatMessages(
  conversation: readonly ModelMessage[],
  to: Addressee,
): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = [];
  /** Content of tools' results that has to follow all of them in a message of the user. */
  let shown: ChatCompletionContentPart[] = [];
  const showRest = () => {
    if (shown.length === 0) return;
    messages.push({ role: 'user', content: shown });
    shown = [];
    to.notes.tell('content_adapted', 'messages', moved);
  };
  for (const [index, { role, content, name }] of conversation.entries()) {
    const path = `messages[${index}]`;
    const named = name !== undefined && { name };
    if (role === 'tool') {
      for (const [at, part] of content.entries())
        if (part.type === 'tool_result')
          messages.push({ ...resultOf(part, `${path}.content[${at}]`, to.model, shown), ...named });
      continue;
    }
    showRest();
    if (role === 'user') messages.push({ role, content: userContent(content, path, to.model), ...named });
    else if (role === 'assistant') {
      const answer = answerOf(content, path, to);
      if (answer) messages.push({ ...answer, ...named });
    } else {
      const text = joinedTexts(content);
      if (text === null) throw cannotTake(to.model, 'takes text only as instructions', path);
      const known = role === 'developer' && !to.openAi ? 'system' : role;
      messages.push({ role: known, content: text, ...named });
    }
  }
  showRest();
  return messages;
}

const moved =
  'takes text only as results of tools; images and files of them follow in a message of the user.';

function userContent(
  content: readonly Part[],
  path: string,
  model: string,
): string | ChatCompletionContentPart[] {
  const parts = () => content.map((part, index) => contentPart(model, part, `${path}.content[${index}]`));
  return joinedTexts(content) ?? parts();
}

/** An answer that the model gave; null where nothing of it is left. */
function answerOf(
  content: readonly Part[],
  path: string,
  to: Addressee,
): ChatCompletionAssistantMessageParam | null {
  let text: string | null = null;
  let refusal: string | null = null;
  const calls: ChatCompletionMessageToolCall[] = [];
  let thinking: ThinkingFields | null = null;
  for (const part of content) {
    // Only OpenAI has a member for refusals; others refuse what they do not know.
    if (part.type === 'text' || (part.type === 'refusal' && !to.openAi)) {
      text = (text ?? '') + part.text;
      if (part.type === 'text' && part.citations) to.notes.leftOut('citations');
    } else if (part.type === 'refusal') refusal = (refusal ?? '') + part.text;
    else if (part.type === 'tool_call') calls.push(callOf(part, to.openAi));
    else if (part.type === 'thinking') {
      const { sealed } = part;
      const own = isThinkingOf(sealed, 'openai-chat', to) ? thinkingFields(sealed) : null;
      if (own) thinking = joinedFields(thinking, own);
      else to.notes.leftOut('thinking');
    } else throw cannotTake(to.model, `takes no ${part.type} in an assistant message`, path);
  }
  if (text === null && refusal === null && calls.length === 0 && content.length > 0) return null;
  return {
    role: 'assistant',
    // OpenAI wants null where calls stand in place of a text; templates of others fail at it.
    content: text ?? (to.openAi && (refusal !== null || calls.length > 0) ? null : ''),
    ...(refusal !== null && { refusal }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...thinking,
  };
}

function callOf(
  { id, name, arguments: text, custom, extraContent }: ToolCallPart,
  openAi: boolean,
): ChatCompletionMessageToolCall {
  const extra = extraContent && { extra_content: extraContent };
  if (custom && openAi) return { id, type: 'custom', custom: { name, input: text }, ...extra };
  const json = custom ? wrappedInput(text) : text;
  return { id, type: 'function', function: { name, arguments: json }, ...extra };
}

/** @param shown where the images and files in it go */
function resultOf(
  { callId, content, isError }: ToolResultPart,
  path: string,
  model: string,
  shown: ChatCompletionContentPart[],
): ChatCompletionToolMessageParam {
  const texts: string[] = [];
  let files = 0;
  for (const [index, part] of content.entries()) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'document' && part.source.type === 'text') texts.push(part.source.text);
    else {
      if (files === 0) shown.push({ type: 'text', text: `From the result of ${callId}:` });
      files += 1;
      shown.push(contentPart(model, part, `${path}.content[${index}]`));
    }
  }
  if (files > 0) texts.push(`(${files === 1 ? 'A file follows' : `${files} files follow`} below.)`);
  const text = texts.join('\n');
  return { role: 'tool', tool_call_id: callId, content: isError ? `Error: ${text}` : text };
}

/** The text of parts that are text and nothing else, which every vendor on this wire takes as a string; else null. */
function joinedTexts(content: readonly Part[]): string | null {
  const texts: string[] = [];
  for (const part of content) {
    if (part.type !== 'text') return null;
    texts.push(part.text);
  }
  return texts.join('\n\n');
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

/** The error for a part of a conversation that this wire cannot express. */
function cannotTake(model: string, what: string, path: string): ServiceError {
  return new ServiceError('invalid_request', `${model} ${what}.`, { param: path });
}

/** The model that a request goes to, and the notes of its adaptations. */
export interface Addressee {
  readonly provider: string;
  readonly model: string;
  /** OpenAI itself, which knows the role `developer` and custom tools; vendors that speak its wire do not. */
  readonly openAi: boolean;
  readonly notes: Adaptations;
}
