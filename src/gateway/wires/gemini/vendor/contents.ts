import type { Content, FunctionResponsePart, Part as GeminiPart } from '@google/genai';
import { fieldError, ServiceError } from '../../../../contract/errors.ts';
import { objectIn, parseExactly } from '../../../../lib/json.ts';
import {
  isThinkingOf,
  type ModelMessage,
  type Part,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
} from '../../../../model/parts.ts';
import type { Adaptations } from '../../../upstream/settings.ts';
import { argumentsAt } from '../../../upstream/tool-calls.ts';
import { audioOf, documentOf, imageOf, type Place } from './media.ts';
import { familyOf, foreignSignature, signatureIn, signedPartOf } from './thinking.ts';

/** Who is asked: thinking of others is left out. */
export interface Asked extends Place {
  readonly provider: string;
}

export interface GeminiContents {
  readonly contents: readonly Content[];
  readonly systemInstruction?: Content;
}

/**
 * The conversation as this wire says it: system messages apart, all results of a turn's calls in one message, right after
 * it. Throws `invalid_request`, which names the path, for what the wire has no place for.
 */
export function contentsOf(
  messages: readonly ModelMessage[],
  asked: Asked,
  notes: Adaptations,
): GeminiContents {
  return new ContentsBuilder(asked, notes).build(messages);
}

class ContentsBuilder {
  readonly #asked: Asked;
  readonly #notes: Adaptations;
  /** Whether a call without a signature is refused. */
  readonly #signs: boolean;
  /** Whether results may hold pictures. */
  readonly #seesResults: boolean;
  readonly #contents: { readonly role: string; readonly parts: GeminiPart[] }[] = [];
  readonly #system: GeminiPart[] = [];
  readonly #names = new Map<string, string>();
  /** The message of results that further results join. */
  #results: GeminiPart[] | null = null;
  /** Pictures of results that go behind them. */
  #behind: GeminiPart[] = [];
  #moved = false;

  constructor(asked: Asked, notes: Adaptations) {
    this.#asked = asked;
    this.#notes = notes;
    const { version } = familyOf(asked.model);
    this.#signs = this.#seesResults = version !== null && version >= 3;
  }

  build(messages: readonly ModelMessage[]): GeminiContents {
    for (const [index, message] of messages.entries()) this.#add(message, `messages[${index}]`);
    this.#endResults();
    const { model } = this.#asked;
    if (this.#contents.length === 0) {
      const text = `${model} needs at least one message of the role user or assistant.`;
      throw new ServiceError('invalid_request', text, { param: 'messages' });
    }
    if (this.#moved) {
      const said = 'takes system messages only before the conversation; those further down were moved there.';
      this.#notes.tell('system_messages_merged', 'messages', said);
    }
    return {
      contents: this.#contents,
      ...(this.#system.length > 0 && { systemInstruction: { parts: this.#system } }),
    };
  }

  #add(message: ModelMessage, path: string): void {
    const { role, content, name } = message;
    if (name !== undefined)
      this.#notes.tell('content_adapted', 'messages', 'takes no names of speakers; they were left out.');
    if (role === 'system' || role === 'developer') this.#addSystem(message, path);
    else if (role === 'tool') this.#addResults(content, path);
    else this.#addTurn(role, content, path);
  }

