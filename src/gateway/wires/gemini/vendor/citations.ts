import type { Citation as GeminiCitation, GroundingChunk, GroundingSupport } from '@google/genai';
import { isObject } from '../../../../lib/json.ts';
import type { Citation } from '../../../../model/parts.ts';
import { count } from '../../../../model/usage.ts';
import type { Untrusted } from '../../../upstream/vendor.ts';

/** Maximum of an answer's text that is kept for counting characters, in bytes. */
const maxKept = 1024 * 1024;

/** The text of an answer so far, to bring the vendor's positions, which are bytes of UTF-8, to characters. */
export class TextPositions {
  #text = '';
  #bytes = 0;

  add(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes <= maxKept) this.#text += text;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The character at a byte; undefined where it is outside of what is known. */
  characterAt(byte: number): number | undefined {
    if (this.#bytes > maxKept || byte > this.#bytes) return undefined;
    if (this.#bytes === this.#text.length) return byte;
    return Buffer.from(this.#text).toString('utf8', 0, byte).length;
  }
}

/**
 * The citations of a candidate: its sources (`groundingMetadata`, where the vendor searched) and quotes
 * (`citationMetadata`). Malformed ones are skipped: an answer is not worth less for them.
 * @param startOf byte at which a part of the answer begins
 */
export function citationsOf(
  candidate: Readonly<Record<string, unknown>>,
  text: TextPositions,
  startOf: (part: number) => number,
): Citation[] {
  const { groundingMetadata: grounding, citationMetadata: quotes } = candidate;
  return [
    ...(isObject(grounding) ? supported(grounding, text, startOf) : []),
    ...(isObject(quotes) ? quoted(quotes, text) : []),
  ];
}

function supported(
  { groundingChunks, groundingSupports }: Readonly<Record<string, unknown>>,
  text: TextPositions,
  startOf: (part: number) => number,
): Citation[] {
  const chunks = listOf<GroundingChunk>(groundingChunks);
  return listOf<GroundingSupport>(groundingSupports).flatMap((support) => {
    const { startIndex, endIndex, partIndex, text: words } = support?.segment ?? {};
    const base = startOf(count(partIndex) ?? 0);
    const place = {
      ...(typeof words === 'string' && { citedText: words }),
      ...range(text, base + (count(startIndex) ?? 0), count(endIndex), base),
    };
    return listOf<number>(support?.groundingChunkIndices).flatMap((index): Citation[] => {
      const chunk = chunks[count(index) ?? -1];
      const { uri, title } = chunk?.web ?? chunk?.retrievedContext ?? chunk?.maps ?? {};
      if (typeof uri !== 'string') return [];
      return [{ url: uri, ...(typeof title === 'string' && { title }), ...place }];
    });
  });
}

function quoted({ citations }: Readonly<Record<string, unknown>>, text: TextPositions): Citation[] {
  return listOf<GeminiCitation>(citations).flatMap((citation): Citation[] => {
    const { uri, title, startIndex, endIndex } = citation ?? {};
    if (typeof uri !== 'string') return [];
    const place = range(text, count(startIndex) ?? 0, count(endIndex), 0);
    return [{ url: uri, ...(typeof title === 'string' && { title }), ...place }];
  });
}

function range(
  text: TextPositions,
  from: number,
  to: number | null,
  base: number,
): Pick<Citation, 'start' | 'end'> {
  const start = text.characterAt(from);
  const end = to === null ? undefined : text.characterAt(base + to);
  return start === undefined || end === undefined ? {} : { start, end };
}

function listOf<Item>(value: unknown): readonly Untrusted<Item>[] {
  return Array.isArray(value) ? value : [];
}
