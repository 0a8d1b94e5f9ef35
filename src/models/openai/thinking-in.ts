import { isObject } from '../../lib/is-object.ts';
import type { SealedThinking, ThinkingPart } from '../parts.ts';
import { invalidReply, type Vendor } from '../wire/vendor.ts';

/** Maximum number of characters of thinking in one answer. */
const maxThinkingLength = 4 * 1024 * 1024;

const fields = ['reasoning_content', 'reasoning'] as const;

/** The thinking in a message or a piece of one. */
export interface ThinkingTold {
  readonly text: string;
  /** Where it stood, if the vendor wants it back there. */
  readonly field: (typeof fields)[number] | null;
}

/**
 * The thinking that a message tells, for which this wire has no field: DeepSeek, Moonshot, Qwen, xAI and vLLM say
 * `reasoning_content`, OpenRouter and Groq `reasoning`, and Mistral has parts of the type `thinking` in the content. Null
 * where there is none. Throws `ProviderError` for what is no text.
 */
export function thinkingIn(
  vendor: Vendor,
  message: { readonly [field: string]: unknown },
): ThinkingTold | null {
  for (const field of fields) {
    const text = message[field];
    if (text == null || text === '') continue;
    if (typeof text !== 'string') throw invalidReply(vendor, 'thinking that is no text', text);
    return { text, field };
  }
  const { content } = message;
  if (!Array.isArray(content)) return null;
  const text = content.map(thinkingOfPart).join('');
  return text === '' ? null : { text, field: null };
}

function thinkingOfPart(part: unknown): string {
  if (!isObject(part) || !Array.isArray(part['thinking'])) return '';
  return part['thinking']
    .map((piece: unknown) => (isObject(piece) && typeof piece['text'] === 'string' ? piece['text'] : ''))
    .join('');
}

export function thinkingPart({ id }: Vendor, model: string, { text, field }: ThinkingTold): ThinkingPart {
  if (field === null) return { type: 'thinking', text, sealed: null };
  const value = { [field]: text };
  return { type: 'thinking', text, sealed: { wire: 'openai-chat', provider: id, model, value } };
}

/** The field in which such thinking goes back; null for what has not its form, which a client may have made up. */
export function thinkingField({ value }: SealedThinking): Readonly<Record<string, string>> | null {
  for (const field of fields) {
    const text = value[field];
    if (typeof text === 'string') return { [field]: text };
  }
  return null;
}

/** Puts thinking together that comes in pieces. */
export class ThinkingCollector {
  readonly #vendor: Vendor;
  readonly #model: string;
  #told: ThinkingTold | null = null;
  #length = 0;

  constructor(vendor: Vendor, model: string) {
    this.#vendor = vendor;
    this.#model = model;
  }

  take({ text, field }: ThinkingTold): void {
    this.#length += text.length;
    if (this.#length > maxThinkingLength)
      throw invalidReply(this.#vendor, 'more than 4 MiB of thinking', `${this.#length} characters`);
    this.#told = { text: (this.#told?.text ?? '') + text, field };
  }

  /** What has come since the last time, as a whole; null where nothing has. */
  end(): ThinkingPart | null {
    const told = this.#told;
    this.#told = null;
    return told && thinkingPart(this.#vendor, this.#model, told);
  }
}