  #addTurn(role: 'user' | 'assistant', content: readonly Part[], path: string): void {
    this.#endResults();
    const parts = role === 'assistant' ? this.#modelParts(content, path) : this.#userParts(content, path);
    if (parts.length > 0) this.#contents.push({ role: role === 'assistant' ? 'model' : 'user', parts });
  }

  #addSystem({ content }: ModelMessage, path: string): void {
    for (const [index, part] of content.entries()) {
      if (part.type !== 'text') throw misplaced(`${path}.content[${index}]`, 'a system message');
      if (part.text !== '') this.#system.push({ text: part.text });
    }
    this.#moved ||= this.#contents.length > 0;
  }

  #userParts(content: readonly Part[], path: string): GeminiPart[] {
    return content.flatMap((part, index) => this.#shown(part, `${path}.content[${index}]`, 'a user message'));
  }

  #shown(part: Part, path: string, where: string): GeminiPart[] {
    const media = this.#mediaPart(part, path);
    if (media === undefined) throw misplaced(path, where);
    return media === null ? [] : [media];
  }

  /** Null for a text that is empty, which the vendor refuses; undefined for what is no content of a user. */
  #mediaPart(part: Part, path: string): GeminiPart | null | undefined {
    switch (part.type) {
      case 'text':
        if (part.citations) this.#notes.leftOut('citations');
        return part.text === '' ? null : { text: part.text };
      case 'image':
        return imageOf(part, path, this.#asked);
      case 'document':
        return documentOf(part, path, this.#asked, this.#notes);
      case 'audio':
        return audioOf(part);
      default:
        return undefined;
    }
  }

  #modelParts(content: readonly Part[], path: string): GeminiPart[] {
    const parts: GeminiPart[] = [];
    /** The signature that waits for its call. */
    let waiting: { readonly name: string; readonly signature: string } | null = null;
    let called = false;
    for (const [index, part] of content.entries()) {
      if (part.type === 'thinking') {
        waiting = this.#addThinking(part, parts) ?? waiting;
      } else if (part.type === 'tool_call') {
        const signature: string | null =
          signatureIn(part.extraContent) ?? (waiting?.name === part.name ? waiting.signature : null);
        // Of several calls at once only the first is signed.
        const needed: string | null = signature ?? (this.#signs && !called ? foreignSignature : null);
        parts.push(this.#callPart(part, needed, `${path}.content[${index}]`));
        waiting = null;
        called = true;
      } else if (part.type === 'refusal') {
        if (part.text !== '') parts.push({ text: part.text });
      } else parts.push(...this.#shown(part, `${path}.content[${index}]`, 'an assistant message'));
    }
    return parts;
  }

  /** Adds thinking that is this model's own, or puts its signature where it belongs; returns one that belongs to a call. */
  #addThinking(
    { text, sealed }: ThinkingPart,
    parts: GeminiPart[],
  ): { readonly name: string; readonly signature: string } | null {
    if (sealed === null) {
      if (text !== '') parts.push({ text, thought: true });
      return null;
    }
    const signed = isThinkingOf(sealed, 'gemini', this.#asked) ? signedPartOf(sealed) : null;
    if (!signed) {
      this.#removed();
      return null;
    }
    const { functionCall, thoughtSignature } = signed;
    if (functionCall) return { name: functionCall.name, signature: thoughtSignature };
    const last = parts.at(-1);
    if (signed.thought || !signed.text) parts.push({ ...signed });
    else if (last?.text?.endsWith(signed.text) && !last.thought && last.thoughtSignature === undefined) {
      parts.pop();
      const before = last.text.slice(0, -signed.text.length);
      if (before !== '') parts.push({ text: before });
      parts.push({ ...signed });
    } else this.#removed();
    return null;
  }

  #removed(): void {
    const message = `Thinking of another model, or of an answer that was changed, means nothing to ${this.#asked.model}; it was left out.`;
    this.#notes.add({ code: 'thinking_removed', message, param: 'messages' });
  }

  #callPart(call: ToolCallPart, signature: string | null, path: string): GeminiPart {
    const { id, name, custom, extraContent } = call;
    this.#names.set(id, name);
    if (extraContent && signatureIn(extraContent) === null) this.#notes.leftOut('extraContent');
    const args = custom ? { input: call.arguments } : argumentsAt(call.arguments, `${path}.arguments`);
    return { functionCall: { id, name, args }, ...(signature !== null && { thoughtSignature: signature }) };
  }

  #addResults(content: readonly Part[], path: string): void {
    for (const [index, part] of content.entries()) {
      const at = `${path}.content[${index}]`;
      if (part.type !== 'tool_result') throw misplaced(at, 'a tool message');
      if (!this.#results) {
        this.#results = [];
        this.#contents.push({ role: 'user', parts: this.#results });
      }
      this.#results.push(this.#resultPart(part, at));
    }
  }

  #endResults(): void {
    this.#results?.push(...this.#behind);
    this.#results = null;
    this.#behind = [];
  }

  #resultPart(result: ToolResultPart, path: string): GeminiPart {
    const { callId: id, content } = result;
    const name = this.#names.get(id);
    if (name === undefined) {
      throw fieldError(`${path}.call_id`, 'enum', 'matches no tool call before it');
    }
    const parts: FunctionResponsePart[] = [];
    for (const [index, part] of content.entries()) {
      if (part.type === 'text') continue;
      const media = this.#mediaPart(part, `${path}.content[${index}]`);
      if (!media) continue;
      if (this.#seesResults && media.text === undefined) parts.push(media as FunctionResponsePart);
      else {
        this.#behind.push({ text: `Of the result of the call ${id}:` }, media);
        const said = 'takes text only as results of tools; images and files of them follow behind.';
        this.#notes.tell('content_adapted', 'messages', said);
      }
    }
    const response = responseOf(result, textOf({ content }));
    return {
      functionResponse: { id, name, response, ...(parts.length > 0 && { parts }) } as NonNullable<
        GeminiPart['functionResponse']
      >,
    };
  }
}

/** A result that is a JSON object goes as it is; for others the API names the fields `output` and `error`. */
function responseOf({ isError }: ToolResultPart, text: string): Record<string, unknown> {
  if (isError) return { error: text };
  return objectIn(text, parseExactly) ?? { output: text };
}

function misplaced(path: string, where: string): ServiceError {
  return fieldError(path, 'type', `is of a type that ${where} cannot hold for this model`);
}
