import type {
  ResponseInputContent,
  ResponseInputFile,
  ResponseInputImage,
  ResponseInputItem,
  ResponseOutputRefusal,
  ResponseOutputText,
} from 'openai/resources/responses/responses';
import type { Warning } from '../../../../../generated/types.gen.ts';
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
import { Adaptations, byMessage } from '../../../upstream/settings.ts';

/** Whom the items go to. */
interface Addressee {
  readonly provider: string;
  readonly model: string;
}

/** The conversation as items, in its order. Throws `invalid_request` for parts for which there are none. */
export function inputItems(
  conversation: readonly ModelMessage[],
  addressee: Addressee,
): { readonly items: ResponseInputItem[]; readonly warnings: readonly Warning[] } {
  const writer = new ItemWriter(addressee);
  for (const [index, message] of conversation.entries()) writer.take(message, `messages[${index}]`);
  return { items: writer.items, warnings: writer.warnings() };
}

const unsaid = {
  name: 'knows no names of speakers',
  citations: 'cannot be shown the citations of an earlier answer',
  filename: 'takes no names of documents that are elsewhere',
} as const;

const useless = "has no use for the extra_content of another provider's tool calls; it was left out.";

type AnswerContent = Omit<ResponseOutputText, 'annotations'> | ResponseOutputRefusal;

class ItemWriter {
  readonly items: ResponseInputItem[] = [];
  readonly #to: Addressee;
  /** Calls of custom tools, whose results are items of their own kind. */
  readonly #customCalls = new Set<string>();
  /** Texts and refusals of an answer that are one message. */
  #said: AnswerContent[] = [];
  #thinkingRemoved = false;
  #extraIgnored = false;
  /** What the wire has no field for. */
  readonly #left = new Set<keyof typeof unsaid>();

  constructor(to: Addressee) {
    this.#to = to;
  }

  take({ role, content, name }: ModelMessage, path: string): void {
    if (name !== undefined) this.#left.add('name');
    for (const part of content) this.#note(part);
    if (role === 'tool') {
      for (const [index, part] of content.entries())
        if (part.type === 'tool_result') this.items.push(this.#result(part, `${path}.content[${index}]`));
    } else if (role === 'assistant') this.#answer(content, path);
    else this.items.push({ type: 'message', role, content: inputContent(this.#to.model, content, path) });
  }

  warnings(): Warning[] {
    const notes = new Adaptations(this.#to.model, byMessage);
    if (this.#thinkingRemoved)
      notes.tell(
        'thinking_removed',
        'messages',
        'cannot use the thinking of another model; it was left out.',
      );
    if (this.#extraIgnored) notes.tell('extra_content_ignored', 'messages', useless);
    for (const what of this.#left)
      notes.tell(
        'content_adapted',
        'messages',
        `${unsaid[what]} over the Responses interface; they were left out.`,
      );
    return notes.warnings;
  }

  #note(part: Part): void {
    if (part.type === 'text' && part.citations) this.#left.add('citations');
    else if (part.type === 'document' && part.source.type !== 'text' && part.source.type !== 'base64') {
      if (part.filename !== undefined || part.title !== undefined) this.#left.add('filename');
    } else if (part.type === 'tool_result') for (const inner of part.content) this.#note(inner);
  }

  #answer(content: ModelMessage['content'], path: string): void {
    for (const part of content) {
      if (part.type === 'text') this.#said.push({ type: 'output_text', text: part.text });
      else if (part.type === 'refusal') this.#said.push({ type: 'refusal', refusal: part.text });
      else {
        this.#endMessage();
        if (part.type === 'tool_call') this.items.push(this.#call(part));
        else if (part.type === 'thinking') {
          const { sealed } = part;
          const isOwn =
            isThinkingOf(sealed, 'openai-responses', this.#to) && sealed.value['type'] === 'reasoning';
          if (isOwn) this.items.push(sealed.value as unknown as ResponseInputItem);
          else this.#thinkingRemoved = true;
        } else {
          const text = `${this.#to.model} takes no ${part.type} in an assistant message.`;
          throw new ServiceError('invalid_request', text, { param: path });
        }
      }
    }
    this.#endMessage();
  }

  #endMessage(): void {
    const said = this.#said;
    if (said.length === 0) return;
    this.#said = [];
    const [first, second] = said;
    const content = first?.type === 'output_text' && !second ? first.text : said;
    // The SDK has types for answers with the ids of stored ones only; the interface takes them without.
    // llama.cpp tells items apart by their type alone.
    this.items.push({ type: 'message', role: 'assistant', content } as ResponseInputItem);
  }

  #call({ id, name, arguments: text, custom, extraContent }: ToolCallPart): ResponseInputItem {
    if (extraContent) this.#extraIgnored = true;
    if (!custom) return { type: 'function_call', call_id: id, name, arguments: text };
    this.#customCalls.add(id);
    return { type: 'custom_tool_call', call_id: id, name, input: text };
  }

  #result({ callId, content, isError }: ToolResultPart, path: string): ResponseInputItem {
    const type = this.#customCalls.has(callId) ? 'custom_tool_call_output' : 'function_call_output';
    const output = outputContent(this.#to.model, content, isError === true, path);
    return { type, call_id: callId, output };
  }
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

/** A file that is sent as data needs a name, whose ending tells OpenAI its type. */
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

/** What a tool gave, where it failed with a word that says so: the wire has no field for it. */
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
