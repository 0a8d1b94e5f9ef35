import type { GroundingChunk, GroundingSupport } from '@google/genai';
import type { Citation } from '../../../../model/parts.ts';

interface Cited {
  readonly citation: Citation;
  /** The text that its positions are of; null where it is not at hand. */
  readonly text: string | null;
  /** Which part of the answer that is. */
  readonly part: number;
}

/** What an answer rests on, as `groundingMetadata`; positions are bytes of UTF-8 here. Undefined where it rests on nothing. */
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
