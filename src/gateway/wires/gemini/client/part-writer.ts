import type { FinishReason, GroundingChunk, GroundingSupport, ModalityTokenCount, Part } from '@google/genai';
import { isObject, parseExactly } from '../../../../lib/json.ts';
import type { Citation, ThinkingPart, ToolCallPart } from '../../../../model/parts.ts';
import type { EndReason } from '../../../../model/port.ts';
import { inputTokens, type TokenUsage } from '../../../../model/usage.ts';
import { signatureOf } from './other-vendor-signatures.ts';

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

  /** The remaining parts. */
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
    // Some models write null where there are none.
    return value === null ? {} : isObject(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

interface Cited {
  readonly citation: Citation;
  /** The text that its positions are of; null where it is not at hand. */
  readonly text: string | null;
  /** Which part of the answer that is. */
  readonly part: number;
}

/** The sources of an answer, as `groundingMetadata`; positions are bytes of UTF-8 here. Undefined without sources. */
export function groundingOf(cited: readonly Cited[]): object | undefined {
  const chunks: GroundingChunk[] = [];
  const supports: GroundingSupport[] = [];
  for (const { citation, text, part } of cited) {
    const { url, title, citedText, start, end } = citation;
    const known = chunks.findIndex(({ web }) => web?.uri === url && web?.title === title);
    const index = known >= 0 ? known : chunks.length;
    if (known < 0)
      chunks.push({ web: { ...(url !== undefined && { uri: url }), ...(title !== undefined && { title }) } });
    const segment = {
      ...(part > 0 && { partIndex: part }),
      ...(text !== null && start !== undefined && end !== undefined && bytesOf(text, start, end)),
      ...(citedText !== undefined && { text: citedText }),
    };
    supports.push({ segment, groundingChunkIndices: [index] });
  }
  return chunks.length > 0 ? { groundingChunks: chunks, groundingSupports: supports } : undefined;
}

function bytesOf(text: string, start: number, end: number): { startIndex: number; endIndex: number } {
  const startIndex = Buffer.byteLength(text.slice(0, start));
  return { startIndex, endIndex: startIndex + Buffer.byteLength(text.slice(start, end)) };
}

/** How the answer ended, for `candidates[0]`. */
interface GeminiEnd {
  readonly finishReason: `${FinishReason}`;
  readonly finishMessage?: string;
}

const reasons: Readonly<Record<EndReason, `${FinishReason}`>> = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  context_window: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  refusal: 'SAFETY',
  pause: 'OTHER',
};

/** @param malformed name of a function that was called with something else than an object; null: there is none */
export function endOf(reason: EndReason, malformed: string | null): GeminiEnd {
  const finishReason = reasons[reason];
  // A call that was cut off is no fault of the model.
  if (malformed === null || finishReason !== 'STOP') return { finishReason };
  return {
    finishReason: 'MALFORMED_FUNCTION_CALL',
    finishMessage: `The arguments of a call of ${malformed} are no JSON object.`,
  };
}

interface Details {
  readonly modality: 'TEXT' | 'AUDIO' | 'IMAGE';
  readonly tokenCount: NonNullable<ModalityTokenCount['tokenCount']>;
}

/** Here the prompt includes what was read from a cache, and thoughts are counted beside the answer. Zeros are left out. */
export function usageMetadata(usage: TokenUsage): object {
  const prompt = inputTokens(usage);
  const candidates = usage.output - usage.reasoning;
  return {
    promptTokenCount: prompt,
    ...(candidates > 0 && { candidatesTokenCount: candidates }),
    totalTokenCount: prompt + usage.output,
    ...(usage.cacheRead > 0 && { cachedContentTokenCount: usage.cacheRead }),
    promptTokensDetails: details(prompt, usage.audioIn, usage.imageIn),
    ...(candidates > 0 && { candidatesTokensDetails: details(candidates, usage.audioOut, usage.imageOut) }),
    ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
  };
}

function details(all: number, audio: number, images: number): Details[] {
  return [
    { modality: 'TEXT' as const, tokenCount: Math.max(0, all - audio - images) },
    { modality: 'AUDIO' as const, tokenCount: audio },
    { modality: 'IMAGE' as const, tokenCount: images },
  ].filter(({ tokenCount }) => tokenCount > 0);
}
