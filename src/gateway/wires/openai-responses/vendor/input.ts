import type {
  ResponseInputContent,
  ResponseInputFile,
  ResponseInputImage,
  ResponseInputItem,
  ResponseOutputRefusal,
  ResponseOutputText,
} from 'openai/resources/responses/responses';
import { ServiceError } from '../../../../contract/errors.ts';
import {
  type DocumentPart,
  type ImagePart,
  isThinkingOf,
  type ModelMessage,
  type Part,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from '../../../../model/parts.ts';
import type { Adaptations } from '../../../upstream/settings.ts';

/** The model that the items go to, and the notes of their adaptations. */
interface Addressee {
  readonly provider: string;
  readonly model: string;
  readonly notes: Adaptations;
}

const unsaid = {
  name: 'knows no names of speakers',
  citations: 'cannot be shown the citations of an earlier answer',
  filename: 'takes no names of documents that are elsewhere',
} as const;

type AnswerContent = Omit<ResponseOutputText, 'annotations'> | ResponseOutputRefusal;

/** The conversation as items, in its order. Throws `invalid_request` for parts for which there are none. */
export function inputItems(conversation: readonly ModelMessage[], to: Addressee): ResponseInputItem[] {
  /** Calls of custom tools, whose results are items of their own kind. */
  const customCalls = new Set<string>();
  return conversation.flatMap(({ role, content, name }, index): ResponseInputItem[] => {
    const path = `messages[${index}]`;
    if (name !== undefined) leaveOut('name', to);
    for (const part of content) noteUnsaid(part, to);
    if (role === 'assistant') return answerItems(content, path, customCalls, to);
    if (role !== 'tool') return [{ type: 'message', role, content: inputContent(to.model, content, path) }];
    return content.flatMap((part, at) =>
      part.type === 'tool_result' ? [resultItem(part, `${path}.content[${at}]`, customCalls, to.model)] : [],
    );
  });
}

/** For what the wire has no field. */
function leaveOut(what: keyof typeof unsaid, { notes }: Addressee): void {
  const said = `${unsaid[what]} over the Responses interface; they were left out.`;
  notes.tell('content_adapted', 'messages', said);
}

function noteUnsaid(part: Part, to: Addressee): void {
  if (part.type === 'text' && part.citations) leaveOut('citations', to);
  else if (part.type === 'document' && part.source.type !== 'text' && part.source.type !== 'base64') {
    if (part.filename !== undefined || part.title !== undefined) leaveOut('filename', to);
  } else if (part.type === 'tool_result') for (const inner of part.content) noteUnsaid(inner, to);
}

function answerItems(
  content: readonly Part[],
  path: string,
  customCalls: Set<string>,
  to: Addressee,
): ResponseInputItem[] {
  const items: ResponseInputItem[] = [];
  /** Texts and refusals that are one message. */
  let said: AnswerContent[] = [];
  const endMessage = () => {
    const [first, second] = said;
    if (!first) return;
    const content = first.type === 'output_text' && !second ? first.text : said;
    // The SDK has types for answers with the ids of stored ones only; the interface takes them without.
    // llama.cpp distinguishes items by their type alone.
    items.push({ type: 'message', role: 'assistant', content } as ResponseInputItem);
    said = [];
  };
  for (const part of content) {
    if (part.type === 'text') said.push({ type: 'output_text', text: part.text });
    else if (part.type === 'refusal') said.push({ type: 'refusal', refusal: part.text });
    else {
      endMessage();
      if (part.type === 'tool_call') items.push(callItem(part, customCalls, to.notes));
      else if (part.type === 'thinking') {
        const { sealed } = part;
        const isOwn = isThinkingOf(sealed, 'openai-responses', to) && sealed.value['type'] === 'reasoning';
        if (isOwn) items.push(sealed.value as unknown as ResponseInputItem);
        else to.notes.leftOut('thinking');
      } else {
        const text = `${to.model} takes no ${part.type} in an assistant message.`;
        throw new ServiceError('invalid_request', text, { param: path });
      }
    }
  }
  endMessage();
  return items;
}

function callItem(
  { id, name, arguments: text, custom, extraContent }: ToolCallPart,
  customCalls: Set<string>,
  notes: Adaptations,
): ResponseInputItem {
  if (extraContent) notes.leftOut('extraContent');
  if (!custom) return { type: 'function_call', call_id: id, name, arguments: text };
  customCalls.add(id);
  return { type: 'custom_tool_call', call_id: id, name, input: text };
}

function resultItem(
  { callId, content, isError }: ToolResultPart,
  path: string,
  customCalls: ReadonlySet<string>,
  model: string,
): ResponseInputItem {
  const type = customCalls.has(callId) ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: callId, output: outputContent(model, content, isError === true, path) };
}

/** The content of a message or of a tool's result at a path: a string where it is one text. Throws `invalid_request`. */
function inputContent(
  model: string,
  content: readonly Part[],
  path: string,
): string | ResponseInputContent[] {
  const [first, second] = content;
  if (!first) return '';
  if (first.type === 'text' && !second) return first.text;
  return content.map((part, index) => inputPart(model, part, `${path}.content[${index}]`));
}

function inputPart(model: string, part: Part, path: string): ResponseInputContent {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  if (part.type === 'image') return imagePart(part);
  if (part.type === 'document') return documentPart(part);
  const what =
    part.type === 'audio' ? 'no audio over the Responses interface' : `no ${part.type} in this place`;
  throw new ServiceError('invalid_request', `${model} takes ${what}.`, { param: path });
}

function imagePart({ source, detail = 'auto' }: ImagePart): ResponseInputImage {
  const closely = { detail: detail as ResponseInputImage['detail'] };
  if (source.type === 'file') return { type: 'input_image', file_id: source.id, ...closely };
  const image_url = source.type === 'url' ? source.url : dataUrl(source.mediaType, source.data);
  return { type: 'input_image', image_url, ...closely };
}

/** A file that is sent as data needs a name, from whose extension OpenAI derives its type. */
function documentPart({ source, filename, title }: DocumentPart): ResponseInputFile {
  const name = filename ?? title;
  if (source.type === 'url') return { type: 'input_file', file_url: source.url };
  if (source.type === 'file') return { type: 'input_file', file_id: source.id };
  const [mediaType, data] =
    source.type === 'text'
      ? ['text/plain', Buffer.from(source.text).toString('base64')]
      : [source.mediaType, source.data];
  const ending = mediaType === 'application/pdf' ? '.pdf' : '.txt';
  const ended = name !== undefined && /\.\w+$/.test(name) ? name : `${name ?? 'document'}${ending}`;
  return { type: 'input_file', filename: ended, file_data: dataUrl(mediaType, data) };
}

function dataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}

/** A tool's output, with a word that says so if it failed: the wire has no field for that. */
function outputContent(
  model: string,
  content: readonly Part[],
  isError: boolean,
  path: string,
): string | ResponseInputContent[] {
  if (!isError) return inputContent(model, content, path);
  const [first, ...rest] = content;
  const text = first?.type === 'text' ? first.text : '';
  const marked: TextPart = { type: 'text', text: `Error: ${text}` };
  return inputContent(model, first?.type === 'text' ? [marked, ...rest] : [marked, ...content], path);
}
