import type { Part } from '@google/genai';
import { parseExactly } from '../../../../lib/exact-json.ts';
import { isObject } from '../../../../lib/is-object.ts';
import type { ThinkingPart, ToolCallPart } from '../../../../model/parts.ts';
import { signatureOf } from './signatures.ts';

/** Writes an answer's parts as this wire's, each signature on the part that it belongs to. */
export class PartWriter {
  readonly #shown: boolean;
  /** A signature that the next part bears. */
  #waiting: string | null = null;

  /** @param shown whether the client asked to see thoughts */
  constructor(shown: boolean) {
    this.#shown = shown;
  }

  text(text: string): Part[] {
    return [this.#signed({ text })];
  }

  thought(text: string): Part[] {
    return this.#shown && text !== '' ? [{ text, thought: true }] : [];
  }

  /** The end of a stretch of thinking, whose text is written. */
  sealed({ sealed }: ThinkingPart): Part[] {
    if (!sealed) return [];
    if (sealed.wire !== 'gemini') return this.#wait(signatureOf(sealed));
    const { thoughtSignature, functionCall, thought } = sealed.value as Part;
    if (typeof thoughtSignature !== 'string') return [];
    if (functionCall) return this.#wait(thoughtSignature);
    return [{ text: '', ...(thought === true && { thought }), thoughtSignature }];
  }

  /** Null for arguments that are no object: on this wire such a call cannot be written. */
  call({ id, name, arguments: text, extraContent }: ToolCallPart): Part[] | null {
    const args = objectOf(text);
    if (!args) return null;
    const own = (extraContent?.['google'] as { readonly thought_signature?: unknown } | undefined)
      ?.thought_signature;
    if (typeof own === 'string') this.#waiting = own;
    return [this.#signed({ functionCall: { id, name, args } })];
  }

  /** What is left over. */
  end(): Part[] {
    return this.#waiting === null ? [] : [this.#signed({ text: '' })];
  }

  /** A second signature before a part goes on a thought of its own: a part has place for one. */
  #wait(signature: string): Part[] {
    const before = this.#waiting;
    this.#waiting = signature;
    return before === null ? [] : [{ text: '', thought: true, thoughtSignature: before }];
  }

  #signed(part: Part): Part {
    const signature = this.#waiting;
    this.#waiting = null;
    return signature === null ? part : { ...part, thoughtSignature: signature };
  }
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseExactly(text === '' ? '{}' : text);
    return isObject(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
