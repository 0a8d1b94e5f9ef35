import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** A text that is sent again and again. */
export interface StaticText {
  readonly text: string;
  /** Strong validator of the text, with its quotes. */
  readonly etag: string;
  /** The text in gzip (RFC 1952), made when it is first asked for. */
  readonly gzip: () => Promise<Buffer>;
  /** The text in UTF-8, made when it is first asked for. */
  readonly utf8: () => Buffer;
}

export function staticText(text: string): StaticText {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  let compressed: Promise<Buffer> | undefined;
  let bytes: Buffer | undefined;
  return {
    text,
    etag: `"${hash}"`,
    gzip() {
      compressed ??= compress(text, { level: 9 });
      return compressed;
    },
    utf8() {
      bytes ??= Buffer.from(text);
      return bytes;
    },
  };
}

/** The text on one line, cut to at most `length` characters with an ellipsis, never through a surrogate pair. */
export function shorten(text: string, length: number): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= length) return line;
  return `${line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
