import { shorten } from '../../../lib/static-text.ts';
import { kindOf } from './file-kind.ts';

/** As much of a file is kept, from its start, in bytes. */
const maxHead = 64 * 1024;
/** How long a word takes where the file does not state its length, in seconds. */
const wordSeconds = 0.4;

export interface Word {
  readonly word: string;
  /** In seconds, as every time here. */
  readonly start: number;
  readonly end: number;
}

export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The sandbox's transcript of a file of sound. */
export interface Transcript {
  readonly text: string;
  /** The language of `text`, by its English name. */
  readonly language: 'english';
  /** Of the file, where its head states it; else of the text, at a made-up speed. */
  readonly seconds: number;
  /** A sentence each. */
  readonly segments: readonly Segment[];
  readonly words: readonly Word[];
}

/**
 * The transcription of a file: it says that no model listened, and the kind of the file by its first bytes. It reads the file
 * to its end, keeps its first 64 KiB and counts the rest.
 * @param name as the client gave it; it is quoted, shortened
 */
export async function listen(file: AsyncIterable<Uint8Array>, name?: string): Promise<Transcript> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file) {
    // A copy: a part of a chunk would keep all of it.
    if (size < maxHead) kept.push(Uint8Array.from(chunk.subarray(0, maxHead - size)));
    size += chunk.length;
  }
  return transcriptOf(Buffer.concat(kept), size, name);
}

function transcriptOf(head: Buffer, size: number, name = ''): Transcript {
  const kind = kindOf(head, size);
  const quoted = shorten(
    name
      .slice(0, 1000)
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim(),
    100,
  );
  const bytes = size === 1 ? '1 byte' : `${size.toLocaleString('en-US')} bytes`;
  const sentences = [
    'This is the built-in sandbox of Switchyard: no model listened, and nothing that was said is written here.',
    `${quoted ? `The file "${quoted}"` : 'The file'} is ${kind.name} of ${bytes}.`,
    kind.seconds === null
      ? 'How long it lasts was not found out, so the times here are made up.'
      : `It lasts ${kind.seconds.toFixed(2)} seconds, over which these words are spread.`,
  ];
  const count = sentences.join(' ').split(' ').length;
  const seconds = rounded(kind.seconds ?? count * wordSeconds);
  const words: Word[] = [];
  const segments = sentences.map((text): Segment => {
    const first = words.length;
    for (const word of text.split(' ')) {
      const start = rounded((seconds * words.length) / count);
      words.push({ word, start, end: rounded((seconds * (words.length + 1)) / count) });
    }
    return { text, start: words[first]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
  });
  return { text: sentences.join(' '), language: 'english', seconds, segments, words };
}

/** To the millisecond, which is what subtitles have. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
