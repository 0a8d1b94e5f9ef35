import { createHash } from 'node:crypto';

/** A file of a build as it is listed. */
export interface FileEntry {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export function fileEntry(path: string, text: string): FileEntry {
  const bytes = Buffer.from(text);
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
